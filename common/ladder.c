/* No system call is made here, so that a table can test all of it. */
#include "ladder.h"
#include "clock.h"

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

void
ladder_init(struct ladder *l, int64_t grace)
{
	l->state = LADDER_CALM;
	l->grace = grace;
	l->leader = 0;
	l->deadline = CLOCK_NEVER;
	l->look = CLOCK_NEVER;
	l->latest = CLOCK_NEVER;
}

static enum ladder_act
over(struct ladder *l, enum ladder_act act)
{
	l->state = LADDER_GONE;
	l->deadline = CLOCK_NEVER;
	l->look = CLOCK_NEVER;
	return act;
}

static enum ladder_act
force(struct ladder *l, int64_t now)
{
	l->state = LADDER_FORCED;
	l->deadline = now + LADDER_WAIT;
	l->latest = now + LADDER_MOST;
	l->look = now + LADDER_AGAIN;
	return LADDER_KILL;
}

static enum ladder_act
ask(struct ladder *l, int64_t now)
{
	if (l->grace == 0)
		return force(l, now);
	l->state = LADDER_ASKED;
	l->deadline = now + l->grace;
	l->look = now + LADDER_LULL;
	l->latest = now + least(LADDER_RUSH, l->grace / 4);
	return LADDER_ASK;
}

static enum ladder_act
ask_leader(struct ladder *l, int64_t now)
{
	if (l->grace == 0 || l->leader == 0)
		return ask(l, now);
	l->state = LADDER_LEADER;
	l->deadline = now + l->leader;
	return LADDER_ASK_LEADER;
}

static enum ladder_act
calm(struct ladder *l, enum ladder_event event, int64_t now)
{
	if (event == LADDER_END)
		return ask_leader(l, now);
	if (event == LADDER_FORCE)
		return force(l, now);
	return LADDER_NOTHING; /* an empty session may still be calm */
}

static enum ladder_act
leader(struct ladder *l, enum ladder_event event, int64_t now)
{
	if (event == LADDER_EMPTY)
		return over(l, LADDER_DONE);
	if (event == LADDER_FORCE)
		return force(l, now);
	return now < l->deadline ? LADDER_NOTHING : ask(l, now);
}

static enum ladder_act
asked(struct ladder *l, enum ladder_event event, int64_t now)
{
	if (event == LADDER_EMPTY)
		return over(l, LADDER_DONE);
	if (event == LADDER_FORCE || now >= l->deadline)
		return force(l, now);
	if (event == LADDER_DEATH && l->look != CLOCK_NEVER)
		l->look = least(now + LADDER_LULL, l->latest);
	if (now < l->look)
		return LADDER_NOTHING;
	l->look = CLOCK_NEVER; /* once */
	return LADDER_ASK_REST;
}

static enum ladder_act
forced(struct ladder *l, enum ladder_event event, int64_t now)
{
	if (event == LADDER_EMPTY)
		return over(l, LADDER_DONE);
	/* Where /proc is missing, each round only uncovers the next. */
	if (event == LADDER_DEATH)
		l->deadline = least(now + LADDER_WAIT, l->latest);
	if (now >= l->deadline)
		return over(l, LADDER_GIVE_UP);
	if (now < l->look)
		return LADDER_NOTHING;
	l->look = now + LADDER_AGAIN;
	return LADDER_KILL;
}

enum ladder_act
ladder_step(struct ladder *l, enum ladder_event event, int64_t now)
{
	switch (l->state) {
	case LADDER_CALM:
		return calm(l, event, now);
	case LADDER_LEADER:
		return leader(l, event, now);
	case LADDER_ASKED:
		return asked(l, event, now);
	case LADDER_FORCED:
		return forced(l, event, now);
	case LADDER_GONE:
		break;
	}
	return LADDER_NOTHING;
}

void
ladder_acted(struct ladder *l, int64_t now)
{
	if (l->state == LADDER_FORCED)
		l->look = now + LADDER_AGAIN;
}

int64_t
ladder_deadline(const struct ladder *l)
{
	return least(l->deadline, l->look);
}
