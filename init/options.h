/* options.h - the command line of lease-init; see lease-init(8). */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "usage.h"

struct options {
	bool group;           /* -g: forward to the program's group */
	bool tell_zombies;    /* -w */
	int verbose;          /* -v, counted */
	int parent_death;     /* -p: a signal, or 0 */
	uint64_t expected[4]; /* -e: exit statuses that become 0, as bits */
	int64_t grace;        /* -k, ms; 0: no drain */
	char **program;       /* NULL-terminated, not empty */
};

/* Reads argv, of which *o keeps pointers.  Stops at the first operand. */
enum usage init_options_parse(
    struct options *o, int argc, char **argv, char problem[USAGE_PROBLEM]);

/* Whether -e names this exit status. */
bool init_options_expects(const struct options *o, int code);

/* What --help prints. */
extern const char init_options_help[];

#endif
