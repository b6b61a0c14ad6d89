#include <sys/wait.h>

#include <signal.h>
#include <unistd.h>

#include "reap.h"
#include "tap.h"

static int strangers;

static void
count(pid_t pid, int status)
{
	(void)pid;
	(void)status;
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
	struct reap r = {.stranger = count};
	enum reap_left left;
	pid_t sleeper;
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
		child(0);
	/* WNOWAIT for each would race; give them all time to be dead. */
	usleep(300000);
	ok(reap(&r) == REAP_BUSY, "a storm does not hold us");
	while (reap(&r) == REAP_BUSY)
		;
	ok(strangers == 600, "each stranger is told once");
	kill(sleeper, SIGKILL);
	while (reap(&r) == REAP_SOME)
		;
	ok(strangers == 601, "the last one too");
	ok(reap_code(SIGTERM) == 143, "signal 15 is 143");
	ok(reap_code(255 << 8) == 255, "255 is 255");
	return tap_done();
}
