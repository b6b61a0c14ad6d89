/*
 * Between vfork and exec the child runs in our memory while we stand still.
 * All signals are blocked until its last step, so none of ours can be taken
 * there, and it leaves us one thing: the errno of a failed exec.
 */
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "diag.h"
#include "format.h"
#include "proc.h"
#include "spawn.h"

#ifndef SYS_close_range
#define SYS_close_range 436 /* Linux 5.9, the same on all architectures */
#endif

/*
 * An empty pipe whose writer is closed reads like /dev/null, for a root
 * without devices.
 */
static void
null_stdin(void)
{
	int p[2];

	close(STDIN_FILENO);
	if (open("/dev/null", O_RDONLY) == STDIN_FILENO)
		return;
	if (pipe(p) == -1)
		return; /* stdin stays closed: reads fail, as they should */
	close(p[1]);
	if (p[0] != STDIN_FILENO) {
		dup2(p[0], STDIN_FILENO);
		close(p[0]);
	}
}

/* Where to look for file: the directories of PATH, or nowhere else. */
static const char *
places(const char *file)
{
	const char *path = getenv("PATH");

	if (file[0] == '\0' || strchr(file, '/') != NULL)
		return "";
	/* The C libraries' default, less the current directory. */
	return path == NULL ? "/usr/local/bin:/bin:/usr/bin" : path;
}

/*
 * Puts the next candidate for file into path and moves *rest behind it; an
 * empty place is the current directory.  False when there is none left.
 */
static bool
candidate(const char **rest, const char *file, char *path, size_t size)
{
	const char *end;

	if (*rest == NULL)
		return false;
	end = strchrnul(*rest, ':');
	format(path, size, "%.*s%s%s", (int)(end - *rest), *rest,
	    end > *rest ? "/" : "", file);
	*rest = *end == '\0' ? NULL : end + 1;
	return true;
}

static bool
find(const char *file, char *path, size_t size)
{
	const char *rest = places(file);

	while (candidate(&rest, file, path, size))
		if (access(path, F_OK) == 0)
			return true;
	return false;
}

static void
exec_by_shell(char **argv, char *path)
{
	static char shell[] = "/bin/sh";

	argv[-1] = shell;
	argv[0] = path;
	execve(shell, argv - 1, environ);
	errno = ENOEXEC;
}

/*
 * Like execvp(3), but whether what is neither a binary nor begins with "#!" is
 * a script for the shell does not depend on the C library.  Returns with errno.
 */
static void
exec_in_path(const struct spawn *s)
{
	const char *file = s->argv[0], *rest = places(file);
	char path[PATH_MAX];
	int error = ENOENT;

	while (candidate(&rest, file, path, sizeof(path))) {
		/*
		 * From here on a signal may stop us, and the parent with us:
		 * not for each place where there is nothing.
		 */
		if (access(path, F_OK) == -1 &&
		    (errno == ENOENT || errno == ENOTDIR))
			continue;
		mask_restore(s->mask);
		execve(path, s->argv, environ);
		if (errno == ENOEXEC && s->shell)
			exec_by_shell(s->argv, path);
		if (errno == EACCES)
			error = EACCES; /* if none other will do */
		else if (errno != ENOENT && errno != ENOTDIR)
			return;
	}
	errno = error;
}

/* ENOTTY, ENXIO, EBADF, EACCES, EPERM: a terminal is nice to have. */
static void
take_place(const struct spawn *s)
{
	switch (s->place) {
	case SPAWN_GROUP:
		setpgid(0, 0);
		if (s->terminal != -1)
			tcsetpgrp(s->terminal, getpid());
		break;
	case SPAWN_SESSION:
		setsid();
		if (s->terminal != -1)
			ioctl(s->terminal, TIOCSCTTY, 0);
		break;
	case SPAWN_BESIDE:
		break;
	}
}

/* In the child.  Returns only if exec failed. */
static void
become(const struct spawn *s, pid_t parent)
{
	/* If our parent has been killed, nobody wants the command any more. */
	if (getppid() != parent)
		_exit(127);
	take_place(s);
	if (s->no_stdin)
		null_stdin();
	if (s->pid != NULL)
		format(s->pid, SPAWN_PID, "%d", getpid());
	exec_in_path(s);
}

pid_t
spawn(const struct spawn *s, bool *started)
{
	char *const name = s->argv[0];
	const pid_t self = getpid();
	volatile int error = 0;
	pid_t pid;

	pid = vfork();
	if (pid == 0) {
		become(s, self);
		error = errno;
		_exit(s->failed(s->arg, name, error));
	}
	/* The child's array is ours; it may have put its own path there. */
	s->argv[0] = name;
	*started = pid != -1;
	if (pid != -1 && error != 0) {
		errno = error;
		return -1;
	}
	return pid;
}

int
spawn_code(int error)
{
	return error == ENOENT || error == ENOTDIR ? 127 : 126;
}

/* The interpreter that path names in its first line; "" if none. */
static void
interpreter(const char *path, char *name, size_t size)
{
	char line[256] = "";
	const char *start;
	ssize_t n = -1;
	int fd;

	name[0] = '\0';
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd != -1) {
		n = read(fd, line, sizeof(line) - 1);
		close(fd);
	}
	if (n < 2 || strncmp(line, "#!", 2) != 0)
		return;
	line[n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	start = line + 2 + strspn(line + 2, " \t");
	format(name, size, "%.*s", (int)strcspn(start, " \t"), start);
}

void
spawn_why(const char *file, int error, char why[SPAWN_WHY])
{
	char path[PATH_MAX], interp[256];
	size_t n;

	format(why, SPAWN_WHY, "%s", strerror(error));
	if (file[0] == '\0')
		format(why, SPAWN_WHY, "empty command");
	else if (error == ENOEXEC)
		format(why, SPAWN_WHY,
		    "%s: a script needs a first line like #!/bin/sh, a binary"
		    " this machine's format",
		    strerror(error));
	if (error != ENOENT || file[0] == '\0' ||
	    !find(file, path, sizeof(path)))
		return;
	interpreter(path, interp, sizeof(interp));
	n = strlen(interp);
	if (n > 0 && interp[n - 1] == '\r')
		format(why, SPAWN_WHY,
		    "its first line ends in a carriage return, so it asks for"
		    " the interpreter '%s': save it with Unix line ends",
		    interp);
	else if (n > 0)
		format(
		    why, SPAWN_WHY, "its interpreter '%s' is missing", interp);
	else
		format(why, SPAWN_WHY,
		    "it is there, but the loader that it names is missing"
		    " (built for another libc?)");
}

void
spawn_complain(const char *file, int error)
{
	char why[SPAWN_WHY];

	spawn_why(file, error, why);
	complain("cannot execute '%s': %s", file, why);
}

int
spawn_terminal(bool *foreground)
{
	struct stat st;
	pid_t group;
	int fd;

	*foreground = false;
	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		/* Not tcgetpgrp: musl's hides a group of another namespace. */
		if (ioctl(fd, TIOCGPGRP, &group) == -1)
			continue;
		/* The master of a pty answers as well: /dev/ptmx, 5:2. */
		if (fstat(fd, &st) == 0 && st.st_rdev == makedev(5, 2))
			continue;
		/* 0 is a group outside of our PID namespace, any of them. */
		*foreground =
		    fd == STDIN_FILENO && group > 0 && group == getpgrp();
		return fd;
	}
	return -1;
}

void
spawn_reclaim(int terminal, pid_t group, pid_t given)
{
	pid_t now;

	if (terminal == -1 || ioctl(terminal, TIOCGPGRP, &now) == -1)
		return;
	/* A shell, say, has taken it since, and uses it. */
	if (given != 0 && now != given && (now <= 1 || kill(-now, 0) == 0))
		return;
	/* SIGTTOU is blocked, so that a background group may do this. */
	tcsetpgrp(terminal, group);
}

struct keep {
	const int *fds; /* -1 where there is none */
	int n;
};

/* By the gaps between those kept; -1 with errno if that cannot be done. */
static int
close_gaps(const struct keep *k)
{
	const unsigned none = ~0U; /* what -1 is as well */
	unsigned first = 0, next;
	int i;

	do {
		next = none;
		for (i = 0; i < k->n; i++)
			if ((unsigned)k->fds[i] >= first &&
			    (unsigned)k->fds[i] < next)
				next = (unsigned)k->fds[i];
		if (next > first &&
		    syscall(SYS_close_range, first,
			next == none ? none : next - 1, 0U) == -1)
			return -1;
		first = next + 1;
	} while (next != none);
	return 0;
}

static bool
close_other(void *arg, pid_t fd)
{
	const struct keep *k = arg;
	int i;

	for (i = 0; i < k->n; i++)
		if (k->fds[i] == fd)
			return true;
	close(fd);
	return true;
}

void
spawn_let_go(const int *keep, int n)
{
	struct keep k = {keep, n};

	if (chdir("/") == -1)
		warn("cannot leave the working directory: %s", strerror(errno));
	if (close_gaps(&k) == -1) {
		close_other(&k, 0);
		proc_descriptors(close_other, &k);
	}
}
