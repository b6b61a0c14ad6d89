/*
 * Each line says who did what to whom.  The test suites of tini and dumb-init
 * look for some of their own lines; those stand here beside ours.
 */
#include <unistd.h>

#include "diag.h"
#include "format.h"
#include "proc.h"
#include "signame.h"
#include "words.h"

/* " ('sh')", or nothing if that is unknown. */
static struct words_process
name_of(pid_t pid)
{
	struct words_process p = {""};
	char name[PROC_NAME] = "";
	int proc = proc_open();

	if (proc != -1) {
		proc_name(proc, pid, name);
		close(proc);
	}
	if (name[0] != '\0')
		format(p.text, sizeof(p.text), " ('%s')", name);
	return p;
}

struct words_process
words_process(pid_t pid)
{
	struct words_process p = {""};

	format(p.text, sizeof(p.text), "PID %d%s", pid, name_of(pid).text);
	return p;
}

static struct words_process
sender(const siginfo_t *si)
{
	struct words_process p = {""};

	/* The kernel tells of a child's death in the child's name. */
	if (si->si_code > 0 && si->si_signo != SIGCHLD)
		format(p.text, sizeof(p.text), "the kernel");
	else if (si->si_pid == 0)
		format(p.text, sizeof(p.text), "outside the PID namespace");
	else
		p = words_process(si->si_pid);
	return p;
}

void
words_received(enum name_words whose, const siginfo_t *si)
{
	const char *verb = whose == NAME_TINI ? "Received" : "received";
	const bool death = si->si_signo == SIGCHLD && si->si_code > 0;

	/* Who it was is looked up in /proc: not for nothing. */
	if (!diag_tells(death ? DIAG_DEBUG : DIAG_VERBOSE))
		return;
	say("%s %s from %s", verb, signame_of(si->si_signo).text,
	    sender(si).text);
}

void
words_forwarded(
    enum name_words whose, int received, int sent, pid_t pid, bool group)
{
	if (!diag_tells(DIAG_VERBOSE))
		return;
	if (whose == NAME_DUMB_INIT)
		say("Forwarded signal %d to children.", sent);
	say("forwarded %s%s%s to %s%s", signame_of(received).text,
	    sent == received ? "" : " as ",
	    sent == received ? "" : signame_of(sent).text,
	    group ? "the group of " : "", words_process(pid).text);
}

void
words_handed_off(enum name_words whose, int sig)
{
	if (whose == NAME_DUMB_INIT)
		say("Ignoring tty hand-off signal %d.", sig);
	else
		say("ignored %s, which came of letting go of the terminal",
		    signame_of(sig).text);
}

void
words_orphan(enum name_words whose, bool loud, pid_t pid, int code)
{
	const char *what = whose == NAME_TINI
			       ? "Reaped zombie process with pid="
			       : "reaped zombie PID ";

	if (loud)
		warn("%s%d%s, exit status %d", what, pid, name_of(pid).text,
		    code);
	else if (diag_tells(DIAG_VERBOSE))
		say("%s%d%s, exit status %d", what, pid, name_of(pid).text,
		    code);
}
