/* Only reads.  Whom to believe and for how long is the caller's business. */
#include <sys/stat.h>
#include <sys/syscall.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "format.h"
#include "number.h"
#include "proc.h"

/* getdents64(2) fills in this; the C library's DIR would need malloc. */
struct dirent64 {
	uint64_t ino;
	int64_t off;
	unsigned short reclen;
	unsigned char type;
	char name[];
};

static int
open_at(int dir, const char *path)
{
	return openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

/* A small file as a string.  Returns its length, or -1 with errno. */
static ssize_t
read_text(int dir, const char *path, char *buf, size_t size)
{
	ssize_t n;
	int fd, error;

	fd = open_at(dir, path);
	if (fd == -1)
		return -1;
	n = read(fd, buf, size - 1);
	error = errno;
	close(fd);
	errno = error;
	if (n >= 0)
		buf[n] = '\0';
	return n;
}

int
proc_open(void)
{
	char self[16];
	ssize_t n;
	int proc;

	proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (proc == -1)
		return -1;
	n = readlinkat(proc, "self", self, sizeof(self) - 1);
	self[n < 0 ? 0 : n] = '\0';
	if (number_parse(self, INT_MAX) == getpid())
		return proc;
	close(proc);
	errno = ESRCH;
	return -1;
}

int
proc_stat(int proc, pid_t pid, struct proc_stat *st)
{
	char path[32], buf[1024];
	const char *s;
	ssize_t n;
	int i;

	format(path, sizeof(path), "%d/stat", pid);
	n = read_text(proc, path, buf, sizeof(buf));
	if (n <= 0) {
		if (n == 0 || errno == ESRCH)
			errno = ENOENT; /* it died after the open */
		return -1;
	}
	/* The name in parentheses may hold anything, ") R 1" too. */
	s = strrchr(buf, ')');
	if (s == NULL || s[1] != ' ' || s[2] == '\0') {
		errno = EINVAL;
		return -1;
	}
	st->state = s[2];
	s += 3;
	st->ppid = (pid_t)number_next(&s);
	number_next(&s); /* group */
	st->session = (pid_t)number_next(&s);
	st->tty = (int)number_next(&s);
	for (i = 8; i < 20; i++)
		number_next(&s);
	st->threads = (int)number_next(&s); /* field 20 */
	number_next(&s);
	st->start = (uint64_t)number_next(&s); /* field 22 */
	return 0;
}

void
proc_name(int proc, pid_t pid, char name[PROC_NAME])
{
	char path[32], buf[PROC_NAME + 1];

	name[0] = '\0';
	format(path, sizeof(path), "%d/comm", pid);
	if (read_text(proc, path, buf, sizeof(buf)) > 0)
		format(name, PROC_NAME, "%.*s", (int)strcspn(buf, "\n"), buf);
}

uint64_t
proc_ticks(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	return (uint64_t)ts.tv_sec * 100 + (uint64_t)ts.tv_nsec / 10000000;
}

bool
proc_dead(const struct proc_stat *st)
{
	return (st->state == 'Z' || st->state == 'X') && st->threads <= 1;
}

pid_t
proc_last(int proc)
{
	char buf[128];
	const char *s;

	if (read_text(proc, "loadavg", buf, sizeof(buf)) == -1)
		return 0;
	s = strrchr(buf, ' ');
	return s == NULL ? 0 : (pid_t)number_next(&s);
}

/* Calls each for every number among the names in directory dir. */
static int
numbers(int dir, proc_each *each, void *arg)
{
	_Alignas(struct dirent64) char buf[4096];
	const struct dirent64 *d;
	pid_t pid;
	long n, i;

	while ((n = syscall(SYS_getdents64, dir, buf, sizeof(buf))) > 0) {
		for (i = 0; i < n; i += d->reclen) {
			d = (const struct dirent64 *)(const void *)(buf + i);
			pid = (pid_t)number_parse(d->name, INT_MAX);
			if (pid > 0 && !each(arg, pid))
				return 0;
		}
	}
	return n == 0 ? 0 : -1;
}

struct threads {
	int task; /* /proc/PID/task */
	proc_each *each;
	void *arg;
	int error;
};

/* One thread's children: numbers with a space behind each. */
static bool
thread_children(void *arg, pid_t tid)
{
	struct threads *t = arg;
	char path[32], buf[4096];
	struct stat st;
	bool going = true;
	pid_t pid = 0;
	ssize_t n = 0, i;
	int fd;

	format(path, sizeof(path), "%d/children", tid);
	fd = open_at(t->task, path);
	if (fd == -1) {
		/* A thread that has just ended is no error: its list moved. */
		if (errno == ENOENT) {
			format(path, sizeof(path), "%d/stat", tid);
			if (fstatat(t->task, path, &st, 0) == -1)
				return true;
			errno = ENOSYS;
		}
		t->error = errno;
		return false;
	}
	while (going && (n = read(fd, buf, sizeof(buf))) > 0) {
		for (i = 0; going && i < n; i++) {
			if (buf[i] != ' ') {
				pid = pid * 10 + (buf[i] - '0');
			} else {
				going = t->each(t->arg, pid);
				pid = 0;
			}
		}
	}
	if (going && n == -1 && errno != ESRCH)
		t->error = errno;
	close(fd);
	return going && t->error == 0;
}

int
proc_children(int proc, pid_t pid, proc_each *each, void *arg)
{
	struct threads t = {.each = each, .arg = arg};
	char path[32];
	int r;

	format(path, sizeof(path), "%d/task", pid);
	t.task = open_at(proc, path);
	if (t.task == -1)
		return -1;
	r = numbers(t.task, thread_children, &t);
	close(t.task);
	if (t.error != 0) {
		errno = t.error;
		return -1;
	}
	return r;
}

int
proc_all(int proc, proc_each *each, void *arg)
{
	int dir, r;

	dir = open_at(proc, ".");
	if (dir == -1)
		return -1;
	r = numbers(dir, each, arg);
	close(dir);
	return r;
}

struct descriptors {
	int dir; /* by which we read them: not to be told of */
	proc_each *each;
	void *arg;
};

static bool
descriptor(void *arg, pid_t fd)
{
	const struct descriptors *d = arg;

	return fd == d->dir || d->each(d->arg, fd);
}

int
proc_descriptors(proc_each *each, void *arg)
{
	struct descriptors d = {.each = each, .arg = arg};
	int r;

	d.dir = open_at(AT_FDCWD, "/proc/self/fd");
	if (d.dir == -1)
		return -1;
	r = numbers(d.dir, descriptor, &d);
	close(d.dir);
	return r;
}
