/* backstop.h - the processes above the keeper: wait, and outlive it. */
#ifndef BACKSTOP_H
#define BACKSTOP_H

#include <sys/types.h>

#include "mask.h"

/*
 * Forks the process below us and leaves a pipe between the two, of which only
 * we, above, hold the writing end: its hang-up is how the one below notices our
 * death.  In the child returns 0 with *fd the reading end, in the parent the
 * child's pid with *fd the writing end; both close-on-exec, or -1 where there
 * is no descriptor left.  Returns -1 with errno if it cannot fork.
 */
pid_t backstop_fork(int *fd);

/*
 * Waits for the end of the child below, hands it every signal we get, once,
 * and returns its wait status.  With strays collects the children from before
 * lease was executed, which are not ours to end; else leaves all others.
 */
int backstop_wait(struct mask *m, pid_t below, bool strays);

/* Whether the far end of fd has gone; false if there is no fd. */
bool backstop_gone(int fd);

#endif
