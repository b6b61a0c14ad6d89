/* init.h - the program lease-init, under its own and other inits' names. */
#ifndef INIT_H
#define INIT_H

#include <stdbool.h>

struct name; /* names.h */

/* What a name without directories means; NULL if it is not one of ours. */
const struct name *init_find(const char *name);

/*
 * Whether this name, followed by the word "lease", means lease: an engine's own
 * name for us, in a process that came by docker exec.
 */
bool init_lends(const struct name *name);

/* Runs under this name; argv as for main. */
int init_main(const struct name *name, int argc, char **argv);

#endif
