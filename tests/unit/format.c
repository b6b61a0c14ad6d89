#include <limits.h>

#include "format.h"
#include "number.h"
#include "tap.h"

#define same(want, ...)                                                        \
	do {                                                                   \
		char buf[64];                                                  \
		size_t n = format(buf, sizeof(buf), __VA_ARGS__);              \
		ok(strcmp(buf, want) == 0 && n == strlen(want), "%s", want);   \
	} while (0)

int
main(void)
{
	const char *line = " 12 -7 18446744073709551615 x";
	char small[4];

	same("", "%s", "");
	same("a b%", "%s %s%%", "a", "b");
	same("abc", "%.*s", 3, "abcdef");
	same("0 -1 2147483647 -2147483648", "%d %d %d %d", 0, -1, INT_MAX,
	    INT_MIN);
	same("4294967295 ff", "%u %x", UINT_MAX, 255U);
	same("-9223372036854775808", "%lld", LLONG_MIN);
	same("18446744073709551615", "%zu", (size_t)-1);
	same("0000000000000abc", "%016llx", 0xabcULL);
	ok(format(small, sizeof(small), "%d", 123456) == 3 &&
		strcmp(small, "123") == 0,
	    "what does not fit is cut, and terminated");
	ok(format(small, 1, "x") == 0 && small[0] == '\0',
	    "room for nothing gives nothing");
	ok(number_parse("0", 5) == 0, "0 is a number");
	ok(number_parse("5", 5) == 5, "the greatest is allowed");
	ok(number_parse("6", 5) == -1, "more is not");
	ok(number_parse("", 5) == -1, "nothing is not");
	ok(number_parse("1x", 50) == -1, "rubbish behind is not");
	ok(number_parse("-1", 50) == -1, "a sign is not");
	ok(number_parse("9223372036854775807", INT64_MAX) == INT64_MAX,
	    "the greatest of all");
	ok(number_parse("9223372036854775808", INT64_MAX) == -1,
	    "one more does not wrap");
	ok(number_next(&line) == 12, "next: the first");
	ok(number_next(&line) == -7, "next: a negative one");
	ok(number_next(&line) == -1, "next: unsigned 64 bits wrap");
	ok(number_next(&line) == 0 && strcmp(line, "x") == 0,
	    "next: none is 0");
	return tap_done();
}
