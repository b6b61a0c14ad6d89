#include <signal.h>

#include "signame.h"
#include "tap.h"

static const struct {
	const char *text;
	int sig;
} names[] = {
    {"TERM", SIGTERM},
    {"SIGTERM", SIGTERM},
    {"term", SIGTERM},
    {"sigterm", SIGTERM},
    {"15", 15},
    {"1", 1},
    {"64", 64},
    {"CLD", SIGCHLD},
    {"IOT", SIGABRT},
    {"POLL", SIGIO},
    {"RTMIN", 34},
    {"SIGRTMIN+3", 37},
    {"RTMIN+30", 64},
    {"RTMAX", 64},
    {"RTMAX-30", 34},
    {"rtmax-1", 63},
    {"0", -1},
    {"65", -1},
    {"-1", -1},
    {"", -1},
    {"SIG", -1},
    {"TERMS", -1},
    {"RTMIN+31", -1},
    {"RTMIN-1", -1},
    {"RTMAX+1", -1},
    {"RTMIN+", -1},
    {"99999999999999999999", -1},
    {"15 ", -1},
};

int
main(void)
{
	size_t i;
	int sig, bad = 0;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ok(signame_parse(names[i].text) == names[i].sig, "'%s' is %d",
		    names[i].text, names[i].sig);
	for (sig = 1; sig <= SIGNAME_MAX; sig++)
		bad += signame_parse(signame_of(sig).text) != sig;
	ok(bad == 0, "each name that we print is one that we read");
	ok(strcmp(signame_of(SIGTERM).text, "SIGTERM") == 0, "15 is SIGTERM");
	ok(strcmp(signame_of(64).text, "SIGRTMIN+30") == 0,
	    "64 is SIGRTMIN+30");
	ok(strcmp(signame_of(32).text, "32") == 0, "32 has no name");
	return tap_done();
}
