/* usage.h - what reading a command line comes to, in both programs. */
#ifndef USAGE_H
#define USAGE_H

#include <stdint.h>

enum usage {
	USAGE_RUN,
	USAGE_HELP,
	USAGE_VERSION,
	USAGE_LICENCE,
	USAGE_WRONG, /* the problem says what and what to do */
};

#define USAGE_PROBLEM 512 /* bytes, with the final 0 */

/*
 * Puts the text into problem, which is empty to begin with.  Only the first
 * problem is told: a later one is dropped.
 */
void usage_wrong(char problem[USAGE_PROBLEM], const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Reads a duration (clock_parse) into *ms; a bad one is a problem of that
 * option.
 */
void usage_duration(char problem[USAGE_PROBLEM], const char *option,
    const char *text, int64_t *ms);

#endif
