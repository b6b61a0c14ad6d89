/* Every signal that somebody sent us is meant for the program. */
#include <sys/syscall.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "forward.h"
#include "mask.h"
#include "words.h"

bool
forward_wanted(const struct options *o, const siginfo_t *si, bool handed_off)
{
	int sig = si->si_signo;

	if (mask_own(si))
		return false;
	if (handed_off && (sig == SIGHUP || sig == SIGCONT) &&
	    si->si_pid == getpid()) {
		words_handed_off(o->words, sig);
		return false;
	}
	return sig != SIGCHLD || si->si_code <= 0;
}

static int
queue(pid_t pid, int sig, const siginfo_t *si)
{
	siginfo_t copy = *si;

	copy.si_signo = sig;
	copy.si_pid = getpid();
	copy.si_uid = getuid();
	return (int)syscall(SYS_rt_sigqueueinfo, pid, sig, &copy);
}

void
forward(const struct options *o, pid_t pid, const siginfo_t *si)
{
	int sig = o->rewrite[si->si_signo], r;

	if (sig == 0) {
		say("dropped %s, as -r says", signame_of(si->si_signo).text);
		return;
	}
	if (si->si_code == SI_QUEUE && !o->group)
		r = queue(pid, sig, si);
	else
		r = kill(o->group ? -pid : pid, sig);
	if (r == 0)
		words_forwarded(o->words, si->si_signo, sig, pid, o->group);
	else
		warn("cannot forward %s to %s %d: %s", signame_of(sig).text,
		    o->group ? "process group" : "PID", pid, strerror(errno));
}
