/*
 * Signals are taken from the queue by rt_sigtimedwait(2) in every case; the
 * signalfd only wakes poll(2).  So a kernel or sandbox without signalfd costs
 * wake-ups, and no second way of reading a signal exists.
 */
#include <sys/syscall.h>

#include <string.h>
#include <unistd.h>

#include "mask.h"

#define KERNEL_SIGSET 8  /* bytes of the kernel's sigset_t: 64 signals */
#define BLIND_MS      50 /* between two looks without a signalfd */

#define SFD_CLOEXEC  02000000 /* signalfd4(2), Linux 2.6.27 */
#define SFD_NONBLOCK 00004000

static const uint64_t all = ~UINT64_C(0);

void
mask_block(struct mask *m)
{
	struct sigaction sa;

	m->fd = -1;
	m->tried = false;
	syscall(
	    SYS_rt_sigprocmask, SIG_BLOCK, &all, &m->inherited, KERNEL_SIGSET);
	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = SIG_DFL;
	sigaction(SIGCHLD, &sa, &m->chld);
}

void
mask_restore(const struct mask *m)
{
	sigaction(SIGCHLD, &m->chld, NULL);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &m->inherited, NULL,
	    KERNEL_SIGSET);
}

static bool
wait_signal(int timeout, siginfo_t *si)
{
	/* The kernel's timespec, which the C library's need not be. */
	const long ts[2] = {timeout / 1000, timeout % 1000 * 1000000L};

	return syscall(SYS_rt_sigtimedwait, &all, si, timeout == -1 ? NULL : ts,
		   KERNEL_SIGSET) > 0;
}

/* Late, so that a start-up which watches nothing does not pay for it. */
static void
open_fd(struct mask *m)
{
	if (m->tried)
		return;
	m->tried = true;
	m->fd = (int)syscall(
	    SYS_signalfd4, -1, &all, KERNEL_SIGSET, SFD_CLOEXEC | SFD_NONBLOCK);
}

bool
mask_wait(
    struct mask *m, struct pollfd *fds, nfds_t n, int timeout, siginfo_t *si)
{
	nfds_t i;
	int r;

	if (n == 0)
		return wait_signal(timeout, si);
	open_fd(m);
	if (m->fd == -1 && (timeout == -1 || timeout > BLIND_MS))
		timeout = BLIND_MS;
	fds[n] = (struct pollfd){.fd = m->fd, .events = POLLIN};
	r = poll(fds, n + 1, timeout);
	if (r != -1)
		return wait_signal(0, si);
	/*
	 * No memory, or a limit of descriptors that has been lowered below
	 * their count: one at a time, and without spinning on it.
	 */
	for (i = 0; i < n; i++) {
		fds[i].revents = 0;
		poll(&fds[i], 1, 0);
	}
	return wait_signal(BLIND_MS, si);
}

bool
mask_ignores(int sig)
{
	struct sigaction sa;

	return sigaction(sig, NULL, &sa) == 0 && sa.sa_handler == SIG_IGN;
}

bool
mask_own(const siginfo_t *si)
{
	return (si->si_signo == SIGPIPE || si->si_signo == SIGXFSZ) &&
	       si->si_code <= 0 && si->si_pid == getpid();
}
