/* init.h - the program lease-init, under its own and other inits' names. */
#ifndef INIT_H
#define INIT_H

#include <stdbool.h>

/* Whether a program started as name, without directories, is this one. */
bool init_known(const char *name);

/*
 * Whether a known name, followed by the word "lease", means lease: an engine's
 * own name for us, in a process that came by docker exec.
 */
bool init_lends(const char *name);

/* Runs under a known name; argv as for main. */
int init_main(const char *name, int argc, char **argv);

#endif
