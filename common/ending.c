/* The ladder says what, the tree does it. */
#include <errno.h>
#include <unistd.h>

#include "clock.h"
#include "ending.h"
#include "pidfd.h"

/* How often PID 1 looks for the end of one that it cannot watch. */
#define LOOK_MS 20

void
ending_init(struct ending *e, bool all, bool strays, int64_t grace)
{
	*e = (struct ending){.watch = -1, .again = CLOCK_NEVER};
	ladder_init(&e->ladder, grace);
	tree_init(&e->tree, all, strays);
}

void
ending_inherit(struct ending *e, bool all)
{
	e->watch = -1;
	e->again = CLOCK_NEVER;
	e->deaths = 0;
	tree_inherit(&e->tree, all);
}

static void
act(struct ending *e, enum ladder_act what)
{
	switch (what) {
	case LADDER_ASK_LEADER:
		tree_ask_leader(&e->tree, e->leader, e->signal);
		break;
	case LADDER_ASK:
		tree_ask(&e->tree, e->signal);
		break;
	case LADDER_ASK_REST:
		tree_ask_rest(&e->tree, e->signal, e->ladder.deadline);
		break;
	case LADDER_KILL:
		if (tree_kill(&e->tree) > 0)
			e->forced = true;
		/* With very many it may have taken seconds. */
		ladder_acted(&e->ladder, clock_ms());
		break;
	case LADDER_NOTHING:
	case LADDER_DONE:
	case LADDER_GIVE_UP:
		break;
	}
}

void
ending_lead(struct ending *e, pid_t leader, int64_t ms)
{
	e->leader = leader;
	e->ladder.leader = ms;
}

void
ending_begin(struct ending *e, int sig, int64_t now)
{
	if (e->ladder.state != LADDER_CALM)
		return;
	e->signal = sig;
	act(e, ladder_step(&e->ladder, LADDER_END, now));
}

void
ending_force(struct ending *e, int64_t now)
{
	act(e, ladder_step(&e->ladder, LADDER_FORCE, now));
}

static void
unwatch(struct ending *e)
{
	if (e->watch != -1)
		close(e->watch);
	e->watch = -1;
	e->again = CLOCK_NEVER;
}

/* PID 1 without children: is there anybody who is not one? */
static bool
nobody_lives(struct ending *e, int64_t now)
{
	if (e->watch != -1 && !pidfd_exited(e->watch))
		return false;
	unwatch(e);
	e->watch = tree_watch(&e->tree);
	if (e->watch != -1)
		return false;
	if (errno == ESRCH)
		return true;
	e->again = now + LOOK_MS;
	return false;
}

bool
ending_step(struct ending *e, const struct reap *r, enum reap_left left,
    int64_t now, bool *gave_up)
{
	enum ladder_event event = LADDER_TICK;
	enum ladder_act what;

	/* While we have children, SIGCHLD tells; a watch would only spin. */
	if (left != REAP_NONE)
		unwatch(e);
	if (left == REAP_NONE && (!e->tree.all || nobody_lives(e, now)))
		event = LADDER_EMPTY;
	else if (r->count != e->deaths)
		event = LADDER_DEATH;
	e->deaths = r->count;
	what = ladder_step(&e->ladder, event, now);
	act(e, what);
	*gave_up = what == LADDER_GIVE_UP;
	return e->ladder.state == LADDER_GONE;
}

int64_t
ending_deadline(const struct ending *e)
{
	int64_t t = ladder_deadline(&e->ladder);

	return e->again < t ? e->again : t;
}
