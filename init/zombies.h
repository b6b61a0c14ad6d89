/* zombies.h - names the zombies that are another's to collect. */
#ifndef ZOMBIES_H
#define ZOMBIES_H

#include <stdint.h>

#include "pidset.h"

/* Zero it to begin with. */
struct zombies {
	struct pidset told; /* those found by the last look */
	struct pidset seen; /* by this one */
	int64_t next;       /* when to look again, at the earliest */
	int proc;
};

/*
 * Warns of each zombie whose parent is alive and not us, and names the parent.
 * As PID 1 looks at all processes, else at our descendants.  Each is told once.
 * Called when there is something else to do; does nothing for a second after it
 * has looked, since reading /proc costs time in proportion to what is in it.
 */
void zombies_look(struct zombies *z);

#endif
