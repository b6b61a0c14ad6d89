/* owner.h - the evidence that the owner lives: a descriptor's far end. */
#ifndef OWNER_H
#define OWNER_H

#include <stdbool.h>
#include <stdint.h>

struct owner {
	int fd;         /* the lease, or -1: none held, or lost */
	bool packets;   /* a seqpacket socket: 0 bytes may be a packet */
	uint64_t bytes; /* that came so far; their meaning is "I live" */
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
	OWNER_QUIET, /* nothing is known: not evidence of anything */
	OWNER_ALIVE, /* bytes came */
	OWNER_LOST,  /* the far end has closed: end of file, or a reset */
};

/*
 * Takes fd as the lease if it can be one: a pipe or FIFO open for reading
 * alone, or a connected stream or seqpacket socket, that has not hung up.  It
 * becomes close-on-exec, so that the command does not hold it.  The caller
 * keeps ownership of fd.  On refusal o->fd is -1, and errno says more where
 * there is more (OWNER_CLOSED: EBADF).
 */
enum owner_refusal owner_open(struct owner *o, int fd);

/*
 * What poll(2) is to wait for: POLLIN, and POLLRDHUP, by which a socket tells a
 * half-close (a FIN of TCP raises no POLLHUP).
 */
short owner_events(void);

/*
 * After poll reported revents: reads and drops what has come, a bounded amount
 * a call, without blocking.  The end counts once a read returns 0, behind all
 * bytes; a hang-up alone counts only where reading is refused to us.  After
 * OWNER_LOST, o->fd is -1.
 */
enum owner_news owner_read(struct owner *o, short revents);

#endif
