/* signame.h - signals by name and by number. */
#ifndef SIGNAME_H
#define SIGNAME_H

#include <stdbool.h>

#define SIGNAME_MAX 64 /* the last signal number: the kernel's _NSIG */

/*
 * The first real-time signal for a program's use.  The C library takes the
 * first ones for itself; glibc, bash, systemd and Docker all begin at 34, and
 * a name must mean one number whatever we are linked with.
 */
#define SIGNAME_RTMIN 34

struct signame {
	char text[16]; /* "SIGRTMIN+30" is the longest */
};

/*
 * Reads "TERM", "SIGTERM", "15", "RTMIN+3" or "RTMAX-2" (kill(1)), in either
 * case.  Returns a number from 1 to 64, or -1 if it is none.
 */
int signame_parse(const char *text);

/* Whether sig is one that terminals stop jobs by: TSTP, TTIN or TTOU. */
bool signame_stops(int sig);

/* The name of signal sig, with "SIG"; for one without a name its number. */
struct signame signame_of(int sig);

#endif
