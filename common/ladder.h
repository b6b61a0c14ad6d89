/* ladder.h - the steps of an ending, as a pure function. */
#ifndef LADDER_H
#define LADDER_H

#include <stdint.h>

/* Where an ending stands.  It only ever goes down this list. */
enum ladder_state {
	LADDER_CALM,   /* nothing has been asked of anybody */
	LADDER_LEADER, /* the asking signal is sent to the command alone */
	LADDER_ASKED,  /* the asking signal is sent; the grace runs */
	LADDER_FORCED, /* SIGKILL is sent */
	LADDER_GONE,   /* nobody is left, or we have given up waiting */
};

enum ladder_event {
	LADDER_END,   /* there is a reason to end */
	LADDER_FORCE, /* do not wait any longer */
	LADDER_DEATH, /* somebody died, somebody is left */
	LADDER_TICK,  /* time has passed */
	LADDER_EMPTY, /* nobody is left */
};

/* What the caller has to do next. */
enum ladder_act {
	LADDER_NOTHING,
	LADDER_ASK_LEADER, /* ask the command */
	LADDER_ASK,        /* ask those in reach */
	LADDER_ASK_REST,   /* find and ask all others */
	LADDER_KILL,       /* force everybody; comes again while they last */
	LADDER_DONE,       /* it is over, and nobody is left */
	LADDER_GIVE_UP,    /* it is over: name the survivors */
};

/*
 * After the first asking, most of a session usually dies at once.  To look for
 * the rest through /proc before that costs more than the ending itself (12 us a
 * process, where dying takes 20 to 70).  So we look when nothing has died for
 * LADDER_LULL, and at the latest after LADDER_RUSH or a quarter of the grace.
 */
#define LADDER_LULL  2
#define LADDER_RUSH  1000
#define LADDER_AGAIN 100   /* between two rounds of force */
#define LADDER_WAIT  5000  /* after SIGKILL and the last death, we give up */
#define LADDER_MOST  30000 /* after SIGKILL, though they go on dying */

struct ladder {
	enum ladder_state state;
	int64_t grace;    /* ms between asked and forced; 0 forces at once */
	int64_t leader;   /* ms that the command is asked before the others */
	int64_t deadline; /* when this state ends by itself */
	int64_t look;     /* when to look at those that are left */
	int64_t latest;   /* what look, or forced deadline, never passes */
};

/* A calm ladder with that grace in milliseconds, and no leader. */
void ladder_init(struct ladder *l, int64_t grace);

/* Takes the event at the time now (clock_ms) and returns what to do. */
enum ladder_act ladder_step(
    struct ladder *l, enum ladder_event event, int64_t now);

/* After LADDER_KILL: the act took until now, and the next counts from there. */
void ladder_acted(struct ladder *l, int64_t now);

/* When the next LADDER_TICK is due, or CLOCK_NEVER. */
int64_t ladder_deadline(const struct ladder *l);

#endif
