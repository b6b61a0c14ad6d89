/*
 * After "daemon & exec lease ..." the daemon is our child, though it is no part
 * of the session.  A subreaper in this process would adopt its orphans.  So
 * this one stays as it was, and a clean one below holds the lease.
 */
#include <signal.h>
#include <unistd.h>

#include "outer.h"
#include "reap.h"
#include "spawn.h"

_Noreturn void
outer_run(struct mask *m, pid_t keeper)
{
	static const int keep[] = {STDERR_FILENO};
	struct reap r = {.main = keeper};
	struct pollfd none[1];
	siginfo_t si;

	spawn_let_go(keep, 1);
	while (r.main != 0) {
		if (!mask_wait(m, none, 0, -1, &si) || mask_own(&si))
			continue;
		if (si.si_signo == SIGCHLD) {
			while (reap(&r) == REAP_BUSY)
				;
		} else {
			kill(keeper, si.si_signo);
		}
	}
	_exit(reap_code(r.status));
}
