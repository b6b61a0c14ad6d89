/* clock.h - monotonic time in milliseconds, and durations in words. */
#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

#define CLOCK_NEVER   INT64_MAX /* a deadline that never comes */
#define CLOCK_LONGEST (INT64_C(36525) * 86400000) /* a hundred years */

/*
 * Milliseconds since boot: clock_gettime(2), CLOCK_MONOTONIC.  It never jumps
 * and does not count time in suspend: a suspended machine is nobody's delay.
 */
int64_t clock_ms(void);

/*
 * The timeout for poll(2) that ends at deadline: -1 for CLOCK_NEVER, 0 for one
 * that has passed, and never more than an int holds.
 */
int clock_timeout(int64_t deadline, int64_t now);

/*
 * Reads a duration as timeout(1) does, with milliseconds as well: "5", "1.5s",
 * "500ms", "2m", "1h", "1d".  A plain number is seconds.  Rounds up to whole
 * milliseconds, so that no positive duration becomes 0.  Returns 0, or -1 with
 * errno EINVAL (malformed) or ERANGE (over CLOCK_LONGEST); *ms is then as it
 * was.
 */
int clock_parse(const char *text, int64_t *ms);

#endif
