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

#include "reap.h"

/* Deaths per call: a fork storm must not starve signals and deadlines. */
#define BATCH 256

enum reap_left
reap(struct reap *r)
{
	int i, status;
	pid_t pid;

	for (i = 0; i < BATCH; i++) {
		/* __WALL: also one that was cloned to die without SIGCHLD. */
		pid = waitpid(-1, &status, WNOHANG | __WALL);
		if (pid == 0)
			return REAP_SOME;
		/*
		 * With WNOHANG there should be no failure but ECHILD.  If there
		 * is, it is no proof that nobody is left.
		 */
		if (pid == -1 && errno == EINTR)
			continue;
		if (pid == -1)
			return errno == ECHILD ? REAP_NONE : REAP_SOME;
		r->count++;
		if (pid == r->main) {
			r->main = 0;
			r->status = status;
		} else if (r->stranger != NULL)
			r->stranger(pid, status);
	}
	return REAP_BUSY;
}

int
reap_code(int status)
{
	/* No WUNTRACED above, so dead is exited or killed, never stopped. */
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	return WEXITSTATUS(status);
}
