/* tree.h - list the descendants, signal them safely, name the survivors. */
#ifndef TREE_H
#define TREE_H

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pidset.h"

#define TREE_NAMED 32 /* survivors told by name */
#define TREE_FEW   64 /* processes at a time when there is no memory */

/*
 * The processes below us; as PID 1 with all set, every other process of the PID
 * namespace.  We must be a subreaper (prctl(2)) or PID 1, so that an orphan
 * comes to us and a descendant stays one.
 *
 * What makes a signal safe: a child of ours cannot vanish before we collect it
 * (and this module does not), so its PID, group and session are what they
 * were.  A session that is not ours was begun below us, so all of its members
 * are ours.  Any other PID is held by a pidfd(2) first and its parentage read
 * after that.
 */
struct tree {
	bool all;
	bool strays;     /* children from before, whose sessions may be any */
	int proc;        /* proc_open's, or -1 */
	bool unreadable; /* a scan of it could not see everybody */
	pid_t self;      /* our PID */
	pid_t session;   /* our session, whose members need not be ours */
	pid_t *v;    /* the processes listed last, parents before children */
	size_t n;    /* how many */
	size_t near; /* the first of them, which are safe to signal by PID */
	size_t room; /* of v */
	pid_t few[TREE_FEW];
	struct pidset sessions; /* of our children, except our own */
	struct pidset known;    /* while descendants are sought among all */
	struct pidset seen;     /* while all are being stopped */
	struct pidset stopped_groups;
	struct pidset asked_groups;
	struct pidset asked_pids;
	uint64_t asked_at; /* proc_ticks when the asking began */
	pid_t asked_last;  /* the last PID given out before it, or 0 */
};

/*
 * Prepares an empty tree.  all: we are PID 1 and this is to be everything.
 * strays: we had children before we started any (reap_children), so that what
 * they share a session or group with need not be ours.
 */
void tree_init(struct tree *t, bool all, bool strays);

#define TREE_SHARED ((size_t)2 * PIDSET_BYTES)

/*
 * Keeps in memory, TREE_SHARED bytes of zeros in whole pages, who was asked. If
 * two processes share that, the other asks nobody a second time.
 */
void tree_share(struct tree *t, void *memory);

/*
 * After fork, in the process that goes on with the tree of another: everything
 * but who was asked, and when, is begun anew.
 */
void tree_inherit(struct tree *t, bool all);

/* Opens /proc and gets memory, now rather than at the first need. */
void tree_open(struct tree *t);

/* Gives back what tree_open took. */
void tree_close(struct tree *t);

/* How many processes live now; without /proc, of our children. */
size_t tree_count(struct tree *t);

/*
 * Asks pid alone, a child of ours that is not collected.  tree_ask then asks it
 * no second time, and so no group of it as a whole.
 */
void tree_ask_leader(struct tree *t, pid_t pid, int sig);

/*
 * Asks those in reach of our own children: sends sig and SIGCONT, once, to each
 * child's process group where it holds descendants only, else to the child.
 * For all: kill(-1).  A group is asked in one step that no fork can escape.
 */
void tree_ask(struct tree *t, int sig);

/*
 * Asks the others that were there when tree_ask was called, each once, and
 * sends SIGHUP to session leaders that have a terminal: an interactive shell
 * ignores SIGTERM.  Who was born after the asking is cleaning up, and is left
 * alone.  Stops looking at the time until (clock_ms): with a fork bomb and no
 * processor left for us, a look may take seconds.
 */
void tree_ask_rest(struct tree *t, int sig, int64_t until);

/* Sends sig to everybody there is, in no order. */
void tree_signal(struct tree *t, int sig);

/*
 * Sends SIGKILL to everybody: stops all, until a pass finds nobody new, then
 * kills children before their parents.  (A job-control shell that dies first
 * would have the kernel continue its stopped jobs.)  Returns how many
 * it was sent to.  Call again while some are left.
 */
size_t tree_kill(struct tree *t);

/*
 * For all, when waitpid says that we have no children: processes that came in
 * by setns(2), as by docker exec, are not our children.  Finds one that lives
 * and returns a pidfd of it, which polls readable at its end.  Returns -1 with
 * ESRCH if nobody lives, or with another errno if that cannot be told or
 * watched.
 */
int tree_watch(struct tree *t);

/*
 * Calls each with the PID of who is left and why, in words, for at most
 * TREE_NAMED of them.  Returns how many there are.
 */
size_t tree_survivors(struct tree *t,
    void (*each)(void *arg, pid_t pid, const char *why), void *arg);

#endif
