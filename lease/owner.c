/*
 * Only positive evidence ends a session.  An error that says nothing of the
 * far end leaves the lease as it was.
 */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "clock.h"
#include "nowait.h"
#include "owner.h"
#include "pidfd.h"
#include "proc.h"

/* Reads a call: an owner that floods us must not keep us from all else. */
#define BATCH 16

/* Between two looks at a process for which there is no pidfd. */
#define LOOK_MS 1000

/* We may be late ourselves by this, or a tenth of the ttl, and still judge. */
#define LATE_MS 250

#define EVENTS (POLLIN | POLLRDHUP)

static int
socket_type(int fd)
{
	socklen_t size = sizeof(int);
	int type;

	return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == -1 ? -1
								       : type;
}

static bool
is_connected(int fd, int type)
{
	struct sockaddr_storage peer;
	socklen_t size = sizeof(peer);

	return (type == SOCK_STREAM || type == SOCK_SEQPACKET) &&
	       getpeername(fd, (struct sockaddr *)&peer, &size) == 0;
}

static enum owner_refusal
judge(int fd, bool *packets)
{
	struct pollfd p = {.fd = fd, .events = EVENTS};
	struct stat st;
	int flags, type;

	*packets = false;
	errno = 0;
	flags = fcntl(fd, F_GETFL);
	if (flags == -1 || fstat(fd, &st) == -1)
		return OWNER_CLOSED;
	if (S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3))
		return OWNER_NULL;
	if (S_ISCHR(st.st_mode) && isatty(fd))
		return OWNER_TERMINAL;
	errno = 0; /* isatty's ENOTTY is no news */
	if (S_ISSOCK(st.st_mode)) {
		type = socket_type(fd);
		*packets = type == SOCK_SEQPACKET;
		if (!is_connected(fd, type))
			return errno == ENOTCONN ? OWNER_HUNG_UP : OWNER_FILE;
	} else if (!S_ISFIFO(st.st_mode) || (flags & O_PATH) ||
		   (flags & O_ACCMODE) != O_RDONLY) {
		return OWNER_FILE;
	}
	if (poll(&p, 1, 0) == 1 &&
	    (p.revents & (POLLHUP | POLLRDHUP | POLLERR)))
		return OWNER_HUNG_UP;
	return OWNER_FIT;
}

void
owner_init(struct owner *o, int64_t ttl, int64_t now)
{
	*o = (struct owner){
	    .fd = -1,
	    .ttl = ttl,
	    .term = ttl == 0 ? CLOCK_NEVER : now + ttl,
	    .look = CLOCK_NEVER,
	};
}

enum owner_refusal
owner_open(struct owner *o, int fd)
{
	enum owner_refusal r;

	r = judge(fd, &o->packets);
	if (r == OWNER_FIT) {
		fcntl(fd, F_SETFD, FD_CLOEXEC);
		o->fd = fd;
	}
	return r;
}

static enum owner_news
lost(struct owner *o)
{
	o->fd = -1;
	return OWNER_LOST;
}

static enum owner_news
read_lease(struct owner *o, short revents)
{
	enum owner_news news = OWNER_QUIET;
	char buf[4096];
	ssize_t n = 0;
	int i;

	if (o->fd == -1 || revents == 0)
		return OWNER_QUIET;
	for (i = 0; i < BATCH; i++) {
		n = nowait_read(o->fd, buf, sizeof(buf));
		/*
		 * An empty packet, which has no byte, reads like the end; but
		 * that hangs up too.
		 */
		if (n == 0 && o->packets && !(revents & (POLLHUP | POLLRDHUP)))
			break;
		if (n == 0)
			return lost(o);
		if (n == -1)
			break;
		o->bytes += (uint64_t)n;
		news = OWNER_ALIVE;
	}
	/* ECONNRESET: a unix peer that closed before it read all of ours. */
	if (n == -1 && errno == ECONNRESET)
		return lost(o);
	if (n == -1 && errno != EAGAIN && errno != EINTR && (revents & POLLHUP))
		return lost(o);
	return news;
}

/* 0 if that cannot be known: another process there would not be noticed. */
static uint64_t
start_of(pid_t pid, bool *dead)
{
	struct proc_stat st;
	uint64_t start = 0;
	int proc = proc_open();

	*dead = false;
	if (proc == -1)
		return 0;
	if (proc_stat(proc, pid, &st) == 0) {
		start = st.start;
		*dead = proc_dead(&st);
	}
	close(proc);
	return start;
}

/* Another user's is alive; so is whatever we cannot tell. */
static bool
has_exited(const struct owner_process *w)
{
	uint64_t start;
	bool dead;

	if (kill(w->pid, 0) == -1 && errno == ESRCH)
		return true;
	start = start_of(w->pid, &dead);
	return dead || (start != 0 && w->start != 0 && start != w->start);
}

int
owner_add(struct owner *o, pid_t pid)
{
	struct owner_process *w = &o->who[o->n];
	bool dead = false;

	if (o->n == OWNER_MOST) {
		errno = E2BIG;
		return -1;
	}
	*w = (struct owner_process){.pid = pid, .pidfd = pidfd_open(pid)};
	if (w->pidfd == -1 && errno == ENOENT)
		errno = EINVAL; /* a thread, since about Linux 6.16 */
	if (w->pidfd == -1 && (errno == ESRCH || errno == EINVAL))
		return -1;
	if (w->pidfd == -1) {
		w->start = start_of(pid, &dead);
		dead |= kill(pid, 0) == -1 && errno == ESRCH;
		o->look = clock_ms() + LOOK_MS;
	} else {
		dead = pidfd_exited(w->pidfd);
	}
	if (dead) {
		errno = ESRCH;
		return -1;
	}
	o->n++;
	return 0;
}

nfds_t
owner_poll(const struct owner *o, struct pollfd *fds)
{
	nfds_t n = 0, i;

	/*
	 * poll(2) would pass over a descriptor of -1, but counts it: more than
	 * RLIMIT_NOFILE are EINVAL.
	 */
	if (o->fd != -1)
		fds[n++] = (struct pollfd){.fd = o->fd, .events = EVENTS};
	for (i = 0; i < o->n; i++)
		if (o->who[i].pidfd != -1)
			fds[n++] = (struct pollfd){
			    .fd = o->who[i].pidfd, .events = POLLIN};
	return n;
}

int64_t
owner_deadline(const struct owner *o)
{
	return o->look < o->term ? o->look : o->term;
}

static bool
look_at_processes(struct owner *o, const struct pollfd *fds, int64_t now)
{
	const bool due = now >= o->look;
	nfds_t i;

	if (due)
		o->look = now + LOOK_MS;
	for (i = 0; i < o->n; i++) {
		const struct owner_process *w = &o->who[i];

		if (w->pidfd == -1 ? due && has_exited(w)
				   : (fds++)->revents != 0) {
			o->gone = w->pid;
			o->n = 0; /* or its pidfd would wake us for ever */
			o->look = CLOCK_NEVER;
			return true;
		}
	}
	return false;
}

void
owner_excuse(struct owner *o, int64_t now)
{
	if (o->ttl == 0 || o->excused)
		return;
	o->excused = true;
	o->term = now + o->ttl;
}

/* What has come while we were not looking renews, late as we may be. */
static enum owner_news
judge_term(struct owner *o, int64_t now)
{
	struct pollfd p = {.fd = o->fd, .events = EVENTS};
	int64_t late = now - o->term;
	enum owner_news news;

	if (poll(&p, 1, 0) == 1) {
		news = read_lease(o, p.revents);
		if (news != OWNER_QUIET)
			return news;
	}
	if (late > LATE_MS && late > o->ttl / 10 && !o->excused) {
		owner_excuse(o, now);
		return OWNER_QUIET;
	}
	return OWNER_EXPIRED;
}

enum owner_news
owner_look(struct owner *o, const struct pollfd *fds, int64_t now)
{
	enum owner_news news = OWNER_QUIET;

	if (o->fd != -1)
		news = read_lease(o, (fds++)->revents);
	if (news == OWNER_QUIET && now >= o->term)
		news = judge_term(o, now);
	if (news == OWNER_ALIVE && o->ttl != 0) {
		o->term = now + o->ttl;
		o->excused = false;
	}
	if (news == OWNER_LOST || news == OWNER_EXPIRED)
		o->term = CLOCK_NEVER;
	else if (look_at_processes(o, fds, now))
		news = OWNER_EXITED;
	return news;
}
