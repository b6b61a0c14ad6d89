/* pidset.h - a set of PIDs (or group or session numbers, which are PIDs). */
#ifndef PIDSET_H
#define PIDSET_H

#include <sys/types.h>

#include <stdbool.h>
#include <stdint.h>

#define PID_LIMIT (4 * 1024 * 1024) /* the kernel's PID_MAX_LIMIT */

#define PIDSET_BYTES (PID_LIMIT / 8)

/*
 * Zero it to begin with.  Memory comes with the first pid that is added; or
 * bits is set to PIDSET_BYTES of zeros, in whole pages.
 */
struct pidset {
	uint64_t *bits;
};

/*
 * Adds pid.  Returns true if it was not there before; also true, without
 * remembering it, when there is no memory: who asks for "new" must not loop
 * for ever on the answer.
 */
bool pidset_add(struct pidset *s, pid_t pid);

bool pidset_has(const struct pidset *s, pid_t pid);

/* Empties the set and gives its memory back. */
void pidset_clear(struct pidset *s);

#endif
