/*
 * Each kind of descriptor has a call of its own that does not wait: a socket
 * MSG_DONTWAIT, a pipe splice(2) with SPLICE_F_NONBLOCK (a poll before a plain
 * write is not enough: a flooding command fills the pipe in between), a
 * terminal a second, non-blocking open.  Files and other devices do not wait
 * for a peer.
 */
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "format.h"
#include "nowait.h"

#ifndef RWF_NOWAIT
#define RWF_NOWAIT 0x00000008 /* preadv2(2), Linux 4.14; pipes: 6.4 */
#endif

static short
poll_now(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };

	return poll(&p, 1, 0) == 1 ? p.revents : 0;
}

/*
 * The kernel or a seccomp filter refuses RWF_NOWAIT.  FIONREAD says how much a
 * read gets at once; with nothing to get, a hang-up is the end.
 */
static ssize_t
read_counted(int fd, void *buf, size_t size)
{
	int there = 0;

	if (ioctl(fd, FIONREAD, &there) == -1)
		return -1;
	if (there > 0)
		return read(fd, buf, (size_t)there < size ? (size_t)there : size);
	if (poll_now(fd, 0) & POLLHUP)
		return 0;
	errno = EAGAIN;
	return -1;
}

ssize_t
nowait_read(int fd, void *buf, size_t size)
{
	struct iovec iov = { .iov_base = buf, .iov_len = size };
	ssize_t n;

	n = recv(fd, buf, size, MSG_DONTWAIT);
	if (n != -1 || errno != ENOTSOCK)
		return n;
	/* Offset -1 means the current position, here and for a pipe. */
	n = syscall(SYS_preadv2, fd, &iov, 1L, -1L, -1L, (long)RWF_NOWAIT);
	if (n != -1 || errno == EAGAIN || errno == EINTR)
		return n;
	return read_counted(fd, buf, size);
}

static int
done(ssize_t n, size_t size)
{
	if (n == (ssize_t)size)
		return 0;
	if (n != -1)
		errno = EAGAIN;
	return -1;
}

/*
 * Where nothing better is to be had: what poll said is true, or was a moment
 * ago.
 */
static int
write_polled(int fd, const void *buf, size_t size)
{
	if (poll_now(fd, POLLOUT) & POLLOUT)
		return done(write(fd, buf, size), size);
	errno = EAGAIN;
	return -1;
}

/* Through a pipe of our own, since splice moves from pipe to pipe. */
static int
write_pipe(int fd, const void *buf, size_t size)
{
	ssize_t n = -1;
	int own[2], error;

	if (pipe2(own, O_CLOEXEC) == -1)
		return write_polled(fd, buf, size);
	if (write(own[1], buf, size) == (ssize_t)size)
		n = splice(own[0], NULL, fd, NULL, size, SPLICE_F_NONBLOCK);
	error = errno;
	close(own[0]);
	close(own[1]);
	errno = error;
	if (n == -1 && error != EAGAIN && error != EPIPE)
		return write_polled(fd, buf, size);
	return done(n, size);
}

/* A terminal that somebody has stopped with ^S takes nothing. */
static int
write_terminal(int fd, const void *buf, size_t size)
{
	char path[32];
	ssize_t n;
	int again, error;

	format(path, sizeof(path), "/proc/self/fd/%d", fd);
	again = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (again == -1)
		return write_polled(fd, buf, size);
	n = write(again, buf, size);
	error = errno;
	close(again);
	errno = error;
	return done(n, size);
}

int
nowait_write(int fd, const void *buf, size_t size)
{
	struct stat st;

	if (fstat(fd, &st) == -1)
		return -1;
	if (S_ISSOCK(st.st_mode))
		return done(
		    send(fd, buf, size, MSG_DONTWAIT | MSG_NOSIGNAL), size);
	if (S_ISFIFO(st.st_mode))
		return write_pipe(fd, buf, size);
	if (S_ISCHR(st.st_mode) && isatty(fd))
		return write_terminal(fd, buf, size);
	return done(write(fd, buf, size), size);
}
