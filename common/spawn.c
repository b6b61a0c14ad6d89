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
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "diag.h"
#include "format.h"
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

/*
 * Like execvp(3), and the same with every C library: what is neither a binary
 * nor begins with "#!" is an error, not a shell script.  Returns with errno.
 */
static void
exec_in_path(char *const *argv)
{
	const char *rest = places(argv[0]);
	char path[PATH_MAX];
	int error = ENOENT;

	while (candidate(&rest, argv[0], path, sizeof(path))) {
		execve(path, argv, environ);
		if (errno == EACCES)
			error = EACCES; /* if none other will do */
		else if (errno != ENOENT && errno != ENOTDIR)
			return;
	}
	errno = error;
}

/* In the child.  Returns only if exec failed. */
static void
become(const struct spawn *s)
{
	if (s->session)
		setsid();
	else
		setpgid(0, 0);
	/* ENOTTY, ENXIO, EBADF, EACCES: a terminal is nice to have. */
	if (s->terminal != -1)
		tcsetpgrp(s->terminal, getpid());
	if (s->no_stdin)
		null_stdin();
	mask_restore(s->mask);
	exec_in_path(s->argv);
}

pid_t
spawn(const struct spawn *s, bool *started)
{
	volatile int error = 0;
	pid_t pid;

	pid = vfork();
	if (pid == 0) {
		become(s);
		error = errno;
		_exit(spawn_code(errno));
	}
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
spawn_complain(const char *file, int error)
{
	char path[PATH_MAX], interp[256];
	size_t n;

	if (file[0] == '\0') {
		complain("cannot execute '': empty command");
		return;
	}
	if (error == ENOEXEC) {
		complain("cannot execute '%s': %s: a script needs a first line"
			 " like #!/bin/sh, a binary this machine's format",
		    file, strerror(error));
		return;
	}
	if (error != ENOENT || !find(file, path, sizeof(path))) {
		complain("cannot execute '%s': %s", file,
		    error == ENOENT ? "not found" : strerror(error));
		return;
	}
	interpreter(path, interp, sizeof(interp));
	n = strlen(interp);
	if (n > 0 && interp[n - 1] == '\r')
		complain("cannot execute '%s': its first line ends in a"
			 " carriage return, so it asks for the interpreter"
			 " '%s': save it with Unix line ends",
		    path, interp);
	else if (n > 0)
		complain("cannot execute '%s': its interpreter '%s' is missing",
		    path, interp);
	else
		complain("cannot execute '%s': it is there, but the loader that"
			 " it names is missing (built for another libc?)",
		    path);
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
		*foreground = group == getpgrp();
		return fd;
	}
	return -1;
}

void
spawn_reclaim(int terminal, pid_t group)
{
	/* SIGTTOU is blocked, so that a background group may do this. */
	if (terminal != -1)
		tcsetpgrp(terminal, group);
}

void
spawn_let_go(const int *keep, int n)
{
	const unsigned none = ~0U; /* what -1 is as well */
	unsigned first = 0, next;
	int i;

	do {
		next = none;
		for (i = 0; i < n; i++)
			if ((unsigned)keep[i] >= first &&
			    (unsigned)keep[i] < next)
				next = (unsigned)keep[i];
		if (next > first)
			syscall(SYS_close_range, first,
			    next == none ? none : next - 1, 0U);
		first = next + 1;
	} while (next != none);
	if (chdir("/") == -1)
		warn("cannot leave the working directory: %s", strerror(errno));
}
