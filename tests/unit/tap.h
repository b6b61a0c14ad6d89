/* tap.h - Test Anything Protocol, in the little that unit tests need. */
#ifndef TAP_H
#define TAP_H

#include <stdio.h>
#include <string.h>

static int tap_count, tap_failed;

/* One test: cond is what should hold, name says so in words. */
#define ok(cond, ...)                                                          \
	do {                                                                   \
		int tap_ok = (cond);                                           \
		tap_failed += !tap_ok;                                         \
		printf("%sok %d - ", tap_ok ? "" : "not ", ++tap_count);       \
		printf(__VA_ARGS__);                                           \
		printf("\n");                                                  \
		if (!tap_ok)                                                   \
			printf("# %s:%d: %s\n", __FILE__, __LINE__, #cond);    \
	} while (0)

/* To be returned from main: the plan, and the exit status. */
static inline int
tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed > 0;
}

#endif
