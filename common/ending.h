/* ending.h - one step at a time of ending a tree. */
#ifndef ENDING_H
#define ENDING_H

#include <stdbool.h>
#include <stdint.h>

#include "ladder.h"
#include "reap.h"
#include "tree.h"

/*
 * Nothing here waits, so that the caller can do its other work meanwhile.  The
 * caller collects the dead (reap.h) and tells what is left.
 */
struct ending {
	struct ladder ladder;
	struct tree tree;
	int signal;           /* what to ask with */
	pid_t leader;         /* the command, while it is not collected */
	int watch;            /* pidfd of one who is not our child, or -1 */
	int64_t again;        /* when to look without one */
	unsigned long deaths; /* the reaper's count at the last step */
	bool forced;          /* SIGKILL was sent to somebody */
};

/* A calm ending.  See tree_init for all and strays; grace is in ms. */
void ending_init(struct ending *e, bool all, bool strays, int64_t grace);

/* In another process than began it: goes on where that one was.  See tree.h. */
void ending_inherit(struct ending *e, bool all);

/*
 * To be called before ending_begin: leader, a child of ours that is not
 * collected, is then asked alone, and the others that many ms later.
 */
void ending_lead(struct ending *e, pid_t leader, int64_t ms);

/* Asks with sig, or forces at once with a grace of 0.  Once only. */
void ending_begin(struct ending *e, int sig, int64_t now);

/* Forces now, whether it has begun or not. */
void ending_force(struct ending *e, int64_t now);

/*
 * To be called after every reap while the ending is under way.  Returns true
 * when it is over: ladder.state is then LADDER_GONE, and *gave_up says whether
 * somebody survived.  Gone is ECHILD, and for all that nobody else lives.
 */
bool ending_step(struct ending *e, const struct reap *r, enum reap_left left,
    int64_t now, bool *gave_up);

/* When to call ending_step even if nothing happens. */
int64_t ending_deadline(const struct ending *e);

#endif
