#include <errno.h>
#include <limits.h>
#include <stddef.h>

#include "clock.h"
#include "tap.h"

static const struct {
	const char *text;
	int64_t ms; /* or -1 for EINVAL, -2 for ERANGE */
} durations[] = {
    {"0", 0},
    {"5", 5000},
    {"5s", 5000},
    {"500ms", 500},
    {"1.5s", 1500},
    {"1.5", 1500},
    {".5", 500},
    {"2.", 2000},
    {"2m", 120000},
    {"1h", 3600000},
    {"1d", 86400000},
    {"0.5d", 43200000},
    {"0.0001", 1},
    {"0.1ms", 1},
    {"0.0000000000001", 1},
    {"1.0000000000000", 1000},
    {"0.001", 1},
    {"0.0010000000001", 2},
    {"36525d", CLOCK_LONGEST},
    {"0000000000000000000000000000001", 1000},
    {"36526d", -2},
    {"9223372036854775808", -2},
    {"99999999999999999999999999999999999999", -2},
    {"", -1},
    {".", -1},
    {"s", -1},
    {"-1", -1},
    {"+1", -1},
    {" 1", -1},
    {"1 s", -1},
    {"1e3", -1},
    {"1.5.5", -1},
    {"5S", -1},
    {"0x10", -1},
    {"inf", -1},
    {"1y", -1},
};

int
main(void)
{
	int64_t ms, a, b;
	size_t i;
	int r;

	for (i = 0; i < sizeof(durations) / sizeof(durations[0]); i++) {
		int64_t want = durations[i].ms;

		ms = 77;
		errno = 0;
		r = clock_parse(durations[i].text, &ms);
		if (want >= 0)
			ok(r == 0 && ms == want, "'%s' is %lld ms",
			    durations[i].text, (long long)want);
		else
			ok(r == -1 && ms == 77 &&
				errno == (want == -1 ? EINVAL : ERANGE),
			    "'%s' is refused and changes nothing",
			    durations[i].text);
	}
	ok(clock_timeout(CLOCK_NEVER, 5) == -1, "never is -1");
	ok(clock_timeout(5, 5) == 0, "now is 0");
	ok(clock_timeout(4, 5) == 0, "past is 0");
	ok(clock_timeout(15, 5) == 10, "the rest otherwise");
	ok(clock_timeout(CLOCK_LONGEST, 5) == INT_MAX, "no more than an int");
	a = clock_ms();
	b = clock_ms();
	ok(a > 0 && b >= a && b - a < 1000, "the clock runs forwards");
	return tap_done();
}
