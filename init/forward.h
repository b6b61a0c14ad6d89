/* forward.h - which signal goes to whom, and as what. */
#ifndef FORWARD_H
#define FORWARD_H

#include <sys/types.h>

#include <signal.h>
#include <stdbool.h>

#include "options.h"

/*
 * False for what is not meant for the program: the death of a child, our own
 * SIGPIPE, and with handed_off what the kernel sends us for letting go of a
 * terminal: SIGHUP and SIGCONT in our own name (tty_ioctl(4), TIOCNOTTY).
 */
bool forward_wanted(
    const struct options *o, const siginfo_t *si, bool handed_off);

/*
 * Forwards *si, rewritten by o, to pid, a child that is not collected yet, or
 * to the process group that it leads.  A queued signal (sigqueue(3)) to a
 * single process keeps its value.  A failure is a warning and nothing else:
 * EPERM is what a program that changed its user gives.
 */
void forward(const struct options *o, pid_t pid, const siginfo_t *si);

#endif
