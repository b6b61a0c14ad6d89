/*
 * One bit for each PID that there can be.  Half a megabyte of addresses, of
 * which only the touched pages cost memory: less code and less to go wrong
 * than a table that grows.
 */
#include <sys/mman.h>

#include <stddef.h>

#include "pidset.h"

bool
pidset_has(const struct pidset *s, pid_t pid)
{
	if (s->bits == NULL || pid < 0 || pid >= PID_LIMIT)
		return false;
	return s->bits[pid / 64] >> pid % 64 & 1;
}

bool
pidset_add(struct pidset *s, pid_t pid)
{
	void *p;

	if (pid < 0 || pid >= PID_LIMIT)
		return true;
	if (s->bits == NULL) {
		p = mmap(NULL, PIDSET_BYTES, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (p == MAP_FAILED)
			return true;
		s->bits = p;
	}
	if (pidset_has(s, pid))
		return false;
	s->bits[pid / 64] |= UINT64_C(1) << pid % 64;
	return true;
}

void
pidset_clear(struct pidset *s)
{
	if (s->bits != NULL)
		munmap(s->bits, PIDSET_BYTES);
	s->bits = NULL;
}
