/* diag.h - what we say to people: one line to fd 2 in one write. */
#ifndef DIAG_H
#define DIAG_H

#include <stdbool.h>

enum diag_level {
	DIAG_QUIET,   /* only why nothing was started */
	DIAG_NORMAL,  /* and what went wrong */
	DIAG_VERBOSE, /* and what is being done */
	DIAG_DEBUG    /* and what brought nothing to do */
};

#define DIAG_MAX 1024 /* bytes of a line; more is cut */

/* What comes before each line, "lease: "; kept, not copied.  DIAG_NORMAL. */
void diag_init(const char *prefix);
void diag_level(enum diag_level level);

/* Whether lines of that level are told: else the work for one can be saved. */
bool diag_tells(enum diag_level level);

/*
 * Each prints prefix, text and "\n" without ever waiting: a line that finds no
 * room is dropped (see nowait.h).  Control characters become '?', so that a
 * line is one line whatever it quotes.  errno is kept.
 */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void complain(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints text to fd, as it is; on failure dies with that code. */
void print(int fd, int code, const char *text);

/* complain, then _exit(code): nothing of ours waits to be flushed. */
_Noreturn void die(int code, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
