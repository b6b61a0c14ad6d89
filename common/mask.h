/* mask.h - signals are data: blocked, and read one at a time. */
#ifndef MASK_H
#define MASK_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct mask {
	int fd;                /* signalfd(2), or -1 while there is none */
	bool tried;            /* to open it */
	uint64_t inherited;    /* signals blocked at entry; bit 0 is signal 1 */
	struct sigaction chld; /* disposition of SIGCHLD at entry */
};

/*
 * Blocks all 64 signals, by the raw system call: the C library leaves out the
 * ones that it keeps for itself, and a stray signal 34 would end us.  SIGCHLD
 * becomes default: inherited as ignored, it makes waitpid(2) useless.  Both
 * are remembered.  Cannot fail.
 */
void mask_block(struct mask *m);

/* In the command, before exec: puts back what mask_block found. */
void mask_restore(const struct mask *m);

/*
 * The one blocking call.  Waits for a signal, for one of the n descriptors in
 * fds as poll(2) does, or for timeout milliseconds (-1: for ever).  Returns
 * true with *si filled when there was a signal; fds[].revents are valid, 0
 * where nothing happened.  fds[n] must have room for one more entry.  With a
 * signal that fills no queue, several may have become one: see signal(7).
 *
 * With no descriptor to watch it needs none of its own.  Where signalfd4(2)
 * is refused (seccomp, no descriptor left) it looks for signals 20 times a
 * second while it watches descriptors; nothing is lost.
 */
bool mask_wait(
    struct mask *m, struct pollfd *fds, nfds_t n, int timeout, siginfo_t *si);

/* True if we inherited sig as ignored.  Ours are never changed but SIGCHLD. */
bool mask_ignores(int sig);

/* True for SIGPIPE or SIGXFSZ that a write of our own has raised. */
bool mask_own(const siginfo_t *si);

#endif
