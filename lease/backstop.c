/*
 * A pipe tells of a death without the traps of PR_SET_PDEATHSIG, which comes
 * when the thread that forked ends, and not to who changed its user.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "backstop.h"
#include "reap.h"

pid_t
backstop_fork(int *fd)
{
	int p[2] = {-1, -1};
	pid_t pid;

	if (pipe2(p, O_CLOEXEC) == -1)
		p[0] = p[1] = -1;
	pid = fork();
	*fd = pid == 0 ? p[0] : p[1];
	if (p[0] != -1)
		close(pid == 0 ? p[1] : p[0]);
	return pid;
}

int
backstop_wait(struct mask *m, pid_t below, bool strays)
{
	struct reap r = {.main = below};
	struct pollfd none[1];
	siginfo_t si;

	while (r.main != 0) {
		if (!mask_wait(m, none, 0, -1, &si) || mask_own(&si))
			continue;
		/* Below is not collected yet; a SIGCHLD may be sent, too. */
		if (si.si_signo != SIGCHLD || si.si_code <= 0)
			kill(below, si.si_signo);
		if (si.si_signo != SIGCHLD)
			continue;
		if (!strays)
			reap_main(&r);
		else
			while (reap(&r) == REAP_BUSY)
				;
	}
	return r.status;
}

bool
backstop_gone(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return fd != -1 && poll(&p, 1, 0) == 1;
}
