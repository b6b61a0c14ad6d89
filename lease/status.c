/* A report follows the act and never delays it. */
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "format.h"
#include "nowait.h"
#include "number.h"
#include "signame.h"
#include "status.h"

#define RS '\036' /* record separator */

static bool
is_number(const char *text)
{
	return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

static int
open_path(const char *path)
{
	int fd, high;

	/* O_NONBLOCK: a FIFO that nobody reads is an error, not a wait. */
	fd = open(path,
	    O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
	    0666);
	if (fd == -1 || fd > STDERR_FILENO)
		return fd;
	/* In place of a closed stdout it would get what is not for it. */
	high = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	close(fd);
	return high;
}

int
status_open(struct status *s, const char *target)
{
	int n, flags;

	s->framed = false;
	if (!is_number(target)) {
		s->fd = open_path(target);
		return s->fd == -1 ? -1 : 0;
	}
	s->fd = -1;
	n = (int)number_parse(target, INT_MAX);
	flags = n > STDIN_FILENO ? fcntl(n, F_GETFL) : -1;
	if (flags == -1 || (flags & O_ACCMODE) == O_RDONLY) {
		errno = EBADF;
		return -1;
	}
	s->fd = n;
	s->framed = n <= STDERR_FILENO;
	if (!s->framed)
		fcntl(s->fd, F_SETFD, FD_CLOEXEC);
	return 0;
}

static void __attribute__((format(printf, 2, 3)))
line(const struct status *s, const char *fmt, ...)
{
	char buf[PIPE_BUF];
	size_t n = 0;
	va_list ap;

	if (s->fd == -1)
		return;
	if (s->framed)
		buf[n++] = RS;
	va_start(ap, fmt);
	n += vformat(buf + n, sizeof(buf) - n - 1, fmt, ap);
	va_end(ap);
	buf[n++] = '\n';
	if (nowait_write(s->fd, buf, n) == -1)
		warn("status line dropped: %s", errno == EAGAIN
						    ? "its reader does not read"
						    : strerror(errno));
}

void
status_refused(const struct status *s, const char *reason, int error)
{
	line(s, "{\"event\":\"refused\",\"reason\":\"%s\",\"errno\":%d}",
	    reason, error);
}

void
status_started(const struct status *s, const char *session, pid_t pid)
{
	line(s, "{\"event\":\"started\",\"session\":\"%s\",\"pid\":%d}",
	    session, pid);
}

void
status_ending(const struct status *s, const char *reason)
{
	line(s, "{\"event\":\"ending\",\"reason\":\"%s\"}", reason);
}

void
status_survivor(struct status_survivors *list, pid_t pid, const char *why)
{
	char one[128];
	size_t n;

	n = format(one, sizeof(one), "%s{\"pid\":%d,\"why\":\"%s\"}",
	    list->used > 0 ? "," : "", pid, why);
	if (list->used + n >= sizeof(list->text))
		return;
	memcpy(list->text + list->used, one, n + 1);
	list->used += n;
}

void
status_ended(const struct status *s, const struct status_end *end,
    const struct status_survivors *list)
{
	char code[16] = "null", sig[20] = "null";

	if (end->collected && WIFEXITED(end->wait_status))
		format(code, sizeof(code), "%d", WEXITSTATUS(end->wait_status));
	if (end->collected && WIFSIGNALED(end->wait_status))
		format(sig, sizeof(sig), "\"%s\"",
		    signame_of(WTERMSIG(end->wait_status)).text);
	line(s,
	    "{\"event\":\"ended\",\"reason\":\"%s\",\"exit_code\":%s,"
	    "\"signal\":%s,\"forced\":%s,\"leftovers\":%zu,"
	    "\"survivors\":[%.*s],\"elapsed_ms\":%lld}",
	    end->reason, code, sig, end->forced ? "true" : "false",
	    end->leftovers, (int)list->used, list->text,
	    (long long)end->elapsed_ms);
}
