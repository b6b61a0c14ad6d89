/* reap.h - collect dead children; remember the one that matters. */
#ifndef REAP_H
#define REAP_H

#include <sys/types.h>

#include <stdbool.h>

struct reap {
	pid_t main; /* the child whose fate is ours; 0 once collected */
	int status; /* its wait status, valid when main is 0 */
	unsigned long count; /* children collected so far */
	/*
	 * If set, called for each child, main included, when it is dead and not
	 * yet collected, so that its PID and group are still its own; code as
	 * by reap_code.
	 */
	void (*dead)(void *arg, pid_t pid, int code);
	void *arg;
};

enum reap_left {
	REAP_SOME, /* children remain, none of them dead */
	REAP_NONE, /* no children remain */
	REAP_BUSY, /* stopped after 100 ms of collecting; call again soon */
};

/*
 * Collects with waitpid(2), until there is nothing to collect or the time is
 * up.  Never waits.  A pid is ours until it is collected; the next moment it
 * may be a stranger's, so main is forgotten in the same step.
 */
enum reap_left reap(struct reap *r);

/* Collects main alone, if it is dead. */
void reap_main(struct reap *r);

/* Whether pid is a child of ours, dead or alive. */
bool reap_owns(pid_t pid);

/* Whether this process has children, dead or alive: waitid(2), not ECHILD. */
bool reap_children(void);

/* Exit code for a wait status as a shell reports it: 0-255, or 128+signal. */
int reap_code(int status);

#endif
