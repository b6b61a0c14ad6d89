/* outer.h - the process that exec'd lease, when it had children before. */
#ifndef OUTER_H
#define OUTER_H

#include <sys/types.h>

#include "mask.h"

/*
 * Waits for the keeper, hands it every signal we get, and collects the
 * children from before, which are not ours to end.  Exits as the keeper does;
 * 137 if that was killed.
 */
_Noreturn void outer_run(struct mask *m, pid_t keeper);

#endif
