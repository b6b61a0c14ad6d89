/* pidfd.h - descriptors that stand for processes: pidfd_open(2). */
#ifndef PIDFD_H
#define PIDFD_H

#include <sys/types.h>

#include <stdbool.h>

/*
 * A descriptor for process pid, close-on-exec, which polls readable when it has
 * exited.  Returns -1 with errno: ESRCH if there is none, EINVAL (or, on
 * newer kernels, ENOENT) for a thread, ENOSYS before Linux 5.3, anything else
 * where it is refused.
 */
int pidfd_open(pid_t pid);

/* Whether the process of fd has exited.  False if that cannot be known. */
bool pidfd_exited(int fd);

/*
 * Sends sig to the process, or to the group that it leads (Linux 6.9; EINVAL
 * before).  Returns 0, or -1 with errno: ESRCH if it is gone.
 */
int pidfd_signal(int fd, int sig, bool group);

#endif
