/* options.h - the command line of lease; see lease(1). */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diag.h"
#include "owner.h"
#include "usage.h"

enum options_leftovers {
	LEFTOVERS_END,  /* end them as if the lease were lost */
	LEFTOVERS_WAIT, /* wait for them while the lease lasts */
	LEFTOVERS_KEEP, /* leave them to PID 1 */
};

struct options {
	int fd;          /* the lease, or -1 with -n */
	bool first_byte; /* --start first-byte */
	int64_t ttl;     /* ms, or 0 for none */
	pid_t owners[OWNER_MOST];
	size_t n_owners;
	int64_t timeout;      /* ms, or 0 for none */
	int signal;           /* to ask with */
	int64_t grace;        /* ms */
	int64_t leader_grace; /* ms */
	bool backstop;
	enum options_leftovers leftovers;
	const char *status; /* descriptor or path, or NULL */
	bool preserve;      /* -p */
	enum diag_level level;
	char **command; /* what follows "--", NULL-terminated, not empty */
};

/*
 * Reads argv, of which *o keeps pointers.  All of it is read even when some is
 * wrong, so that o->status is known to report that to.
 */
enum usage lease_options_parse(
    struct options *o, int argc, char **argv, char problem[USAGE_PROBLEM]);

/* What --help prints. */
extern const char lease_options_help[];

#endif
