/* The C library need not know these calls, nor their numbers. */
#include <sys/syscall.h>

#include <poll.h>
#include <stddef.h>
#include <unistd.h>

#include "pidfd.h"

/* The same on all architectures. */
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424 /* Linux 5.1 */
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434 /* Linux 5.3 */
#endif
#define PIDFD_SIGNAL_PROCESS_GROUP (1U << 2)

int
pidfd_open(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0U);
}

bool
pidfd_exited(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return poll(&p, 1, 0) == 1;
}

int
pidfd_signal(int fd, int sig, bool group)
{
	return (int)syscall(SYS_pidfd_send_signal, fd, sig, NULL,
	    group ? PIDFD_SIGNAL_PROCESS_GROUP : 0U);
}
