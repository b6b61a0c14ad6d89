/*
 * A zombie costs a PID until its parent calls wait(2).  No init can do that for
 * the parent, but it can say whose bug it is.
 */
#include <unistd.h>

#include "clock.h"
#include "diag.h"
#include "proc.h"
#include "words.h"
#include "zombies.h"

#define AGAIN_MS 1000

static bool
below_us(int proc, pid_t pid)
{
	const pid_t self = getpid();
	struct proc_stat st;
	int depth;

	if (self == 1)
		return true;
	/* Reused PIDs could make a loop of what is read one by one. */
	for (depth = 0; pid > 1 && depth < 1000; depth++) {
		if (pid == self)
			return true;
		if (proc_stat(proc, pid, &st) == -1)
			return false;
		pid = st.ppid;
	}
	return false;
}

static bool
look_at(void *arg, pid_t pid)
{
	struct zombies *z = arg;
	struct proc_stat st;

	/* A parent of 0 is outside: what came by docker exec. */
	if (proc_stat(z->proc, pid, &st) == -1 || !proc_dead(&st) ||
	    st.ppid == 0 || st.ppid == getpid() || !below_us(z->proc, st.ppid))
		return true;
	pidset_add(&z->seen, pid);
	if (!pidset_has(&z->told, pid))
		warn("%s is a zombie that its parent, %s, has not collected",
		    words_process(pid).text, words_process(st.ppid).text);
	return true;
}

void
zombies_look(struct zombies *z)
{
	int64_t now = clock_ms();

	if (now < z->next)
		return;
	z->next = now + AGAIN_MS;
	z->proc = proc_open();
	if (z->proc == -1)
		return;
	proc_all(z->proc, look_at, z);
	close(z->proc);
	pidset_clear(&z->told);
	z->told = z->seen;
	z->seen = (struct pidset){0};
}
