/* A wrong command line gets one line, whatever else is wrong with it. */
#include <stdarg.h>

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
