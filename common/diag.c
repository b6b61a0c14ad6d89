/* say is for -v, warn for what went wrong, complain for what stopped us. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "format.h"
#include "nowait.h"

static const char *diag_prefix = "lease: ";
static enum diag_level diag_now = DIAG_NORMAL;

void
diag_init(const char *prefix)
{
	diag_prefix = prefix;
}

void
diag_level(enum diag_level level)
{
	diag_now = level;
}

bool
diag_tells(enum diag_level level)
{
	return diag_now >= level;
}

static void __attribute__((format(printf, 2, 0)))
line(enum diag_level need, const char *fmt, va_list ap)
{
	char text[DIAG_MAX];
	int error = errno;
	size_t i, n;

	if (!diag_tells(need))
		return;
	n = format(text, sizeof(text), "%s", diag_prefix);
	n += vformat(text + n, sizeof(text) - n, fmt, ap);
	for (i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = '?';
	text[n++] = '\n';
	(void)nowait_write(STDERR_FILENO, text, n);
	errno = error;
}

void
say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	line(DIAG_VERBOSE, fmt, ap);
	va_end(ap);
}

void
warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	line(DIAG_NORMAL, fmt, ap);
	va_end(ap);
}

void
complain(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	line(DIAG_QUIET, fmt, ap);
	va_end(ap);
}

_Noreturn void
die(int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	line(DIAG_QUIET, fmt, ap);
	va_end(ap);
	_exit(code);
}

void
print(int fd, int code, const char *text)
{
	if (write(fd, text, strlen(text)) == -1)
		die(code, "cannot write: %s", strerror(errno));
}
