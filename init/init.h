/* init.h - the program lease-init, see lease-init(8). */
#ifndef INIT_H
#define INIT_H

/* A whole program: takes main's arguments, returns the exit status. */
int init_main(int argc, char **argv);

#endif
