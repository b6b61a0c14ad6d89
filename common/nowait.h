/* nowait.h - one read or write that cannot block, on a shared description. */
#ifndef NOWAIT_H
#define NOWAIT_H

#include <sys/types.h>

/*
 * O_NONBLOCK belongs to the open file description, which our descriptors share
 * with the command, the engine and strangers: to set it would change their
 * reads and writes.  These two ask for one call only.
 */

/*
 * Reads what is there from a pipe, FIFO or socket, at most size bytes.  Returns
 * the count, 0 at the end of file, or -1 with errno; EAGAIN means that nothing
 * is there now.  (preadv2(2) with RWF_NOWAIT would be less work, but a named
 * FIFO refuses it on every kernel, and a pipe before 6.4.)
 */
ssize_t nowait_read(int fd, void *buf, size_t size);

/*
 * Writes size bytes, at most PIPE_BUF, to a descriptor of any kind, whole or
 * not at all.  Returns 0, or -1 with errno; EAGAIN means that there was no
 * room.  A SIGPIPE that it causes comes from our own PID.
 */
int nowait_write(int fd, const void *buf, size_t size);

#endif
