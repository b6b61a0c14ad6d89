/* Over real processes: what is listed, asked, left alone, and killed. */
#include <sys/prctl.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "pidset.h"
#include "proc.h"
#include "tap.h"
#include "tree.h"

static void
rest(void)
{
	for (;;)
		pause();
}

/* A child, a grandchild in another session, and its child: three. */
static pid_t
family(void)
{
	pid_t pid;
	char c;
	int p[2];

	if (pipe(p) == -1)
		return -1;
	pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		if (fork() == 0) {
			setsid();
			if (fork() == 0) {
				if (write(p[1], "x", 1) == 1)
					rest();
				_exit(1);
			}
			rest();
		}
		rest();
	}
	if (read(p[0], &c, 1) != 1)
		return -1;
	close(p[0]);
	close(p[1]);
	return pid;
}

static int
collect(void)
{
	int n = 0;

	while (waitpid(-1, NULL, 0) > 0)
		n++;
	return n;
}

static void
each(void *arg, pid_t pid, const char *why)
{
	(void)pid;
	(void)why;
	++*(int *)arg;
}

int
main(void)
{
	struct pidset set = {0};
	struct proc_stat st;
	struct tree t;
	int proc, n = 0;
	pid_t pid, stranger;

	ok(!pidset_has(&set, 5), "an empty set has nothing");
	ok(pidset_add(&set, 5) && !pidset_add(&set, 5),
	    "what is added is new once");
	ok(pidset_has(&set, 5) && !pidset_has(&set, 4), "and there");
	ok(pidset_add(&set, PID_LIMIT - 1) && pidset_has(&set, PID_LIMIT - 1),
	    "up to the greatest pid");
	ok(!pidset_has(&set, -1) && !pidset_has(&set, PID_LIMIT),
	    "beyond the bounds is nothing");
	pidset_clear(&set);
	ok(!pidset_has(&set, 5), "cleared is empty");

	proc = proc_open();
	ok(proc >= 0, "/proc is ours");
	ok(proc_stat(proc, getpid(), &st) == 0 && st.ppid == getppid() &&
		st.session == getsid(0) && st.state == 'R' &&
		st.start <= proc_ticks(),
	    "proc_stat of ourselves");
	prctl(PR_SET_NAME, ") R 1 2 3");
	ok(proc_stat(proc, getpid(), &st) == 0 && st.ppid == getppid(),
	    "a name of parentheses deceives nobody");
	ok(proc_stat(proc, 999999999, &st) == -1 && errno == ENOENT,
	    "no such process");
	close(proc);

	/* A stranger: not below us, since this is before we are a subreaper. */
	stranger = fork();
	if (stranger == 0) {
		pid = fork();
		if (pid == 0)
			rest();
		_exit(0);
	}
	waitpid(stranger, NULL, 0);

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	tree_init(&t, false, false);
	ok(tree_count(&t) == 0, "nobody is below us");
	pid = family();
	ok(tree_count(&t) == 3 && t.near == 1 && t.v[0] == pid,
	    "three below us, our child first");
	tree_signal(&t, SIGSTOP);
	tree_ask(&t, SIGTERM);
	ok(waitpid(pid, NULL, 0) == pid, "asked: a stopped child ends");
	ok(tree_count(&t) == 2 && t.near == 1,
	    "its orphan in another session is not asked by that");
	tree_ask_rest(&t, SIGTERM, INT64_MAX);
	ok(collect() == 2, "the rest is asked next, in its own session");
	tree_close(&t);

	pid = family();
	t.asked_at = proc_ticks();
	usleep(30000);
	tree_ask(&t, SIGWINCH);
	t.asked_at -= 100; /* as if the asking had been before their birth */
	tree_ask_rest(&t, SIGKILL, INT64_MAX);
	ok(tree_count(&t) == 3, "who was born after the asking is left alone");
	tree_survivors(&t, each, &n);
	ok(n == 3, "each survivor is named");
	ok(tree_kill(&t) == 3 && collect() == 3, "all are killed");
	tree_close(&t);

	family();
	ok(tree_kill(&t) == 3 && collect() == 3,
	    "after a close it opens again");
	ok(tree_count(&t) == 0, "and nobody is left");
	tree_close(&t);

	ok(tree_watch(&t) == -1 && errno != 0, "only PID 1 watches all");
	return tap_done();
}
