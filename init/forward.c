/* Every signal that somebody sent us is meant for the program. */
#include <sys/syscall.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "forward.h"
#include "mask.h"
#include "signame.h"

bool
forward_wanted(const siginfo_t *si)
{
	if (mask_own(si))
		return false;
	return si->si_signo != SIGCHLD || si->si_code <= 0;
}

void
forward(pid_t pid, bool group, const siginfo_t *si)
{
	int sig = si->si_signo, r;

	if (si->si_code == SI_QUEUE && !group) {
		siginfo_t copy = *si;

		copy.si_pid = getpid();
		copy.si_uid = getuid();
		r = (int)syscall(SYS_rt_sigqueueinfo, pid, sig, &copy);
	} else {
		r = kill(group ? -pid : pid, sig);
	}
	if (r == -1)
		warn("cannot forward %s to PID %d: %s", signame_of(sig).text,
		    pid, strerror(errno));
	else
		say("forwarded %s to %s %d", signame_of(sig).text,
		    group ? "process group" : "PID", pid);
}
