/* options.h - the command line and environment of lease-init; lease-init(8). */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "diag.h"
#include "names.h"
#include "signame.h"
#include "spawn.h"
#include "usage.h"

struct options {
	enum name_words words; /* of what we say */
	enum spawn_place place;
	bool group;        /* signals go to the program's group */
	bool subreaper;    /* when not PID 1 */
	bool pause;        /* -P: no program */
	bool tell_zombies; /* -w */
	enum diag_level level;
	int parent_death;     /* -p: a signal, or 0 */
	uint64_t expected[4]; /* -e: exit statuses that become 0, as bits */
	int64_t grace;        /* ms; 0: no drain */
	short rewrite[SIGNAME_MAX + 1]; /* -r: what becomes of a signal;
					 * 0: dropped */
	char **program; /* NULL-terminated, not empty but for pause */
};

/*
 * Reads argv, of which *o keeps pointers, and the environment, as the program
 * named by name does.  Stops at the first operand.
 */
enum usage init_options_parse(struct options *o, const struct name *name,
    int argc, char **argv, char problem[USAGE_PROBLEM]);

/* Whether -e names this exit status. */
bool init_options_expects(const struct options *o, int code);

/* What -h prints under this name, to fd; on failure dies. */
void init_options_help(const struct name *name, int fd);

/* What -l and -L print. */
extern const char init_options_licence[];

#endif
