/*
 * The keeper: holds the lease, runs the command as its child, ends the session.
 * Above it waits the backstop, which is the same program in the same loop as
 * soon as the keeper has been killed.
 *
 * Up to start_command everything may still be refused, with nothing executed;
 * after it no failure of ours ends anything but by the ladder.
 */
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "backstop.h"
#include "clock.h"
#include "diag.h"
#include "ending.h"
#include "lease/lease.h"
#include "mask.h"
#include "options.h"
#include "owner.h"
#include "reap.h"
#include "session.h"
#include "signame.h"
#include "spawn.h"
#include "status.h"

enum {
	EXIT_LOST = 123,
	EXIT_TIMED_OUT = 124,
	EXIT_REFUSED = 125,
	EXIT_KILLED = 137,
};

enum reason {
	NONE,
	EXITED,
	LEASE_EOF,
	TTL,
	OWNER,
	TIMEOUT,
	SIGNAL,
	KEEPER_DIED,
	BACKSTOP_DIED,
};

static const char *const reasons[] = {
    [NONE] = "none",
    [EXITED] = "exited",
    [LEASE_EOF] = "lease-eof",
    [TTL] = "ttl",
    [OWNER] = "owner",
    [TIMEOUT] = "timeout",
    [SIGNAL] = "signal",
    [KEEPER_DIED] = "keeper-died",
    [BACKSTOP_DIED] = "backstop-died",
};

/* A repeat within this is the same request: a group and its leader hit. */
#define SAME_REQUEST_MS 1000

/* A lease that ends this soon was probably meant as the command's input. */
#define TOO_SOON_MS 1000

#define ABOVE 2

struct keeper {
	struct options o;
	struct mask mask;
	struct owner owner;
	struct status status;
	struct reap reap;
	struct ending ending;
	enum reap_left left;
	enum reason reason;
	int asked_by;      /* the signal that was sent to us, for SIGNAL */
	int64_t requested; /* when the first came, or CLOCK_NEVER */
	int64_t timeout;   /* deadline of --timeout */
	int64_t began;     /* when we started the command */
	bool started;
	bool keeper_killed;
	int terminal; /* whose foreground we gave away, or -1 */
	pid_t group;  /* which had it before */
	pid_t given;  /* the command's, which has it now */
	/* Pipes from the processes above: the backstop, another above that. */
	int above[ABOVE];
	int n_above;
	bool above_died;
	size_t leftovers;
	struct session session;
	struct handover *handover; /* for the backstop, or NULL */
};

/*
 * The state of the keeper as the backstop would take it over.  Two versions, so
 * that one is whole whenever the keeper is killed.  Before it, in the same
 * memory, is what the tree shares.
 */
struct handover {
	struct keeper version[2];
	_Atomic int valid; /* 1 or 2; 0: nothing was published yet */
};

static void
publish(const struct keeper *k)
{
	struct handover *h = k->handover;
	int next;

	if (h == NULL)
		return;
	next =
	    atomic_load_explicit(&h->valid, memory_order_relaxed) == 1 ? 2 : 1;
	h->version[next - 1] = *k;
	atomic_store_explicit(&h->valid, next, memory_order_release);
}

static _Noreturn void
refuse(struct keeper *k, const char *reason, int error)
{
	if (getpid() == 1)
		complain("as a container's init, start this file by the name"
			 " lease-init");
	status_refused(&k->status, reason, error);
	_exit(EXIT_REFUSED);
}

static void
read_options(struct keeper *k, int argc, char **argv)
{
	char problem[USAGE_PROBLEM];
	enum usage r;

	r = lease_options_parse(&k->o, argc, argv, problem);
	diag_level(k->o.level);
	if (r == USAGE_HELP) {
		print(STDOUT_FILENO, EXIT_REFUSED, lease_options_help);
		_exit(0);
	}
	if (r == USAGE_VERSION) {
		print(STDOUT_FILENO, EXIT_REFUSED, "lease " VERSION "\n");
		_exit(0);
	}
	k->status.fd = -1;
	if (k->o.status != NULL && status_open(&k->status, k->o.status) == -1)
		die(EXIT_REFUSED,
		    "cannot open '%s' for status lines: %s: give a descriptor"
		    " that is open for writing (1, 2 or more) or a path",
		    k->o.status, strerror(errno));
	if (r == USAGE_WRONG) {
		complain("%s", problem);
		refuse(k, "usage", 0);
	}
	if (k->o.fd != -1 && k->o.fd == k->status.fd) {
		complain(
		    "--fd and --status name the same descriptor %d", k->o.fd);
		refuse(k, "usage", 0);
	}
}

/* The word for programs, and for people what is wrong and what to do. */
static const struct refusal {
	const char *word, *text;
} refusals[] = {
    [OWNER_NULL] = {"null",
	"is /dev/null, which never ends, so it cannot be a lease:"
	" use docker exec -i (and not -d), or give the caller's pipe"},
    [OWNER_TERMINAL] = {"terminal",
	"is a terminal, whose end a container is never told, so it cannot"
	" be a lease: use -i without -t, or -n with --timeout, or --fd N"
	" with a pipe"},
    [OWNER_FILE] = {"file",
	"can never hang up, so it cannot be a lease: give a pipe that is"
	" open for reading alone, or a connected stream socket"},
    [OWNER_CLOSED] = {"closed",
	"is not open, so it cannot be a lease: give the command a pipe as"
	" stdin, or name its descriptor with --fd N"},
    [OWNER_HUNG_UP] = {"hung-up",
	"has no far end any more, so it cannot be a lease: the owner must"
	" keep its end open for as long as the command may run"},
};

static void
take_owners(struct keeper *k)
{
	size_t i;

	for (i = 0; i < k->o.n_owners; i++) {
		if (owner_add(&k->owner, k->o.owners[i]) == 0)
			continue;
		if (errno == EINVAL)
			complain("PID %d is a thread, so it cannot be an owner:"
				 " give its process; nothing was run",
			    k->o.owners[i]);
		else
			complain("there is no process %d, so it cannot be an"
				 " owner: give one that lease can see, in its"
				 " own PID namespace; nothing was run",
			    k->o.owners[i]);
		refuse(k, "hung-up", errno);
	}
}

static void
take_lease(struct keeper *k)
{
	enum owner_refusal r;
	int error;

	owner_init(&k->owner, k->o.ttl, clock_ms());
	take_owners(k);
	if (k->o.fd == -1)
		return;
	r = owner_open(&k->owner, k->o.fd);
	if (r == OWNER_FIT)
		return;
	error = errno;
	complain("%s%d%s %s; nothing was run",
	    k->o.fd == 0 ? "stdin (fd " : "fd ", k->o.fd,
	    k->o.fd == 0 ? ")" : "", refusals[r].text);
	refuse(k, refusals[r].word, error);
}

/* A process above us waits from now on, and we are its child. */
static pid_t
go_below(struct keeper *k, int terminal, int *fd)
{
	pid_t pid = backstop_fork(fd);

	if (pid == -1) {
		complain("cannot fork: %s; nothing was run", strerror(errno));
		refuse(k, "exec", errno);
	}
	if (pid > 0)
		return pid;
	/* Signals to the group above reach us through that process, once. */
	if (terminal == -1)
		setsid();
	else
		setpgid(0, 0);
	if (*fd == -1)
		warn("no descriptor is left by which the death of the process"
		     " above could be noticed");
	else
		k->above[k->n_above++] = *fd;
	return 0;
}

/*
 * If we had children before, a process without any does all else.  This one
 * must not adopt orphans, since they could be theirs.
 */
static void
become_clean(struct keeper *k, int terminal)
{
	pid_t pid;
	int fd;

	if (!reap_children())
		return;
	pid = go_below(k, terminal, &fd);
	if (pid == 0)
		return;
	spawn_let_go((const int[]){STDERR_FILENO, fd}, 2);
	_exit(reap_code(backstop_wait(&k->mask, pid, true)));
}

/* Each process for itself: it is not inherited by fork. */
static void
adopt_orphans(bool tell)
{
	if (getpid() != 1 && prctl(PR_SET_CHILD_SUBREAPER, 1) == -1 && tell)
		warn("cannot become a subreaper: %s: an orphan of the command"
		     " cannot be ended",
		    strerror(errno));
}

static _Noreturn void take_over(struct keeper *k, int status);

/*
 * Forks the keeper and waits above it.  Returns in the keeper only.  PID 1
 * needs none above it: nobody within can kill it, and all die with it.
 */
static void
stand_behind(struct keeper *k, int terminal)
{
	int fd, status;
	pid_t pid;
	void *p;

	p = mmap(NULL, TREE_SHARED + sizeof(struct handover),
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
	    -1, 0);
	if (p != MAP_FAILED) {
		k->handover = (void *)((char *)p + TREE_SHARED);
		tree_share(&k->ending.tree, p);
	}
	adopt_orphans(false);
	pid = go_below(k, terminal, &fd);
	if (pid == 0) {
		/* Our PID and session are others now. */
		ending_inherit(&k->ending, false);
		return;
	}
	spawn_let_go(
	    (const int[]){STDERR_FILENO, k->status.fd, k->terminal, fd}, 4);
	status = backstop_wait(&k->mask, pid, false);
	if (!WIFSIGNALED(status))
		_exit(WEXITSTATUS(status));
	take_over(k, status);
}

/* What is told once the command runs, or would have. */
static _Noreturn void finish(struct keeper *k, bool gave_up);

static void
end(struct keeper *k, enum reason reason, int64_t now)
{
	if (k->reason != NONE)
		return;
	k->reason = reason;
	if (!k->started)
		finish(k, false);
	if (k->reap.main > 0)
		ending_lead(&k->ending, k->reap.main, k->o.leader_grace);
	ending_begin(
	    &k->ending, reason == SIGNAL ? k->asked_by : k->o.signal, now);
	status_ending(&k->status, reasons[reason]);
	say("ending session %s: %s", k->session.id, reasons[reason]);
}

/*
 * TERM, INT, HUP and QUIT: the first asks, a second one forces.  Who asks us
 * and not the process above has found us among others, as an outer lease does
 * after that one: this repeats the request and is none of its own.
 */
static void
request(struct keeper *k, const siginfo_t *si, int64_t now)
{
	const bool aside = k->n_above > 0 && si->si_pid != getppid();

	if (k->requested == CLOCK_NEVER) {
		k->requested = now;
		k->asked_by = si->si_signo;
		end(k, SIGNAL, now);
	} else if (now - k->requested >= SAME_REQUEST_MS && !aside) {
		ending_force(&k->ending, now);
	}
}

static bool
is_request(int sig)
{
	return sig == SIGTERM || sig == SIGINT || sig == SIGHUP ||
	       sig == SIGQUIT;
}

static void
take_signal(struct keeper *k, const siginfo_t *si, int64_t now)
{
	int sig = si->si_signo;

	if (mask_own(si))
		return;
	if (sig == SIGCHLD && si->si_code > 0)
		return; /* collect looks anyway */
	if (sig == SIGCONT)
		owner_excuse(&k->owner, now);
	if (is_request(sig) && !mask_ignores(sig))
		request(k, si, now);
	else if (k->reap.main > 0)
		kill(-k->reap.main, sig); /* uncollected, so it is its group */
}

static void
explain_loss(const struct keeper *k, int64_t now)
{
	const char *what = k->o.fd == 0 ? "stdin" : "the descriptor";
	long long ms = (long long)(now - k->began);

	if (k->owner.bytes > 0 && !k->o.first_byte)
		warn("the lease ended after %llu bytes had come: %s is the"
		     " lease, and its bytes are dropped; to give the command"
		     " input, hold another pipe with --fd N",
		    (unsigned long long)k->owner.bytes, what);
	else if (ms < TOO_SOON_MS)
		warn("the lease ended %lld ms after the start: %s is the lease;"
		     " keep its far end open while the command may run, or use"
		     " -n with --timeout",
		    ms, what);
	else
		say("the lease ended: %s was closed at its far end", what);
}

static void
take_news(struct keeper *k, enum owner_news news, int64_t now)
{
	if (k->reason != NONE)
		return;
	switch (news) {
	case OWNER_LOST:
		end(k, LEASE_EOF, now);
		explain_loss(k, now);
		break;
	case OWNER_EXPIRED:
		end(k, TTL, now);
		say("no byte came for %lld ms", (long long)k->o.ttl);
		break;
	case OWNER_EXITED:
		end(k, OWNER, now);
		say("owner PID %d has exited", k->owner.gone);
		break;
	case OWNER_QUIET:
	case OWNER_ALIVE:
		break;
	}
}

static int64_t
next_deadline(const struct keeper *k)
{
	int64_t t = ending_deadline(&k->ending);

	if (k->reason == NONE && k->timeout < t)
		t = k->timeout;
	if (k->reason == NONE && owner_deadline(&k->owner) < t)
		t = owner_deadline(&k->owner);
	return t;
}

/*
 * Waits for one event.  Signals come before the lease, and the dead before
 * both: a command that has exited keeps its own status, though its owner
 * vanishes in the same moment.
 */
static enum owner_news
wait_event(struct keeper *k, int64_t *now)
{
	struct pollfd fds[OWNER_FDS + ABOVE + 2];
	nfds_t n = 0, above;
	bool held = k->owner.fd != -1 || k->owner.n > 0;
	siginfo_t si;
	int timeout = clock_timeout(next_deadline(k), *now);
	bool signalled;
	int i;

	if (k->left == REAP_BUSY)
		timeout = 0;
	if (held)
		n = owner_poll(&k->owner, fds);
	above = n;
	for (i = 0; i < k->n_above; i++)
		fds[n++] = (struct pollfd){.fd = k->above[i]};
	if (k->ending.watch != -1) {
		/* Only to wake us: ending_step looks at it. */
		fds[n++] =
		    (struct pollfd){.fd = k->ending.watch, .events = POLLIN};
	}
	signalled = mask_wait(&k->mask, fds, n, timeout, &si);
	*now = clock_ms();
	if (signalled)
		take_signal(k, &si, *now);
	for (i = 0; i < k->n_above; i++)
		k->above_died |= fds[above + (nfds_t)i].revents != 0;
	if (k->above_died)
		k->n_above = 0; /* once told, it would wake us for ever */
	return held ? owner_look(&k->owner, fds, *now) : OWNER_QUIET;
}

/* --start first-byte: nothing runs before the owner has spoken. */
static void
await_byte(struct keeper *k)
{
	enum owner_news news = OWNER_QUIET;
	int64_t now = clock_ms();

	while (news == OWNER_QUIET) {
		if (now >= k->timeout)
			end(k, TIMEOUT, now);
		if (k->above_died)
			end(k, BACKSTOP_DIED, now);
		news = wait_event(k, &now);
	}
	if (news == OWNER_EXITED || news == OWNER_EXPIRED)
		take_news(k, news, now);
	if (news == OWNER_LOST) {
		complain("the lease ended before the command was started;"
			 " nothing was run");
		refuse(k, "hung-up", 0);
	}
}

static int
cannot_execute(void *arg, const char *file, int error)
{
	(void)arg;
	spawn_complain(file, error);
	return spawn_code(error);
}

static void
start_command(struct keeper *k, int terminal)
{
	const struct spawn s = {
	    .argv = k->o.command,
	    .mask = &k->mask,
	    .place = terminal == -1 ? SPAWN_SESSION : SPAWN_GROUP,
	    .terminal = k->terminal,
	    .no_stdin = k->o.fd == STDIN_FILENO,
	    .failed = cannot_execute,
	};
	bool started;
	int error, i;

	for (i = 0; i < k->n_above; i++)
		if (backstop_gone(k->above[i]))
			end(k, BACKSTOP_DIED, clock_ms());
	k->began = clock_ms();
	k->reap.main = spawn(&s, &started);
	if (k->reap.main != -1) {
		k->started = true;
		k->given = k->reap.main;
		publish(k);
		return;
	}
	error = errno;
	if (!started) {
		complain("cannot fork: %s; nothing was run", strerror(error));
		refuse(k, "exec", error);
	}
	spawn_reclaim(k->terminal, k->group, 0);
	status_refused(&k->status, "exec", error);
	_exit(spawn_code(error));
}

static int
exit_code(const struct keeper *k)
{
	if (k->started && k->reap.main == 0 &&
	    (k->o.preserve || (k->reason == EXITED && !k->keeper_killed)))
		return reap_code(k->reap.status);
	if (k->keeper_killed)
		return EXIT_KILLED;
	switch (k->reason) {
	case LEASE_EOF:
	case TTL:
	case OWNER:
		return EXIT_LOST;
	case KEEPER_DIED:
	case BACKSTOP_DIED:
		return EXIT_KILLED;
	case TIMEOUT:
		return EXIT_TIMED_OUT;
	case SIGNAL:
		return 128 + k->asked_by;
	case NONE:
	case EXITED:
		break;
	}
	return EXIT_REFUSED;
}

static void
survivor(void *arg, pid_t pid, const char *why)
{
	warn("cannot end PID %d: %s", pid, why);
	status_survivor(arg, pid, why);
}

static _Noreturn void
finish(struct keeper *k, bool gave_up)
{
	struct status_survivors survivors = {.used = 0};
	int64_t elapsed = k->started ? clock_ms() - k->began : 0;
	size_t n = 0;

	spawn_reclaim(k->terminal, k->group, k->given);
	if (gave_up)
		n = tree_survivors(&k->ending.tree, survivor, &survivors);
	if (n > TREE_NAMED)
		warn("and %zu more", n - TREE_NAMED);
	status_ended(&k->status,
	    &(struct status_end){
		.reason = reasons[k->reason],
		.collected = k->started && k->reap.main == 0,
		.wait_status = k->reap.status,
		.forced = k->ending.forced,
		.leftovers = k->leftovers,
		.elapsed_ms = elapsed,
	    },
	    &survivors);
	say("session %s ended: %s, after %lld ms%s", k->session.id,
	    reasons[k->reason], (long long)elapsed,
	    k->ending.forced ? ", forced" : "");
	_exit(exit_code(k));
}

/* The command has exited while the lease lives: what of its leftovers? */
static void
part(struct keeper *k, int64_t now)
{
	/* As PID 1 there may be others, who came by docker exec, to end. */
	bool alone = k->left == REAP_NONE &&
		     (!k->ending.tree.all || k->o.leftovers == LEFTOVERS_WAIT);

	if (!alone && k->leftovers == 0 && k->o.leftovers != LEFTOVERS_KEEP)
		k->leftovers = tree_count(&k->ending.tree);
	if (alone || (k->left == REAP_NONE && k->leftovers == 0) ||
	    k->o.leftovers == LEFTOVERS_KEEP) {
		k->reason = EXITED;
		finish(k, false);
	}
	/* None may be those that reap, busy, has yet to collect. */
	if (k->o.leftovers == LEFTOVERS_END &&
	    (k->leftovers > 0 || k->left == REAP_SOME))
		end(k, EXITED, now);
}

static _Noreturn void
keep(struct keeper *k)
{
	enum owner_news news;
	int64_t now = clock_ms();
	bool gave_up;

	for (;;) {
		news = wait_event(k, &now);
		k->left = reap(&k->reap);
		if (k->reason == NONE && k->reap.main == 0)
			part(k, now);
		take_news(k, news, now);
		if (k->above_died && k->reason == NONE)
			end(k, BACKSTOP_DIED, now);
		if (k->reason == NONE && now >= k->timeout)
			end(k, TIMEOUT, now);
		if (k->reason != NONE &&
		    ending_step(&k->ending, &k->reap, k->left, now, &gave_up))
			finish(k, gave_up);
		publish(k);
	}
}

/*
 * The keeper was killed, and what it has started is ours.  Goes on with what it
 * published last; who is asked already is known more exactly than that.
 */
static _Noreturn void
take_over(struct keeper *k, int status)
{
	const struct mask mask = k->mask;
	struct handover *h = k->handover;
	int64_t now = clock_ms();
	int valid = 0;

	if (h != NULL)
		valid = atomic_load_explicit(&h->valid, memory_order_acquire);
	if (valid != 0)
		*k = h->version[valid - 1];
	k->handover = NULL;
	k->mask = mask;
	k->owner.fd = -1; /* its descriptors are the keeper's alone */
	k->owner.n = 0;
	k->n_above = 0;
	k->keeper_killed = true;
	/* The command's status may have been lost with the keeper. */
	if (!k->started || (k->reap.main > 0 && !reap_owns(k->reap.main)))
		k->reap.main = -1;
	k->started |= reap_children();
	k->left = REAP_BUSY; /* whose death was told with the keeper's? */
	k->reap.count = 0;
	ending_inherit(&k->ending, getpid() == 1);
	warn("the keeper of session %s was killed by %s: ending what it left",
	    k->session.id, signame_of(WTERMSIG(status)).text);
	end(k, KEEPER_DIED, now);
	keep(k);
}

/* Only what the keeper itself needs stays open. */
static void
let_go(const struct keeper *k)
{
	int keep[4 + ABOVE + OWNER_FDS] = {
	    STDERR_FILENO, k->status.fd, k->terminal, k->mask.fd};
	struct pollfd fds[OWNER_FDS];
	int n = 4, i;

	for (i = 0; i < k->n_above; i++)
		keep[n++] = k->above[i];
	for (i = (int)owner_poll(&k->owner, fds); i-- > 0;)
		keep[n++] = fds[i].fd;
	spawn_let_go(keep, n);
}

int
lease_main(int argc, char **argv)
{
	static struct keeper k;
	bool foreground = false;
	int terminal = -1;

	diag_init("lease: ");
	mask_block(&k.mask);
	read_options(&k, argc, argv);
	take_lease(&k);
	/* Where stdin is the lease, the terminal on 1 or 2 is another's. */
	if (k.o.fd != STDIN_FILENO)
		terminal = spawn_terminal(&foreground);
	k.terminal = foreground ? terminal : -1;
	k.group = getpgrp();
	become_clean(&k, terminal);
	k.requested = k.timeout = CLOCK_NEVER;
	if (k.o.timeout > 0)
		k.timeout = clock_ms() + k.o.timeout;
	session_init(&k.session);
	ending_init(&k.ending, getpid() == 1, false, k.o.grace);
	if (k.o.backstop && getpid() != 1)
		stand_behind(&k, terminal);
	adopt_orphans(true);
	if (k.o.first_byte)
		await_byte(&k);
	start_command(&k, terminal);
	let_go(&k);
	status_started(&k.status, k.session.id, k.reap.main);
	say("session %s: command is PID %d", k.session.id, k.reap.main);
	keep(&k);
}
