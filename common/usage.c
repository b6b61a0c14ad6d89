/* A wrong command line gets one line, whatever else is wrong with it. */
#include <stdarg.h>

#include "clock.h"
#include "format.h"
#include "usage.h"

void
usage_wrong(char problem[USAGE_PROBLEM], const char *fmt, ...)
{
	va_list ap;

	if (problem[0] != '\0')
		return;
	va_start(ap, fmt);
	vformat(problem, USAGE_PROBLEM, fmt, ap);
	va_end(ap);
}

void
usage_duration(char problem[USAGE_PROBLEM], const char *option,
    const char *text, int64_t *ms)
{
	if (clock_parse(text, ms) == -1)
		usage_wrong(problem,
		    "bad duration '%s' for %s: use 5, 500ms, 1.5s, 2m or 1h",
		    text, option);
}
