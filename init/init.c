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

static void
tell_orphan(void *arg, pid_t pid, int code)
{
	const struct init *in = arg;

	words_orphan(in->o.words, in->o.tell_zombies, pid, code);
}

/*
 * The parent may die before the kernel knows that we care.  Then we send the
 * signal ourselves: it waits, blocked, like any other.
 */
static void
watch_parent(const struct init *in)
{
	pid_t parent = getppid();
	int sig = in->o.parent_death;

	if (sig == 0)
		return;
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
		if (ioctl(STDIN_FILENO, TIOCNOTTY) == -1)
			return -1;
		in->handed_off = getsid(0) == getpid();
		return STDIN_FILENO;
	case SPAWN_BESIDE:
		break;
	}
	return -1;
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

static _Noreturn void
cannot_execute(const struct init *in, int error)
{
	const char *file = in->o.program[0];
	char why[SPAWN_WHY];

	spawn_reclaim(in->terminal, getpgrp());
	if (in->o.words == NAME_DUMB_INIT) {
		spawn_why(file, error, why);
		complain("%s: %s", file, why);
	} else {
		spawn_complain(file, error);
	}
	if (signame_parse(file) != -1)
		complain("'%s' looks like a signal; -s takes no argument here"
			 " (it does in lease)",
		    file);
	_exit(spawn_code(error) == 127 ? in->name->not_found
				       : in->name->not_executable);
}

static void
start_program(struct init *in)
{
	bool started;

	in->reap.main = spawn(
	    &(struct spawn){
		.argv = in->o.program,
		.mask = &in->mask,
		.place = in->o.place,
		.terminal = give_terminal(in),
		.shell = in->name->shell,
		.pid = listen_pid(in),
	    },
	    &started);
	if (in->reap.main != -1)
		say("started '%s' as PID %d", in->o.program[0], in->reap.main);
	else if (started)
		cannot_execute(in, errno);
	else
		die(in->name->failed, "cannot fork: %s", strerror(errno));
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
	forward(&in->o, in->reap.main, si);
	/* As a shell's job we stop with the program, for the shell to see. */
	if (in->name->suspends &&
	    (sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU))
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
	spawn_reclaim(in->terminal, getpgrp());
	if (!in->o.pause)
		say("the program exited, status %d",
		    reap_code(in->reap.status));
	if (in->o.grace == 0 || (left == REAP_NONE && !in->ending.tree.all))
		finish(in, false);
	say("asking what is left to end; what is there after %lld ms is forced",
	    (long long)in->o.grace);
	ending_begin(&in->ending, SIGTERM, now);
}

/*
 * Without a drain, who leads a session has his group asked at his end.  Until
 * he is collected the group's number is nobody else's.
 */
static void
ask_group(const struct init *in)
{
	const int sig = in->o.rewrite[SIGTERM];

	if (in->o.place != SPAWN_SESSION || in->o.grace > 0 || sig == 0 ||
	    in->reap.main == 0 || !reap_dead(in->reap.main))
		return;
	if (kill(-in->reap.main, sig) == 0)
		words_forwarded(in->o.words, SIGTERM, sig, in->reap.main, true);
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
		ask_group(in);
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

bool
init_known(const char *name)
{
	return name_find(name) != NULL;
}

bool
init_lends(const char *name)
{
	return getpid() != 1 && name_find(name)->lends;
}

int
init_main(const char *name, int argc, char **argv)
{
	static const int keep[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
	static struct init in = {.terminal = -1};

	in.name = name_find(name);
	diag_init(in.name->prefix);
	mask_block(&in.mask);
	read_options(&in, argc, argv);
	watch_parent(&in);
	adopt_orphans(&in);
	if (in.o.tell_zombies || in.o.level >= DIAG_VERBOSE)
		in.reap.stranger = tell_orphan;
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
