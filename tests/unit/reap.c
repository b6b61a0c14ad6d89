#include <sys/prctl.h>
#include <sys/wait.h>

#include <signal.h>
#include <unistd.h>

#include "clock.h"
#include "reap.h"
#include "tap.h"

static int strangers;

static void
count(void *arg, pid_t pid, int code)
{
	const struct reap *r = arg;

	if (pid != r->main && reap_owns(pid) &&
	    (code == 3 || code == 128 + SIGKILL))
		strangers++;
}

static pid_t
child(int code)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(code);
	return pid;
}

int
main(void)
{
	struct reap r = {.dead = count, .arg = &r};
	enum reap_left left;
	int64_t before, end, longest;
	pid_t sleeper, storm;
	int i;

	ok(reap(&r) == REAP_NONE, "without children there are none");
	r.main = child(7);
	while ((left = reap(&r)) == REAP_SOME)
		;
	ok(left == REAP_NONE && r.main == 0 && reap_code(r.status) == 7,
	    "the main child's status is remembered, its pid forgotten");
	ok(strangers == 0 && r.count == 1, "it is no stranger, and counted");
	sleeper = fork();
	if (sleeper == 0)
		for (;;)
			pause();
	ok(reap(&r) == REAP_SOME, "a living child remains");
	for (i = 0; i < 600; i++)
		child(3);
	/* WNOWAIT for each would race; give them all time to be dead. */
	usleep(300000);
	while (reap(&r) == REAP_BUSY)
		;
	ok(strangers == 600, "each stranger is told once, while it is there");
	ok(reap_owns(sleeper) && !reap_owns(1), "whose child is whose");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	storm = fork();
	while (storm == 0)
		if (fork() == 0) {
			fork();
			_exit(0);
		}
	longest = 0;
	for (end = clock_ms() + 1000; clock_ms() < end;) {
		before = clock_ms();
		reap(&r);
		if (clock_ms() - before > longest)
			longest = clock_ms() - before;
	}
	ok(longest < 1000, "a storm of orphans does not hold us");
	kill(storm, SIGKILL);
	while (reap(&r) == REAP_BUSY || kill(storm, 0) == 0)
		;
	usleep(300000);
	while (reap(&r) == REAP_BUSY)
		;
	i = strangers;
	kill(sleeper, SIGKILL);
	while (reap(&r) == REAP_SOME)
		;
	ok(strangers == i + 1, "the last one too");
	ok(reap_code(SIGTERM) == 143, "signal 15 is 143");
	ok(reap_code(255 << 8) == 255, "255 is 255");
	return tap_done();
}
