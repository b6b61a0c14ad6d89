/*
 * The table.  As a peer we keep what the peer promises, in our own words: only
 * what an engine parses, or its test suite looks for, is the same text.
 */
#include <stddef.h>
#include <string.h>

#include "names.h"

/* dockerd reads "tini version X - git.HASH", the first half or the second. */
#define OUR_VERSION  "lease-init " VERSION " - git." COMMIT "\n"
#define TINI_VERSION "tini version " VERSION " - git." COMMIT "\n"

#define TINI_LETTERS      "+:hsp:vwge:lVk:"
#define DUMB_INIT_LETTERS "+:hvVcr:k:"
#define CATATONIT_LETTERS "+:ghLPVk:"
#define OUR_LETTERS       "+:hsp:vwge:r:cPk:lLV"

/* As a shell has them, and what engines promise. */
#define SHELL_CODES .not_found = 127, .not_executable = 126

#define LIKE_TINI                                                              \
	.letters = TINI_LETTERS, .variables = NAME_TINI_VARIABLES,             \
	.words = NAME_TINI, .version = TINI_VERSION, .help_unasked = true,     \
	.failed = 1, SHELL_CODES, .shell = true

#define LIKE_CATATONIT                                                         \
	.letters = CATATONIT_LETTERS, .variables = NAME_CATATONIT_VARIABLES,   \
	.version = TINI_VERSION, .help_err = true, .failed = 1,                \
	.subreaper = true, .shell = true

/* What an engine mounts in a container: drains, and has lease at hand. */
#define ENGINES .lends = true, .grace = 5000

static const struct name names[] = {
    {
	.name = "lease-init",
	.prefix = "lease-init: ",
	.letters = OUR_LETTERS,
	.variables = NAME_TINI_VARIABLES | NAME_DUMB_INIT_VARIABLES |
		     NAME_CATATONIT_VARIABLES,
	.version = OUR_VERSION,
	.failed = 125,
	SHELL_CODES,
	.subreaper = true,
	.grace = 5000,
    },
    {
	.name = "tini",
	.prefix = "tini: ",
	LIKE_TINI,
	.warns = true,
    },
    {
	.name = "tini-static",
	.prefix = "tini-static: ",
	LIKE_TINI,
	.warns = true,
    },
    {
	.name = "docker-init",
	.prefix = "docker-init: ",
	LIKE_TINI,
	ENGINES,
    },
    {
	.name = "dumb-init",
	.prefix = "[dumb-init] ",
	.letters = DUMB_INIT_LETTERS,
	.variables = NAME_DUMB_INIT_VARIABLES,
	.words = NAME_DUMB_INIT,
	.version = OUR_VERSION,
	.help_err = true,
	.version_err = true,
	.failed = 1,
	.not_found = 2,
	.not_executable = 2,
	.session = true,
	.suspends = true,
	.shell = true,
    },
    {
	.name = "catatonit",
	.prefix = "catatonit: ",
	LIKE_CATATONIT,
	.not_found = 1,
	.not_executable = 1,
    },
    /* podman-run(1) promises 126 and 127, whatever its init does. */
    {
	.name = "podman-init",
	.prefix = "podman-init: ",
	LIKE_CATATONIT,
	SHELL_CODES,
	ENGINES,
    },
};

const struct name *
name_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i].name, name) == 0)
			return &names[i];
	return NULL;
}
