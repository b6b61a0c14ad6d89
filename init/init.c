/*
 * PID 1: starts the program, hands it every signal, collects the dead, and ends
 * what is left when the program has exited.
 *
 * Up to start_program it may give up; after that no failed system call ends it.
 */
#include <sys/prctl.h>

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "diag.h"
#include "ending.h"
#include "forward.h"
#include "init.h"
#include "mask.h"
#include "options.h"
#include "reap.h"
#include "signame.h"
#include "spawn.h"

enum { EXIT_OURS = 125 };

struct init {
	struct options o;
	struct mask mask;
	struct reap reap;
	struct ending ending;
	int terminal; /* whose foreground we gave away, or -1 */
	int requests; /* TERM and INT that came during the drain */
};

static void
read_options(struct init *in, int argc, char **argv)
{
	char problem[USAGE_PROBLEM];

	switch (init_options_parse(&in->o, argc, argv, problem)) {
	case USAGE_HELP:
		print(EXIT_OURS, init_options_help);
		_exit(0);
	case USAGE_VERSION:
		print(EXIT_OURS, "lease-init " VERSION "\n");
		_exit(0);
	case USAGE_WRONG:
		die(EXIT_OURS, "%s", problem);
	case USAGE_RUN:
		break;
	}
	if (in->o.verbose > 0)
		diag_level(DIAG_VERBOSE);
}

static void
tell_zombie(pid_t pid, int status)
{
	warn("reaped zombie PID %d, exit status %d", pid, reap_code(status));
}

/*
 * The parent may die before the kernel knows that we care.  Then we send the
 * signal ourselves: it waits, blocked, like any other.
 */
static void
watch_parent(int sig)
{
	pid_t parent = getppid();

	if (prctl(PR_SET_PDEATHSIG, sig) == -1)
		die(EXIT_OURS, "cannot set the parent death signal: %s",
		    strerror(errno));
	if (getppid() != parent)
		kill(getpid(), sig);
}

static void
adopt_orphans(void)
{
	if (getpid() != 1 && prctl(PR_SET_CHILD_SUBREAPER, 1) == -1)
		warn("cannot become a subreaper: %s: zombies will go to another"
		     " process",
		    strerror(errno));
}

static void
start_program(struct init *in)
{
	bool foreground, started;
	int error;

	in->terminal = spawn_terminal(&foreground);
	if (!foreground)
		in->terminal = -1;
	in->reap.main = spawn(
	    &(struct spawn){
		.argv = in->o.program,
		.mask = &in->mask,
		.terminal = in->terminal,
	    },
	    &started);
	if (in->reap.main != -1) {
		say("started '%s' as PID %d", in->o.program[0], in->reap.main);
		return;
	}
	error = errno;
	if (!started)
		die(EXIT_OURS, "cannot fork: %s", strerror(error));
	spawn_reclaim(in->terminal, getpgrp());
	spawn_complain(in->o.program[0], error);
	if (signame_parse(in->o.program[0]) != -1)
		complain("'%s' looks like a signal; -s takes no argument here"
			 " (it does in lease)",
		    in->o.program[0]);
	_exit(spawn_code(error));
}

/* To those that are left; whoever asks twice is in a hurry. */
static void
signal_drain(struct init *in, int sig)
{
	if ((sig == SIGTERM || sig == SIGINT) && ++in->requests > 1) {
		say("%s again: forcing what is left", signame_of(sig).text);
		ending_force(&in->ending, clock_ms());
	} else {
		say("sending %s to what is left", signame_of(sig).text);
		tree_signal(&in->ending.tree, sig);
	}
}

static void
take_signal(struct init *in, const siginfo_t *si)
{
	if (!forward_wanted(si))
		return;
	if (in->reap.main != 0)
		forward(in->reap.main, in->o.group, si);
	else
		signal_drain(in, si->si_signo);
}

static void
survivor(void *arg, pid_t pid, const char *why)
{
	(void)arg;
	warn("cannot end PID %d: %s", pid, why);
}

static _Noreturn void
finish(struct init *in, bool gave_up)
{
	int code = reap_code(in->reap.status);
	size_t n = 0;

	if (gave_up)
		n = tree_survivors(&in->ending.tree, survivor, NULL);
	if (n > TREE_NAMED)
		warn("and %zu more", n - TREE_NAMED);
	_exit(init_options_expects(&in->o, code) ? 0 : code);
}

/* The program has exited: the drain begins, if there is to be one. */
static void
part(struct init *in, enum reap_left left, int64_t now)
{
	if (in->ending.ladder.state != LADDER_CALM)
		return;
	spawn_reclaim(in->terminal, getpgrp());
	say("the program exited, status %d", reap_code(in->reap.status));
	if (in->o.grace == 0 || (left == REAP_NONE && !in->ending.tree.all))
		finish(in, false);
	ending_begin(&in->ending, SIGTERM, now);
}

static _Noreturn void
serve(struct init *in)
{
	enum reap_left left = REAP_SOME;
	struct pollfd fds[2];
	int64_t now = 0;
	siginfo_t si;
	bool signalled, gave_up;
	int timeout;

	for (;;) {
		timeout =
		    left == REAP_BUSY
			? 0
			: clock_timeout(ending_deadline(&in->ending), now);
		fds[0] =
		    (struct pollfd){.fd = in->ending.watch, .events = POLLIN};
		signalled = mask_wait(&in->mask, fds,
		    in->ending.watch == -1 ? 0 : 1, timeout, &si);
		if (signalled)
			take_signal(in, &si);
		left = reap(&in->reap);
		/* While it lives there is no deadline, and no clock. */
		if (in->reap.main != 0)
			continue;
		now = clock_ms();
		part(in, left, now);
		if (ending_step(&in->ending, &in->reap, left, now, &gave_up))
			finish(in, gave_up);
	}
}

int
init_main(int argc, char **argv)
{
	static struct init in;

	diag_init("lease-init");
	mask_block(&in.mask);
	read_options(&in, argc, argv);
	if (in.o.parent_death != 0)
		watch_parent(in.o.parent_death);
	adopt_orphans();
	if (in.o.tell_zombies)
		in.reap.stranger = tell_zombie;
	/* Before the first fork: whoever is there now is a stray. */
	ending_init(&in.ending, getpid() == 1, reap_children(), in.o.grace);
	start_program(&in);
	serve(&in);
}
