/*
 * Pending signals of one kind merge: one SIGCHLD may stand for many
 * deaths and name the wrong one.  So SIGCHLD only means "look"; the
 * truth is what waitpid(2) says, asked until it has nothing to tell.
 *
 * No other file in the program collects a child.
 */
#include <sys/wait.h>

#include <errno.h>
#include <stddef.h>

#include "clock.h"
#include "reap.h"

/*
 * A fork storm must not starve signals and deadlines, nor, if we gave up too
 * early, fill the process table with its dead.
 */
#define LONGEST_MS 100
#define BATCH      256 /* deaths between two looks at the clock */
#define TRIES      3   /* of a waitpid that fails */

/*
 * Whom to collect next: -1 for anybody, or, since another that dies meanwhile
 * has not been told of, the one that has; 0 if nobody is dead.
 */
static pid_t
tell(const struct reap *r)
{
	siginfo_t si = {.si_pid = 0};

	if (r->dead == NULL ||
	    waitid(P_ALL, 0, &si, WEXITED | WNOHANG | WNOWAIT | __WALL) == -1)
		return -1;
	if (si.si_pid != 0)
		r->dead(r->arg, si.si_pid,
		    si.si_code == CLD_EXITED ? si.si_status
					     : 128 + si.si_status);
	return si.si_pid;
}

/*
 * waitpid, but not one failure alone is believed: not ECHILD either, since that
 * is our only proof that nobody is left.
 */
static pid_t
collect(pid_t which, int *status)
{
	pid_t pid = -1;
	int i;

	for (i = 0; i < TRIES && pid == -1; i++)
		/* __WALL: also one that was cloned to die without SIGCHLD. */
		pid = waitpid(which, status, WNOHANG | __WALL);
	return pid;
}

enum reap_left
reap(struct reap *r)
{
	int64_t until = CLOCK_NEVER;
	pid_t next, pid;
	int i, status = 0;

	for (i = 1;; i++) {
		if (i % BATCH == 0) {
			if (until == CLOCK_NEVER)
				until = clock_ms() + LONGEST_MS;
			else if (clock_ms() >= until)
				return REAP_BUSY;
		}
		next = tell(r);
		pid = next == 0 ? 0 : collect(next, &status);
		if (pid == 0)
			return REAP_SOME;
		if (pid == -1)
			return errno == ECHILD ? REAP_NONE : REAP_SOME;
		r->count++;
		if (pid == r->main) {
			r->main = 0;
			r->status = status;
		}
	}
}

void
reap_main(struct reap *r)
{
	int status = 0;

	if (collect(r->main, &status) != r->main)
		return;
	r->count++;
	r->main = 0;
	r->status = status;
}

static bool
can_wait_for(idtype_t type, pid_t pid)
{
	siginfo_t si;

	return waitid(type, (id_t)pid, &si,
		   WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
}

bool
reap_owns(pid_t pid)
{
	return can_wait_for(P_PID, pid);
}

bool
reap_children(void)
{
	return can_wait_for(P_ALL, 0);
}

int
reap_code(int status)
{
	/* No WUNTRACED above, so dead is exited or killed, never stopped. */
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	return WEXITSTATUS(status);
}
