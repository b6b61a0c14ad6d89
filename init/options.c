/* Options, their letters and their help stand together here. */
#include <getopt.h>
#include <string.h>

#include "clock.h"
#include "number.h"
#include "options.h"
#include "signame.h"
#include "usage.h"

static const char letters[] = "+:sp:vwge:k:hV";

static const struct option longs[] = {
    {"subreaper", no_argument, NULL, 's'},
    {"parent-death", required_argument, NULL, 'p'},
    {"group", no_argument, NULL, 'g'},
    {"expect", required_argument, NULL, 'e'},
    {"kill-after", required_argument, NULL, 'k'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

const char init_options_help[] =
    "usage: lease-init [OPTION...] [--] PROGRAM [ARG...]\n"
    "\n"
    "Runs PROGRAM as PID 1 of a container should: reaps zombies, forwards\n"
    "signals, and ends what is left once PROGRAM has exited.\n"
    "\n"
    "  -s, --subreaper         adopt orphans when not PID 1 (always done)\n"
    "  -p, --parent-death SIGNAL\n"
    "                          when our parent dies, send PROGRAM this\n"
    "  -g, --group             forward to PROGRAM's process group\n"
    "  -e, --expect CODE       exit 0 where PROGRAM exits CODE (repeatable)\n"
    "  -k, --kill-after DURATION\n"
    "                          once PROGRAM has exited, ask what is left to\n"
    "                          end and force it after this long (5s); 0: exit\n"
    "                          at once\n"
    "  -v                      say what is being done\n"
    "  -w                      say when a zombie other than PROGRAM is reaped\n"
    "  -h, --help              print this\n"
    "  -V, --version           print the version\n"
    "\n"
    "DURATION: 5, 500ms, 1.5s, 2m, 1h, 1d.\n"
    "Exit status: PROGRAM's own; 128+N if signal N ended it; 125 for our own\n"
    "failures; 126 not executable; 127 not found.\n"
    "See lease-init(8).\n";

static void
expect(struct options *o, char *problem)
{
	int n = (int)number_parse(optarg, 255);

	if (n == -1)
		usage_wrong(problem,
		    "bad exit status '%s' for -e: use a number from 0 to 255",
		    optarg);
	else
		o->expected[n / 64] |= UINT64_C(1) << n % 64;
}

static void
parent_death(struct options *o, char *problem)
{
	o->parent_death = signame_parse(optarg);
	if (o->parent_death == -1)
		usage_wrong(problem,
		    "bad signal '%s' for -p: use a name like TERM or a number"
		    " from 1 to 64 (in lease, -p is another option)",
		    optarg);
}

static void
kill_after(struct options *o, char *problem)
{
	if (clock_parse(optarg, &o->grace) == -1)
		usage_wrong(problem,
		    "bad duration '%s' for -k: use 5, 500ms, 1.5s, 2m or 1h",
		    optarg);
}

static enum usage
option(struct options *o, int c, char *problem)
{
	switch (c) {
	case 'p':
		parent_death(o, problem);
		break;
	case 'g':
		o->group = true;
		break;
	case 'e':
		expect(o, problem);
		break;
	case 'k':
		kill_after(o, problem);
		break;
	case 'v':
		o->verbose++;
		break;
	case 'w':
		o->tell_zombies = true;
		break;
	case 'h':
		return USAGE_HELP;
	case 'V':
		return USAGE_VERSION;
	case 's': /* goes without saying */
		break;
	}
	return problem[0] == '\0' ? USAGE_RUN : USAGE_WRONG;
}

enum usage
init_options_parse(
    struct options *o, int argc, char **argv, char problem[USAGE_PROBLEM])
{
	enum usage r = USAGE_RUN;
	int c;

	*o = (struct options){.grace = 5000};
	problem[0] = '\0';
	while (r == USAGE_RUN &&
	       (c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (c != '?' && c != ':') {
			r = option(o, c, problem);
			continue;
		}
		usage_wrong(problem,
		    "%s '%s%.*s': see"
		    " lease-init --help",
		    c == '?' ? "unknown option" : "no argument to option",
		    optopt != 0 && optopt < 256 ? "-" : argv[optind - 1],
		    optopt != 0 && optopt < 256, (char[]){(char)optopt});
		r = USAGE_WRONG;
	}
	if (r == USAGE_RUN && optind == argc) {
		usage_wrong(problem, "no program: use lease-init"
				     " [OPTION...] -- PROGRAM"
				     " [ARG...]");
		r = USAGE_WRONG;
	}
	o->program = argv + optind;
	return r;
}

bool
init_options_expects(const struct options *o, int code)
{
	return o->expected[code / 64] >> code % 64 & 1;
}
