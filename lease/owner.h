/* owner.h - the evidence that the owner lives: descriptor, renewals, process.
 */
#ifndef OWNER_H
#define OWNER_H

#include <sys/types.h>

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#define OWNER_MOST 16 /* processes that can be owners at a time */

struct owner_process {
	pid_t pid;
	int pidfd;      /* or -1 where the kernel refuses it */
	uint64_t start; /* without: proc_stat's, or 0 */
};

struct owner {
	int fd;         /* the lease, or -1: none held, or lost */
	bool packets;   /* a seqpacket socket: 0 bytes may be a packet */
	uint64_t bytes; /* that came so far; their meaning is "I live" */
	int64_t ttl;    /* ms, or 0: none */
	int64_t term;   /* when the term of the ttl ends, or CLOCK_NEVER */
	bool excused;   /* a term was given without a byte */
	struct owner_process who[OWNER_MOST];
	nfds_t n;     /* of who */
	int64_t look; /* when to look at who has no pidfd, or CLOCK_NEVER */
	pid_t gone;   /* who of them has exited, after OWNER_EXITED */
};

/* Why a descriptor cannot be a lease: it would never end, or has ended. */
enum owner_refusal {
	OWNER_FIT,
	OWNER_NULL,     /* /dev/null: docker exec without -i */
	OWNER_TERMINAL, /* its hang-up does not reach a container */
	OWNER_FILE,     /* a file, a device, or a pipe that we could write to */
	OWNER_CLOSED,   /* no such descriptor */
	OWNER_HUNG_UP,  /* the far end has gone, or was never there */
};

enum owner_news {
	OWNER_QUIET,   /* nothing is known: not evidence of anything */
	OWNER_ALIVE,   /* bytes came */
	OWNER_LOST,    /* the far end has closed: end of file, or a reset */
	OWNER_EXITED,  /* a process that was named has exited */
	OWNER_EXPIRED, /* no byte came for the ttl */
};

/* Holds nothing.  From now on the term of ttl runs (ms; 0: none). */
void owner_init(struct owner *o, int64_t ttl, int64_t now);

/*
 * Takes fd as the lease if it can be one: a pipe or FIFO open for reading
 * alone, or a connected stream or seqpacket socket, that has not hung up.  It
 * becomes close-on-exec, so that the command does not hold it.  The caller
 * keeps ownership of fd.  On refusal o->fd is -1, and errno says more where
 * there is more (OWNER_CLOSED: EBADF).
 */
enum owner_refusal owner_open(struct owner *o, int fd);

/*
 * Takes process pid as an owner, by a pidfd.  Where that is refused, it is
 * looked at every second, by kill(2) with signal 0; its start time guards
 * against another that gets its PID.  Returns 0, or -1 with errno: ESRCH if it
 * does not exist (or has exited), EINVAL for a thread, E2BIG for one too many.
 */
int owner_add(struct owner *o, pid_t pid);

#define OWNER_FDS (1 + OWNER_MOST)

/*
 * Fills in what poll(2) is to wait for, at most OWNER_FDS, and returns how
 * many. (A half-close of a socket is POLLRDHUP; a FIN of TCP raises no
 * POLLHUP.)
 */
nfds_t owner_poll(const struct owner *o, struct pollfd *fds);

/* When to call owner_look though nothing happened. */
int64_t owner_deadline(const struct owner *o);

/*
 * After poll, with the same fds: reads and drops what has come, a bounded
 * amount, without blocking, and looks at the rest.  The end of the lease counts
 * once a read returns 0, behind all bytes; a hang-up alone only where reading
 * is refused to us.  After OWNER_LOST, o->fd is -1.
 *
 * A term of the ttl that ended while we were late ourselves, by more than
 * 250 ms and a tenth of it, is followed by another, once between two bytes.
 */
enum owner_news owner_look(
    struct owner *o, const struct pollfd *fds, int64_t now);

/* We were stopped and go on, so the owner may have been too: another term. */
void owner_excuse(struct owner *o, int64_t now);

#endif
