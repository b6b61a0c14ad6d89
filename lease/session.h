/* session.h - the name of a session, and how its members know it. */
#ifndef SESSION_H
#define SESSION_H

#define SESSION_VARIABLE "LEASE_ID"

struct session {
	const char *id;    /* 63 random bits as 16 hexadecimal digits */
	char variable[32]; /* LEASE_ID=id, in the environment */
};

/*
 * Invents an id and puts it into our environment, in place of one that an outer
 * lease set.  *s has to last as long as the environment.  Without memory the
 * environment stays as it was, with a warning.
 */
void session_init(struct session *s);

#endif
