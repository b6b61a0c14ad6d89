/* say is for -v, warn for what went wrong, complain for what stopped us. */
#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#include "diag.h"
#include "format.h"
#include "nowait.h"

static const char *diag_name = "lease";
static enum diag_level diag_now = DIAG_NORMAL;

void
diag_init(const char *name)
{
	diag_name = name;
}

void
diag_level(enum diag_level level)
{
	diag_now = level;
}

static void
print(enum diag_level need, const char *fmt, va_list ap)
{
	char line[DIAG_MAX];
	int error = errno;
	size_t i, n;

	if (diag_now < need)
		return;
	n = format(line, sizeof(line), "%s: ", diag_name);
	n += vformat(line + n, sizeof(line) - n, fmt, ap);
	for (i = 0; i < n; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
			line[i] = '?';
	line[n++] = '\n';
	(void)nowait_write(STDERR_FILENO, line, n);
	errno = error;
}

void
say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print(DIAG_VERBOSE, fmt, ap);
	va_end(ap);
}

void
warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print(DIAG_NORMAL, fmt, ap);
	va_end(ap);
}

void
complain(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print(DIAG_QUIET, fmt, ap);
	va_end(ap);
}

_Noreturn void
die(int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print(DIAG_QUIET, fmt, ap);
	va_end(ap);
	_exit(code);
}
