/* number.h - decimal numbers in text, without signs, spaces or locale. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdint.h>

/* A number from 0 to max and nothing else; -1 if text is anything else. */
int64_t number_parse(const char *text, int64_t max);

/*
 * The next number in a line of them, which may be negative, behind any spaces.
 * *s moves behind it.  0 where there is none.  For what the kernel wrote.
 */
int64_t number_next(const char **s);

#endif
