/*
 * Each kind of descriptor has a call of its own that does not wait: a socket
 * MSG_DONTWAIT, a pipe splice(2) and vmsplice(2) with SPLICE_F_NONBLOCK (a poll
 * before a plain write is not enough: a flooding command fills the pipe in
 * between), a terminal a second, non-blocking open.  Files and other devices do
 * not wait for a peer.
 */
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "format.h"
#include "nowait.h"

static short
poll_now(int fd, short events)
{
	struct pollfd p = {.fd = fd, .events = events};

	if (poll(&p, 1, 0) != 1)
		return 0;
	return p.revents;
}

/*
 * No descriptor for a pipe, or splice refused.  FIONREAD says how much a read
 * gets at once; with nothing to get, a hang-up is the end.  (A competing reader
 * of the same pipe could be faster; splice has no such gap.)
 */
static ssize_t
read_counted(int fd, void *buf, size_t size)
{
	int there = 0;

	if (ioctl(fd, FIONREAD, &there) == -1)
		return -1;
	if (there > 0)
		return read(
		    fd, buf, (size_t)there < size ? (size_t)there : size);
	if (poll_now(fd, 0) & POLLHUP)
		return 0;
	errno = EAGAIN;
	return -1;
}

/* Through a pipe of our own, since splice moves from pipe to pipe. */
static ssize_t
read_pipe(int fd, void *buf, size_t size)
{
	int own[2], error;
	ssize_t n;

	if (pipe2(own, O_CLOEXEC) == -1)
		return read_counted(fd, buf, size);
	n = splice(fd, NULL, own[1], NULL, size, SPLICE_F_NONBLOCK);
	error = errno;
	if (n > 0)
		n = read(own[0], buf, (size_t)n);
	close(own[0]);
	close(own[1]);
	if (n == -1 && error != EAGAIN && error != EINTR)
		return read_counted(fd, buf, size);
	errno = error;
	return n;
}

ssize_t
nowait_read(int fd, void *buf, size_t size)
{
	ssize_t n;

	n = recv(fd, buf, size, MSG_DONTWAIT);
	if (n != -1 || errno != ENOTSOCK)
		return n;
	return read_pipe(fd, buf, size);
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

/*
 * vmsplice hands over the page itself, so each line gets one of its own.  It
 * needs no descriptor.
 */
static int
write_pipe(int fd, const void *buf, size_t size)
{
	struct iovec iov = {.iov_len = size};
	ssize_t n;
	int error;

	iov.iov_base = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (iov.iov_base == MAP_FAILED)
		return write_polled(fd, buf, size);
	memcpy(iov.iov_base, buf, size);
	n = vmsplice(fd, &iov, 1, SPLICE_F_NONBLOCK);
	error = errno;
	munmap(iov.iov_base, size);
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
