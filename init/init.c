/*
 * PID 1: starts the program, hands it every signal, collects the dead, and ends
 * what is left when the program has exited.
 *
 * Up to start_program it may give up; after that no failed system call ends it.
 */
#include <sys/ioctl.h>
#include <sys/prctl.h>

#include <errno.h>
#include <limits.h>
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
#include "names.h"
#include "number.h"
#include "options.h"
#include "reap.h"
#include "signame.h"
#include "spawn.h"
#include "words.h"
#include "zombies.h"

struct init {
	const struct name *name;
	struct options o;
	struct mask mask;
	struct reap reap;
	struct ending ending;
	struct zombies zombies;
	int terminal;    /* whose foreground we gave away, or -1 */
	pid_t given;     /* to this group */
	bool handed_off; /* we let go of a terminal as its session's leader */
	bool pausing;    /* -P, until TERM or INT */
	int requests;    /* TERM and INT that came during the drain */
	char listen_pid[sizeof("LISTEN_PID=") + SPAWN_PID];
};

static void
read_options(struct init *in, int argc, char **argv)
{
	const struct name *name = in->name;
	char problem[USAGE_PROBLEM];

	switch (init_options_parse(&in->o, name, argc, argv, problem)) {
	case USAGE_HELP:
		init_options_help(
		    name, name->help_err ? STDERR_FILENO : STDOUT_FILENO);
		_exit(0);
	case USAGE_VERSION:
		print(name->version_err ? STDERR_FILENO : STDOUT_FILENO,
		    name->failed, name->version);
		_exit(0);
	case USAGE_LICENCE:
		print(STDOUT_FILENO, name->failed, init_options_licence);
		_exit(0);
	case USAGE_WRONG:
		complain("%s", problem);
		if (name->help_unasked && in->o.program[0] == NULL)
			init_options_help(name, STDERR_FILENO);
		_exit(name->failed);
	case USAGE_RUN:
		break;
	}
	diag_level(in->o.level);
}

/*
 * Without a drain, who leads a session has his group asked at his end.  He is
 * not collected yet, so the group's number is nobody else's.
 */
static void
ask_group(const struct init *in)
{
	const int sig = in->o.rewrite[SIGTERM];

	if (in->o.place != SPAWN_SESSION || in->o.grace > 0 || sig == 0)
		return;
	if (kill(-in->reap.main, sig) == 0)
		words_forwarded(in->o.words, SIGTERM, sig, in->reap.main, true);
}

static void
take_dead(void *arg, pid_t pid, int code)
{
	const struct init *in = arg;

	if (pid == in->reap.main)
		ask_group(in);
	else
		words_orphan(in->o.words, in->o.tell_zombies, pid, code);
}

/*
 * The parent may die before the kernel knows that we care.  Then we send the
 * signal ourselves: it waits, blocked, like any other.
 */
static void
watch_parent(const struct init *in)
{
	int sig = in->o.parent_death;
	pid_t parent;

	if (sig == 0)
		return;
	parent = getppid();
	if (prctl(PR_SET_PDEATHSIG, sig) == -1)
		die(in->name->failed, "cannot set the parent death signal: %s",
		    strerror(errno));
	if (getppid() != parent)
		kill(getpid(), sig);
}

static void
adopt_orphans(const struct init *in)
{
	int already = 0;

	if (getpid() == 1)
		return;
	if (in->o.subreaper) {
		if (prctl(PR_SET_CHILD_SUBREAPER, 1) == -1)
			warn("cannot become a subreaper: %s: zombies will go"
			     " to another process",
			    strerror(errno));
		return;
	}
	if (in->name->warns &&
	    (prctl(PR_GET_CHILD_SUBREAPER, &already) == -1 || !already))
		warn("neither PID 1 nor a subreaper, so orphans go to another"
		     " process and zombie reaping won't work: run %s as PID 1,"
		     " or give it -s or set TINI_SUBREAPER",
		    in->name->name);
}

/*
 * The terminal becomes the program's: by its foreground, or in a session of its
 * own as a whole.  Of the latter the kernel tells the terminal's foreground by
 * SIGHUP and SIGCONT, if we lead its session.
 */
static int
give_terminal(struct init *in)
{
	bool foreground;
	int terminal;

	switch (in->o.place) {
	case SPAWN_GROUP:
		terminal = spawn_terminal(&foreground);
		in->terminal = foreground ? terminal : -1;
		return in->terminal;
	case SPAWN_SESSION:
		in->handed_off = ioctl(STDIN_FILENO, TIOCNOTTY) == 0 &&
				 getsid(0) == getpid();
		return STDIN_FILENO;
	case SPAWN_BESIDE:
		break;
	}
	return -1;
}

/*
 * As PID 1 in a session and group from outside of the PID namespace we cannot
 * name that group, to give its foreground away or back.
 */
static void
stay_in_foreign_group(struct options *o)
{
	bool foreground;

	if (o->place == SPAWN_GROUP && getpgrp() == 0 &&
	    spawn_terminal(&foreground) != -1) {
		o->place = SPAWN_BESIDE;
		o->group = false;
	}
}

/*
 * Socket activation (sd_listen_fds(3)) names the process that it is for: us,
 * as long as we stood in for the program.  Returns where its PID goes, or NULL.
 */
static char *
listen_pid(struct init *in)
{
	static const char variable[] = "LISTEN_PID=";
	const size_t n = sizeof(variable) - 1;
	char **e;

	for (e = environ; *e != NULL; e++) {
		if (strncmp(*e, variable, n) != 0 ||
		    number_parse(*e + n, INT_MAX) != getpid())
			continue;
		memcpy(in->listen_pid, variable, n);
		*e = in->listen_pid;
		return in->listen_pid + n;
	}
	return NULL;
}

static int
exec_code(const struct name *name, int error)
{
	return spawn_code(error) == 127 ? name->not_found
					: name->not_executable;
}

/* In the child. */
static int
cannot_execute(void *arg, const char *file, int error)
{
	const struct name *name = ((const struct init *)arg)->name;
	char why[SPAWN_WHY];

	if (name->words == NAME_DUMB_INIT) {
		spawn_why(file, error, why);
		complain("%s: %s", file, why);
	} else {
		spawn_complain(file, error);
	}
	if (signame_parse(file) != -1)
		complain("'%s' looks like a signal; -s takes no argument here"
			 " (it does in lease)",
		    file);
	return exec_code(name, error);
}

static void
start_program(struct init *in)
{
	bool started;
	int error;

	stay_in_foreign_group(&in->o);
	in->reap.main = spawn(
	    &(struct spawn){
		.argv = in->o.program,
		.mask = &in->mask,
		.place = in->o.place,
		.terminal = give_terminal(in),
		.shell = in->name->shell,
		.pid = listen_pid(in),
		.failed = cannot_execute,
		.arg = in,
	    },
	    &started);
	in->given = in->reap.main;
	if (in->reap.main != -1) {
		say("started '%s' as PID %d", in->o.program[0], in->reap.main);
		return;
	}
	error = errno;
	if (!started)
		die(in->name->failed, "cannot fork: %s", strerror(error));
	spawn_reclaim(in->terminal, getpgrp(), 0);
	_exit(exec_code(in->name, error));
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

/*
 * Having given the foreground away, our own group is in the background.  Who is
 * left there and touches the terminal has these sent to all of it.  Forwarded,
 * they would stop the program in the foreground, and nobody would continue it.
 */
static bool
is_ours_alone(const struct init *in, int sig)
{
	return in->terminal != -1 && (sig == SIGTTIN || sig == SIGTTOU) &&
	       in->o.rewrite[sig] == sig;
}

static void
take_signal(struct init *in, const siginfo_t *si)
{
	int sig = si->si_signo;

	words_received(in->o.words, si);
	if (!forward_wanted(&in->o, si, in->handed_off))
		return;
	if (in->pausing) {
		in->pausing = sig != SIGTERM && sig != SIGINT;
		return;
	}
	if (in->reap.main == 0) {
		signal_drain(in, sig);
		return;
	}
	if (is_ours_alone(in, sig)) {
		say("ignored %s: it was for our group, which is in the"
		    " background of the terminal",
		    signame_of(sig).text);
		return;
	}
	forward(&in->o, in->reap.main, si);
	/* As a shell's job we stop with the program, for the shell to see. */
	if (in->name->suspends && signame_stops(sig))
		kill(getpid(), SIGSTOP);
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

	if (in->ending.forced)
		say("what did not end when asked was forced");
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
	spawn_reclaim(in->terminal, getpgrp(), in->given);
	if (!in->o.pause)
		say("the program exited, status %d",
		    reap_code(in->reap.status));
	if (in->o.grace == 0 || (left == REAP_NONE && !in->ending.tree.all))
		finish(in, false);
	say("asking what is left to end; what is there after %lld ms is forced",
	    (long long)in->o.grace);
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
		if (in->o.tell_zombies)
			zombies_look(&in->zombies);
		if (signalled)
			take_signal(in, &si);
		left = reap(&in->reap);
		/* While it lives there is no deadline, and no clock. */
		if (in->reap.main != 0 || in->pausing)
			continue;
		now = clock_ms();
		part(in, left, now);
		if (ending_step(&in->ending, &in->reap, left, now, &gave_up))
			finish(in, gave_up);
	}
}

const struct name *
init_find(const char *name)
{
	return name_find(name);
}

bool
init_lends(const struct name *name)
{
	return name->lends && getpid() != 1;
}

int
init_main(const struct name *name, int argc, char **argv)
{
	static const int keep[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
	static struct init in = {.terminal = -1};

	in.name = name;
	diag_init(name->prefix);
	mask_block(&in.mask);
	read_options(&in, argc, argv);
	watch_parent(&in);
	adopt_orphans(&in);
	if (in.o.tell_zombies || in.o.level >= DIAG_VERBOSE ||
	    in.o.place == SPAWN_SESSION)
		in.reap.dead = take_dead;
	in.reap.arg = &in;
	/* Before the first fork: whoever is there now is a stray. */
	ending_init(&in.ending, getpid() == 1, reap_children(), in.o.grace);
	if (in.o.pause)
		in.pausing = true;
	else
		start_program(&in);
	spawn_let_go(keep, sizeof(keep) / sizeof(keep[0]));
	serve(&in);
}
