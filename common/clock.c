/* Deadlines are absolute and in one unit, so that they can be compared. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <time.h>

#include "clock.h"

static const struct unit {
	const char *name;
	int64_t ms;
} units[] = {
    {"", 1000},
    {"ms", 1},
    {"s", 1000},
    {"m", INT64_C(60) * 1000},
    {"h", INT64_C(60) * 60 * 1000},
    {"d", INT64_C(24) * 60 * 60 * 1000},
};

int64_t
clock_ms(void)
{
	struct timespec ts;

	/* Cannot fail: the clock exists and the pointer is good. */
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

int
clock_timeout(int64_t deadline, int64_t now)
{
	if (deadline == CLOCK_NEVER)
		return -1;
	if (deadline <= now)
		return 0;
	if (deadline - now > INT_MAX)
		return INT_MAX;
	return (int)(deadline - now);
}

static const struct unit *
find_unit(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(name, units[i].name) == 0)
			return &units[i];
	return NULL;
}

/*
 * Both parts stay far from overflow: the whole part is cut off once it is out
 * of every unit's range, and of the fraction nine digits count, the rest only
 * as "a little more".
 */
int
clock_parse(const char *text, int64_t *ms)
{
	const int64_t one = 1000000000;
	int64_t whole = 0, part = 0, digit = one / 10;
	int seen = 0, more = 0;
	const struct unit *unit;

	for (; *text >= '0' && *text <= '9'; text++, seen = 1)
		if (whole <= CLOCK_LONGEST)
			whole = whole * 10 + (*text - '0');
	if (*text == '.') {
		for (text++; *text >= '0' && *text <= '9'; text++, seen = 1) {
			part += digit * (*text - '0');
			more |= digit == 0 && *text != '0';
			digit /= 10;
		}
	}
	unit = find_unit(text);
	if (!seen || unit == NULL) {
		errno = EINVAL;
		return -1;
	}
	if (whole > CLOCK_LONGEST / unit->ms) {
		errno = ERANGE;
		return -1;
	}
	/* part < 1e9 and unit->ms < 1e8: the product fits in 63 bits. */
	*ms = whole * unit->ms + (part * unit->ms + one - 1 + more) / one;
	return 0;
}
