/* proc.h - what /proc says of processes: proc(5). */
#ifndef PROC_H
#define PROC_H

#include <sys/types.h>

#include <stdbool.h>
#include <stdint.h>

struct proc_stat {
	char state; /* R, S, D, T, Z, X ... */
	pid_t ppid;
	pid_t session;
	int tty; /* device number of the controlling terminal, or 0 */
	int threads;
	uint64_t start; /* clock ticks since boot, see proc_ticks */
};

/*
 * Opens /proc.  Returns a descriptor for the other functions, or -1 with errno;
 * ESRCH if this /proc shows another PID namespace than ours, whose numbers mean
 * other processes.
 */
int proc_open(void);

/* /proc/PID/stat.  Returns 0, or -1 with errno (ENOENT: no such process). */
int proc_stat(int proc, pid_t pid, struct proc_stat *st);

/* Now, in the unit of proc_stat.start: whole 1/100 s, CLOCK_BOOTTIME. */
uint64_t proc_ticks(void);

/* Dead altogether: not a process of which only the first thread has ended. */
bool proc_dead(const struct proc_stat *st);

/* The last PID that our namespace gave out, from /proc/loadavg; 0: unknown. */
pid_t proc_last(int proc);

#define PROC_NAME 16 /* bytes of a name, with the final 0: TASK_COMM_LEN */

/*
 * The name of pid's program, from /proc/PID/comm, cut at 15 bytes.  Empty if
 * unknown.
 */
void proc_name(int proc, pid_t pid, char name[PROC_NAME]);

/* Given each PID found; returns false to stop. */
typedef bool proc_each(void *arg, pid_t pid);

/*
 * The children of all threads of pid, from /proc/PID/task/TID/children.  One
 * that is born or dies meanwhile may be missed, others only where one dies.
 * Returns 0, or -1 with errno: ENOENT if there is no such process, ENOSYS if
 * the kernel has no such file (CONFIG_PROC_CHILDREN, Linux 3.5).
 */
int proc_children(int proc, pid_t pid, proc_each *each, void *arg);

/* Every process in /proc.  Returns 0, or -1 with errno. */
int proc_all(int proc, proc_each *each, void *arg);

/* Every descriptor of ours but 0, which may be closed on the way; likewise. */
int proc_descriptors(proc_each *each, void *arg);

#endif
