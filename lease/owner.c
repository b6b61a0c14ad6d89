/*
 * Only positive evidence ends a session.  An error that says nothing of the
 * far end leaves the lease as it was.
 */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "nowait.h"
#include "owner.h"

/* Reads a call: an owner that floods us must not keep us from all else. */
#define BATCH 16

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
	struct pollfd p = {.fd = fd, .events = owner_events()};
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

enum owner_refusal
owner_open(struct owner *o, int fd)
{
	enum owner_refusal r;

	o->fd = -1;
	o->bytes = 0;
	r = judge(fd, &o->packets);
	if (r == OWNER_FIT) {
		fcntl(fd, F_SETFD, FD_CLOEXEC);
		o->fd = fd;
	}
	return r;
}

short
owner_events(void)
{
	return POLLIN | POLLRDHUP;
}

static enum owner_news
lost(struct owner *o)
{
	o->fd = -1;
	return OWNER_LOST;
}

enum owner_news
owner_read(struct owner *o, short revents)
{
	enum owner_news news = OWNER_QUIET;
	char buf[4096];
	ssize_t n = 0;
	int i;

	if (o->fd == -1 || revents == 0)
		return OWNER_QUIET;
	for (i = 0; i < BATCH; i++) {
		n = nowait_read(o->fd, buf, sizeof(buf));
		/* An empty packet reads like the end, which hangs up too. */
		if (n == 0 && o->packets && !(revents & (POLLHUP | POLLRDHUP)))
			return OWNER_ALIVE;
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
