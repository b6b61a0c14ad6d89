/* strtol(3) takes more than we want to allow, and costs more than this. */
#include <stdbool.h>

#include "number.h"

int64_t
number_parse(const char *text, int64_t max)
{
	int64_t n = 0;
	int digit;

	if (*text == '\0')
		return -1;
	for (; *text != '\0'; text++) {
		digit = *text - '0';
		if (digit < 0 || digit > 9 || digit > max ||
		    n > (max - digit) / 10)
			return -1;
		n = n * 10 + digit;
	}
	return n;
}

int64_t
number_next(const char **s)
{
	bool negative;
	uint64_t n = 0; /* the kernel's unsigned 64 bits wrap, not overflow */

	while (**s == ' ')
		++*s;
	negative = **s == '-';
	if (negative)
		++*s;
	for (; **s >= '0' && **s <= '9'; ++*s)
		n = n * 10 + (uint64_t)(**s - '0');
	return (int64_t)(negative ? 0 - n : n);
}
