/* forward.h - which signal goes to whom. */
#ifndef FORWARD_H
#define FORWARD_H

#include <sys/types.h>

#include <signal.h>
#include <stdbool.h>

/*
 * Forwards *si to pid, a child that is not collected yet, or with group to its
 * process group, which it must lead.  A queued signal (sigqueue(3)) to a single
 * process keeps its value.  A failure is a warning and nothing else: EPERM is
 * what a program that changed its user gives.
 */
void forward(pid_t pid, bool group, const siginfo_t *si);

/* False for what the kernel tells us: the death of a child, our own SIGPIPE. */
bool forward_wanted(const siginfo_t *si);

#endif
