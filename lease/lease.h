/* lease.h - the program lease, see lease(1). */
#ifndef LEASE_H
#define LEASE_H

/* A whole program: takes main's arguments, returns the exit status. */
int lease_main(int argc, char **argv);

#endif
