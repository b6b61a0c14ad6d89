#include <stddef.h>

#include "clock.h"
#include "ladder.h"
#include "tap.h"

#define G    5000 /* the grace */
#define LEAD 700  /* the leader's */

/* A row: in this state, at this time, this event gives this act and state. */
static const struct row {
	const char *name;
	enum ladder_state state;
	enum ladder_event event;
	int64_t now; /* relative to the entry into the state */
	enum ladder_act act;
	enum ladder_state next;
} rows[] = {
    {"calm: a tick is nothing", LADDER_CALM, LADDER_TICK, 1000000,
	LADDER_NOTHING, LADDER_CALM},
    {"calm: a death is nothing", LADDER_CALM, LADDER_DEATH, 1, LADDER_NOTHING,
	LADDER_CALM},
    {"calm: empty is nothing", LADDER_CALM, LADDER_EMPTY, 1, LADDER_NOTHING,
	LADDER_CALM},
    {"calm: end asks", LADDER_CALM, LADDER_END, 1, LADDER_ASK, LADDER_ASKED},
    {"calm: force kills", LADDER_CALM, LADDER_FORCE, 1, LADDER_KILL,
	LADDER_FORCED},
    {"leader: another end is nothing", LADDER_LEADER, LADDER_END, 1,
	LADDER_NOTHING, LADDER_LEADER},
    {"leader: a death is nothing", LADDER_LEADER, LADDER_DEATH, LEAD - 1,
	LADDER_NOTHING, LADDER_LEADER},
    {"leader: when its time is over all are asked", LADDER_LEADER, LADDER_TICK,
	LEAD, LADDER_ASK, LADDER_ASKED},
    {"leader: force kills", LADDER_LEADER, LADDER_FORCE, 1, LADDER_KILL,
	LADDER_FORCED},
    {"leader: empty is done", LADDER_LEADER, LADDER_EMPTY, 1, LADDER_DONE,
	LADDER_GONE},
    {"leader: empty at the last moment is done", LADDER_LEADER, LADDER_EMPTY,
	LEAD, LADDER_DONE, LADDER_GONE},
    {"asked: another end is nothing", LADDER_ASKED, LADDER_END, 1,
	LADDER_NOTHING, LADDER_ASKED},
    {"asked: before the lull nothing", LADDER_ASKED, LADDER_TICK,
	LADDER_LULL - 1, LADDER_NOTHING, LADDER_ASKED},
    {"asked: after the lull the rest is asked", LADDER_ASKED, LADDER_TICK,
	LADDER_LULL, LADDER_ASK_REST, LADDER_ASKED},
    {"asked: a death puts that off", LADDER_ASKED, LADDER_DEATH, LADDER_LULL,
	LADDER_NOTHING, LADDER_ASKED},
    {"asked: but not for ever", LADDER_ASKED, LADDER_DEATH, LADDER_RUSH,
	LADDER_ASK_REST, LADDER_ASKED},
    {"asked: force kills", LADDER_ASKED, LADDER_FORCE, 1, LADDER_KILL,
	LADDER_FORCED},
    {"asked: empty is done", LADDER_ASKED, LADDER_EMPTY, 1, LADDER_DONE,
	LADDER_GONE},
    {"asked: empty at the deadline is done", LADDER_ASKED, LADDER_EMPTY, G,
	LADDER_DONE, LADDER_GONE},
    {"asked: the end of the grace kills", LADDER_ASKED, LADDER_TICK, G,
	LADDER_KILL, LADDER_FORCED},
    {"asked: a death at the end of the grace kills", LADDER_ASKED, LADDER_DEATH,
	G, LADDER_KILL, LADDER_FORCED},
    {"forced: soon nothing", LADDER_FORCED, LADDER_TICK, 1, LADDER_NOTHING,
	LADDER_FORCED},
    {"forced: force again is nothing yet", LADDER_FORCED, LADDER_FORCE, 1,
	LADDER_NOTHING, LADDER_FORCED},
    {"forced: end is nothing", LADDER_FORCED, LADDER_END, 1, LADDER_NOTHING,
	LADDER_FORCED},
    {"forced: later another round", LADDER_FORCED, LADDER_TICK, LADDER_AGAIN,
	LADDER_KILL, LADDER_FORCED},
    {"forced: empty is done", LADDER_FORCED, LADDER_EMPTY, 1, LADDER_DONE,
	LADDER_GONE},
    {"forced: empty at the last moment is done", LADDER_FORCED, LADDER_EMPTY,
	LADDER_WAIT, LADDER_DONE, LADDER_GONE},
    {"forced: the wait is bounded", LADDER_FORCED, LADDER_TICK, LADDER_WAIT,
	LADDER_GIVE_UP, LADDER_GONE},
    {"gone: nothing more", LADDER_GONE, LADDER_TICK, 1, LADDER_NOTHING,
	LADDER_GONE},
    {"gone: not even force", LADDER_GONE, LADDER_FORCE, 1, LADDER_NOTHING,
	LADDER_GONE},
    {"gone: not even end", LADDER_GONE, LADDER_END, 1, LADDER_NOTHING,
	LADDER_GONE},
};

static const int64_t start = 1000000;

/* Brings a ladder into a state at the time start. */
static struct ladder
in_state(enum ladder_state state)
{
	struct ladder l;

	ladder_init(&l, G);
	if (state == LADDER_LEADER)
		l.leader = LEAD;
	if (state >= LADDER_LEADER)
		ladder_step(&l, LADDER_END, start);
	if (state >= LADDER_FORCED)
		ladder_step(&l, LADDER_FORCE, start);
	if (state >= LADDER_GONE)
		ladder_step(&l, LADDER_EMPTY, start);
	return l;
}

int
main(void)
{
	struct ladder l;
	size_t i;
	int64_t t;
	int rests = 0;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct row *r = &rows[i];

		l = in_state(r->state);
		ok(l.state == r->state &&
			ladder_step(&l, r->event, start + r->now) == r->act &&
			l.state == r->next,
		    "%s", r->name);
	}
	ladder_init(&l, 0);
	ok(ladder_deadline(&l) == CLOCK_NEVER, "calm has no deadline");
	ok(ladder_step(&l, LADDER_END, start) == LADDER_KILL,
	    "no grace: end kills at once");
	ladder_init(&l, 0);
	l.leader = LEAD;
	ok(ladder_step(&l, LADDER_END, start) == LADDER_KILL,
	    "no grace, but a leader's: end kills at once");
	ladder_init(&l, G);
	l.leader = LEAD;
	ok(ladder_step(&l, LADDER_END, start) == LADDER_ASK_LEADER &&
		ladder_deadline(&l) == start + LEAD,
	    "with a leader's grace: end asks him, and that is the deadline");
	ladder_step(&l, LADDER_TICK, start + LEAD);
	ladder_step(&l, LADDER_TICK, start + LEAD + LADDER_LULL);
	ok(ladder_deadline(&l) == start + LEAD + G,
	    "after it the whole grace runs");
	l = in_state(LADDER_ASKED);
	ok(ladder_deadline(&l) == start + LADDER_LULL,
	    "asked: the lull is the first deadline");
	for (t = start; t < start + G; t++)
		rests += ladder_step(&l, LADDER_TICK, t) == LADDER_ASK_REST;
	ok(rests == 1, "the rest is asked once");
	ok(ladder_deadline(&l) == start + G, "then the grace is");
	ladder_init(&l, 100);
	ladder_step(&l, LADDER_END, start);
	ok(ladder_step(&l, LADDER_DEATH, start + 25) == LADDER_ASK_REST,
	    "a short grace: the rest is asked after a quarter of it");
	l = in_state(LADDER_GONE);
	ok(ladder_deadline(&l) == CLOCK_NEVER, "gone has no deadline");
	return tap_done();
}
