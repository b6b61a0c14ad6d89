/* status.h - what became of a session, for programs: one JSON object a line. */
#ifndef STATUS_H
#define STATUS_H

#include <sys/types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct status {
	int fd;      /* where lines go, or -1: nowhere */
	bool framed; /* each begins with RS (RFC 7464): fd is 1 or 2 */
};

struct status_end {
	const char *reason;
	bool collected; /* the command's wait status is known */
	int wait_status;
	bool forced;
	size_t leftovers;
	int64_t elapsed_ms;
};

/*
 * Opens target: a descriptor's number (1, 2 or more, open for writing, which
 * becomes close-on-exec from 3 on) or a path, to which lines are appended.
 * Returns 0, or -1 with errno.
 */
int status_open(struct status *s, const char *target);

/*
 * Each writes one line of at most PIPE_BUF bytes in one write, which never
 * waits: without room, or on a full disk, it is dropped with a warning.
 * reason, words of this program, needs no escaping.
 */
void status_refused(const struct status *s, const char *reason, int error);
void status_started(const struct status *s, const char *session, pid_t pid);
void status_ending(const struct status *s, const char *reason);

/*
 * The last line.  Survivors come from status_survivor, called before it for
 * each; those that do not fit are left out.
 */
struct status_survivors {
	char text[2048];
	size_t used;
};
void status_survivor(struct status_survivors *list, pid_t pid, const char *why);
void status_ended(const struct status *s, const struct status_end *end,
    const struct status_survivors *list);

#endif
