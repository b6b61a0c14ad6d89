/* spawn.h - start the command: session or group, terminal, exec. */
#ifndef SPAWN_H
#define SPAWN_H

#include <sys/types.h>

#include <stdbool.h>

#include "mask.h"

/* Whom kill(-pid) reaches: the first two lead a group. */
enum spawn_place {
	SPAWN_GROUP,   /* a group of its own, in our session */
	SPAWN_SESSION, /* a session of its own */
	SPAWN_BESIDE   /* in our group and session */
};

struct spawn {
	char **argv; /* argv[0] is looked up in PATH, as by execvp(3) */
	const struct mask *mask; /* handed back to the command */
	enum spawn_place place;
	/*
	 * -1: none.  Else it gets a group into its foreground, or becomes the
	 * controlling terminal of a session.
	 */
	int terminal;
	bool no_stdin; /* fd 0 becomes /dev/null */
	/*
	 * What is neither binary nor "#!" is a script for /bin/sh, as with
	 * glibc's execvp(3).  argv[-1] is ours to use then.
	 */
	bool shell;
	char *pid; /* SPAWN_PID bytes that get its PID in decimal, or NULL */
	/*
	 * Called in the child when the exec has failed: says so, and returns
	 * its exit status.
	 */
	int (*failed)(void *arg, const char *file, int error);
	void *arg;
};

#define SPAWN_PID 12

/*
 * Starts the command with vfork(2): we go on when it has exec'd or failed, so
 * the result is known and not guessed, and needs no descriptor.  Returns its
 * pid.  On failure returns -1 with errno; *started says whether it was the
 * exec that failed (a child, which is ours to collect, has said so and exited)
 * or the fork (there is no child).  Where vfork is fork, as in an emulator of
 * another processor, a failed exec shows as a command that exits at once.
 */
pid_t spawn(const struct spawn *s, bool *started);

/* The exit status for a command that cannot be executed: 127 if missing. */
int spawn_code(int error);

#define SPAWN_WHY 512 /* bytes, with the final 0 */

/*
 * Why file could not be executed, in words: a script whose interpreter is
 * missing, one with DOS line ends, an empty name; else strerror(3).
 */
void spawn_why(const char *file, int error, char why[SPAWN_WHY]);

/* Complains "cannot execute 'file': why". */
void spawn_complain(const char *file, int error);

/*
 * The first of fds 0 to 2 that is our controlling terminal, or -1.  *foreground
 * says whether its foreground is ours to give: our own group is there, and fd 0
 * is that terminal, which it is not in the background of a script.
 */
int spawn_terminal(bool *foreground);

/*
 * Gives the foreground of terminal back to group; nothing if it is -1.  It is
 * left alone if a living group other than given has it; given is the group that
 * we put there, or 0 if that has failed.
 */
void spawn_reclaim(int terminal, pid_t group, pid_t given);

/*
 * Closes every descriptor but the n in keep, where -1 stands for none, and
 * leaves the working directory for "/": a waiting process must pin no pipe, no
 * volume and no mount.  Where close_range(2) (Linux 5.9) is missing, this needs
 * /proc; without that too, they stay open.
 */
void spawn_let_go(const int *keep, int n);

#endif
