/*
 * Linked with -Wl,--wrap=proc_children: the kernel has no list of children.  An
 * object and no program: see scripts/check.
 */
#include <errno.h>

#include "proc.h"

int __wrap_proc_children(int proc, pid_t pid, proc_each *each, void *arg);

int
__wrap_proc_children(int proc, pid_t pid, proc_each *each, void *arg)
{
	(void)proc;
	(void)pid;
	(void)each;
	(void)arg;
	errno = ENOSYS;
	return -1;
}
