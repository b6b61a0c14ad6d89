/* names.h - what each name means that lease-init can be started by. */
#ifndef NAMES_H
#define NAMES_H

#include <stdbool.h>
#include <stdint.h>

/* Whose test suite looks for fragments of our log lines. */
enum name_words { NAME_OURS, NAME_TINI, NAME_DUMB_INIT };

/* Whose environment variables count. */
enum name_variables {
	NAME_TINI_VARIABLES = 1,
	NAME_DUMB_INIT_VARIABLES = 2,
	NAME_CATATONIT_VARIABLES = 4,
};

struct name {
	const char *name;
	const char *prefix;  /* of what we say */
	const char *letters; /* of the options: getopt(3) */
	unsigned variables;  /* enum name_variables */
	enum name_words words;
	const char *version; /* what --version prints */
	bool help_err;       /* help and version go to fd 2, not 1 ... */
	bool version_err;
	bool help_unasked; /* no program given: the help instead of a line */
	/* Exit statuses: our own failures; of an exec, missing and others. */
	int failed;
	int not_found;
	int not_executable;
	bool session;   /* the program leads a session; we signal its group */
	bool suspends;  /* stopped by TSTP, TTIN and TTOU, as the program is */
	bool subreaper; /* without -s, when not PID 1 */
	bool warns;     /* not PID 1 and no subreaper: say so */
	bool shell;     /* a script without "#!" goes to /bin/sh */
	bool lends;     /* NAME lease ... is lease, when not PID 1 */
	int64_t grace;  /* of the drain, ms; 0: none */
};

/* The row for name, without directories; NULL if it is none of them. */
const struct name *name_find(const char *name);

#endif
