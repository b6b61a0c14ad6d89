/*
 * The one place that kills.  PIDs at or below 1 and our own are refused, and
 * kill(-1) is in kill_all alone, behind t->all.
 */
#include <sys/mman.h>

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "clock.h"
#include "pidfd.h"
#include "proc.h"
#include "reap.h"
#include "tree.h"

/*
 * A fork that had begun when its process was stopped may still come to light in
 * the next pass, not in many more.  Only who may not be stopped (another user)
 * can fork on, and that is no reason to pass for ever.
 */
#define PASSES 16

/* Of t->v: as many as there can be.  Untouched pages cost nothing. */
#define ROOM ((size_t)PID_LIMIT)

/* Longer chains of parents than this are a loop made by reused PIDs. */
#define DEPTH 32768

void
tree_init(struct tree *t, bool all, bool strays)
{
	*t = (struct tree){
	    .all = all,
	    .strays = strays,
	    .proc = -1,
	    .self = getpid(),
	    .session = getsid(0),
	    .v = t->few,
	    .room = TREE_FEW,
	};
}

void
tree_share(struct tree *t, void *memory)
{
	t->asked_groups.bits = memory;
	t->asked_pids.bits = (uint64_t *)memory + PIDSET_BYTES / 8;
}

void
tree_inherit(struct tree *t, bool all)
{
	const struct tree old = *t;

	tree_init(t, all, false);
	t->asked_groups = old.asked_groups;
	t->asked_pids = old.asked_pids;
	t->asked_at = old.asked_at;
	t->asked_last = old.asked_last;
}

void
tree_open(struct tree *t)
{
	void *p;

	if (t->proc == -1)
		t->proc = proc_open();
	if (t->v != t->few)
		return;
	p = mmap(NULL, ROOM * sizeof(pid_t), PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p != MAP_FAILED) {
		t->v = p;
		t->room = ROOM;
	}
}

void
tree_close(struct tree *t)
{
	if (t->v != t->few)
		munmap(t->v, ROOM * sizeof(pid_t));
	t->v = t->few;
	t->room = TREE_FEW;
	if (t->proc != -1)
		close(t->proc);
	t->proc = -1;
	pidset_clear(&t->sessions);
	pidset_clear(&t->known);
	pidset_clear(&t->seen);
	pidset_clear(&t->stopped_groups);
	pidset_clear(&t->asked_groups);
	pidset_clear(&t->asked_pids);
}

static int
kill_all(const struct tree *t, int sig)
{
	if (!t->all || t->self != 1) {
		errno = EPERM;
		return -1;
	}
	return kill(-1, sig);
}

static bool
add(void *arg, pid_t pid)
{
	struct tree *t = arg;

	if (t->n == t->room)
		return false;
	if (pid > 1 && pid != t->self)
		t->v[t->n++] = pid;
	return true;
}

/* For kernels that list no children: of all, those whose parent we know. */
static bool
add_known(void *arg, pid_t pid)
{
	struct tree *t = arg;
	struct proc_stat st;

	if (pidset_has(&t->known, pid) || proc_stat(t->proc, pid, &st) == -1)
		return true;
	if (!pidset_has(&t->known, st.ppid))
		return true;
	pidset_add(&t->known, pid);
	return add(t, pid);
}

static bool
add_near(void *arg, pid_t pid)
{
	struct tree *t = arg;
	struct proc_stat st;

	if (proc_stat(t->proc, pid, &st) == -1) {
		t->unreadable |= errno != ENOENT;
		return true;
	}
	return st.ppid != t->self || add(t, pid);
}

/* Like proc_children of ourselves, by a scan of all. */
static int
scan_near(struct tree *t)
{
	t->n = 0;
	t->unreadable = false;
	if (proc_all(t->proc, add_near, t) == -1 || t->unreadable)
		return -1;
	return 0;
}

/* Without /proc: try every number there can be.  Takes up to a second. */
static void
list_blindly(struct tree *t)
{
	pid_t pid;

	t->n = 0;
	for (pid = 2; pid < PID_LIMIT; pid++)
		if (reap_owns(pid) && !add(t, pid))
			break;
}

/* Our own children, and the sessions that they pin. */
static void
list_near(struct tree *t)
{
	pid_t session;
	size_t i;

	t->n = 0;
	if (t->proc == -1 || (proc_children(t->proc, t->self, add, t) == -1 &&
				 scan_near(t) == -1))
		list_blindly(t);
	t->near = t->n;
	pidset_clear(&t->sessions);
	for (i = 0; i < t->near && !t->strays; i++) {
		session = getsid(t->v[i]);
		if (session > 0 && session != t->session)
			pidset_add(&t->sessions, session);
	}
}

/* The rest by a scan for each generation. */
static void
list_generations(struct tree *t)
{
	size_t i, before;

	pidset_clear(&t->known);
	for (i = 0; i < t->n; i++)
		pidset_add(&t->known, t->v[i]);
	do {
		before = t->n;
		proc_all(t->proc, add_known, t);
	} while (t->n > before);
	pidset_clear(&t->known);
}

/* Everybody, or those that are found before the time until. */
static void
list_until(struct tree *t, int64_t until)
{
	size_t i;

	tree_open(t);
	if (t->all) {
		/* To PID 1, that ends all, each of them is fair game. */
		t->n = 0;
		proc_all(t->proc, add, t);
		t->near = t->n;
		return;
	}
	list_near(t);
	if (t->proc == -1)
		return;
	for (i = 0; i < t->n && clock_ms() < until; i++) {
		if (proc_children(t->proc, t->v[i], add, t) == -1 &&
		    errno == ENOSYS) {
			t->n = t->near;
			list_generations(t);
			return;
		}
	}
}

static void
list(struct tree *t)
{
	list_until(t, CLOCK_NEVER);
}

/*
 * Whether pid, which the caller holds by a pidfd, is a descendant now: a member
 * of a session that a child of ours pins, or of our flesh and blood.
 */
static bool
is_ours(const struct tree *t, pid_t pid)
{
	struct proc_stat st;
	int depth;

	for (depth = 0; pid > 1 && depth < DEPTH; depth++) {
		if (pidset_has(&t->sessions, getsid(pid)))
			return true;
		if (t->proc == -1 || proc_stat(t->proc, pid, &st) == -1)
			return false;
		if (st.ppid == t->self)
			return true;
		pid = st.ppid;
	}
	return false;
}

/*
 * Sends sig to pid, or to its whole group, if it is ours.  Where pidfds are
 * missing or refused, its parentage was read the moment before.
 */
static int
signal_far(const struct tree *t, pid_t pid, int sig, bool group)
{
	int fd, r = -1;

	fd = pidfd_open(pid);
	if (fd == -1 && errno == ESRCH)
		return -1;
	if (!is_ours(t, pid)) {
		errno = ESRCH;
	} else {
		if (fd != -1)
			r = pidfd_signal(fd, sig, group);
		if (r == -1 && (fd == -1 || errno != ESRCH))
			r = kill(group ? -pid : pid, sig);
	}
	if (fd != -1)
		close(fd);
	return r;
}

static int
signal_one(const struct tree *t, size_t i, int sig)
{
	if (i < t->near)
		return kill(t->v[i], sig);
	return signal_far(t, t->v[i], sig, false);
}

/*
 * Sends sig to the whole group of v[i], if that holds descendants only.
 * Returns false if it does not, or cannot be reached.
 */
static bool
signal_group(const struct tree *t, size_t i, int sig)
{
	pid_t pid = t->v[i], group = getpgid(pid), session = getsid(pid);

	if (group <= 1 || session <= 0)
		return false;
	if (i < t->near) {
		/* In our session, only the group that our child leads. */
		if ((session == t->session || t->strays) && group != pid)
			return false;
		return kill(-group, sig) == 0;
	}
	return session != t->session && !t->strays &&
	       signal_far(t, group, sig, true) == 0;
}

/* SIGCONT follows: a stopped process takes the other only once it runs. */
static void
ask_one(struct tree *t, size_t i, int sig)
{
	pid_t group = getpgid(t->v[i]);
	/* Without /proc a group is all that we reach beyond our children. */
	bool led = t->proc != -1 && pidset_has(&t->asked_pids, group);

	if (pidset_has(&t->asked_groups, group) ||
	    (pidset_has(&t->asked_pids, t->v[i]) && (led || group != t->v[i])))
		return;
	/* It is noted first thing, for who takes over if we are killed here. */
	if (!led && signal_group(t, i, sig)) {
		pidset_add(&t->asked_groups, group);
		signal_group(t, i, SIGCONT);
	} else {
		signal_one(t, i, sig);
		pidset_add(&t->asked_pids, t->v[i]);
		signal_one(t, i, SIGCONT);
	}
}

void
tree_ask_leader(struct tree *t, pid_t pid, int sig)
{
	if (pid <= 1 || pidset_has(&t->asked_pids, pid))
		return;
	kill(pid, sig);
	pidset_add(&t->asked_pids, pid);
	kill(pid, SIGCONT);
}

void
tree_ask(struct tree *t, int sig)
{
	bool led;
	size_t i;

	tree_open(t);
	/* To pass over a leader who was asked needs a list of the others. */
	led = t->all && t->proc != -1 && t->asked_pids.bits != NULL;
	t->asked_last = t->proc == -1 ? 0 : proc_last(t->proc);
	t->asked_at = proc_ticks();
	if (t->all && !led) {
		kill_all(t, sig);
		kill_all(t, SIGCONT);
		return;
	}
	if (led)
		list(t);
	else
		list_near(t);
	for (i = 0; i < t->n; i++)
		ask_one(t, i, sig);
}

/*
 * Whether pid, begun at start, was born after the asking.  Within the same
 * 1/100 s the order of PIDs decides; where they wrap in just that moment, it is
 * wrong for once.
 */
static bool
born_since(const struct tree *t, pid_t pid, uint64_t start)
{
	if (start != t->asked_at)
		return start > t->asked_at;
	return pid > t->asked_last;
}

/*
 * In our own session, the child to which we gave the terminal is in the place
 * of the leader.
 */
static bool
has_terminal(const struct tree *t, size_t i, pid_t session)
{
	pid_t pid = t->v[i];

	return session == pid ||
	       (i < t->near && session == t->session && getpgid(pid) == pid);
}

void
tree_ask_rest(struct tree *t, int sig, int64_t until)
{
	struct proc_stat st;
	size_t i;

	/* Not open yet where we took over from who had just asked. */
	tree_open(t);
	if (t->proc == -1)
		return;
	list_until(t, until);
	for (i = 0; i < t->n; i++) {
		if (proc_stat(t->proc, t->v[i], &st) == -1 ||
		    born_since(t, t->v[i], st.start))
			continue;
		if (!t->all)
			ask_one(t, i, sig);
		if (st.tty != 0 && has_terminal(t, i, st.session))
			signal_one(t, i, SIGHUP);
	}
}

void
tree_signal(struct tree *t, int sig)
{
	size_t i;

	if (t->all) {
		kill_all(t, sig);
		return;
	}
	list(t);
	for (i = 0; i < t->n; i++)
		signal_one(t, i, sig);
}

size_t
tree_count(struct tree *t)
{
	struct proc_stat st;
	size_t i, n = 0;

	list(t);
	for (i = 0; i < t->n; i++)
		if (t->proc == -1 || proc_stat(t->proc, t->v[i], &st) == -1 ||
		    !proc_dead(&st))
			n++;
	return n;
}

/*
 * Without /proc only our children can be found.  Killing them brings up theirs
 * for the next round; their groups, where safe, come along at once.
 */
static size_t
kill_near(struct tree *t)
{
	size_t i, sent = 0;

	list_near(t);
	for (i = 0; i < t->n; i++)
		if (signal_group(t, i, SIGKILL) ||
		    signal_one(t, i, SIGKILL) == 0)
			sent++;
	return sent;
}

static void
stop_group(struct tree *t, size_t i)
{
	if (pidset_add(&t->stopped_groups, getpgid(t->v[i])))
		signal_group(t, i, SIGSTOP);
}

size_t
tree_kill(struct tree *t)
{
	size_t i, fresh, sent = 0;
	int pass = 0;

	tree_open(t);
	if (t->all)
		return kill_all(t, SIGKILL) == 0;
	if (t->proc == -1)
		return kill_near(t);
	pidset_clear(&t->seen);
	pidset_clear(&t->stopped_groups);
	/*
	 * First the groups of our children, each in one step that no fork
	 * escapes.  A bomb leaves us little of the processor before that.
	 */
	list_near(t);
	for (i = 0; i < t->n; i++)
		stop_group(t, i);
	do {
		list(t);
		fresh = 0;
		for (i = 0; i < t->n; i++) {
			if (!pidset_add(&t->seen, t->v[i]))
				continue;
			stop_group(t, i);
			signal_one(t, i, SIGSTOP);
			fresh++;
		}
	} while (fresh > 0 && ++pass < PASSES);
	for (i = t->n; i-- > 0;)
		if (signal_one(t, i, SIGKILL) == 0)
			sent++;
	return sent;
}

int
tree_watch(struct tree *t)
{
	struct proc_stat st;
	size_t i;
	int fd;

	/* Even a zombie that another has to collect is there for kill. */
	if (kill_all(t, 0) == -1 && errno == ESRCH)
		return -1;
	list(t);
	if (t->n == 0) {
		errno = ENOSYS;
		return -1;
	}
	for (i = 0; i < t->n; i++) {
		if (proc_stat(t->proc, t->v[i], &st) == -1 || proc_dead(&st))
			continue;
		fd = pidfd_open(t->v[i]);
		if (fd != -1 || errno != ESRCH)
			return fd;
	}
	errno = ESRCH;
	return -1;
}

static const char *
why(const struct tree *t, pid_t pid)
{
	struct proc_stat st;

	if (kill(pid, 0) == -1 && errno == EPERM)
		return "another user's, not ours to signal";
	if (t->proc == -1 || proc_stat(t->proc, pid, &st) == -1)
		return "unknown";
	if (st.state == 'D')
		return "in an uninterruptible system call";
	if (proc_dead(&st))
		return "dead, but not collected by its parent";
	return "still dying";
}

size_t
tree_survivors(struct tree *t,
    void (*each)(void *arg, pid_t pid, const char *why), void *arg)
{
	struct proc_stat st;
	size_t i, n = 0;

	list(t);
	for (i = 0; i < t->n; i++) {
		/* Our own dead are only waiting for us to collect them. */
		if (!t->all && i < t->near && t->proc != -1 &&
		    proc_stat(t->proc, t->v[i], &st) == 0 && proc_dead(&st))
			continue;
		if (n++ < TREE_NAMED)
			each(arg, t->v[i], why(t, t->v[i]));
	}
	return n;
}
