/* Options, their letters and their help stand together here. */
#include <getopt.h>
#include <limits.h>
#include <string.h>

#include "number.h"
#include "options.h"
#include "signame.h"
#include "usage.h"

enum {
	OPT_FD = 256,
	OPT_START,
	OPT_TTL,
	OPT_TIMEOUT,
	OPT_LEADER_GRACE,
	OPT_LEFTOVERS,
	OPT_NO_BACKSTOP,
};

static const char letters[] = "+:no:s:k:S:pqvhV";

static const struct option longs[] = {
    {"fd", required_argument, NULL, OPT_FD},
    {"start", required_argument, NULL, OPT_START},
    {"ttl", required_argument, NULL, OPT_TTL},
    {"owner", required_argument, NULL, 'o'},
    {"no-lease", no_argument, NULL, 'n'},
    {"timeout", required_argument, NULL, OPT_TIMEOUT},
    {"signal", required_argument, NULL, 's'},
    {"kill-after", required_argument, NULL, 'k'},
    {"leader-grace", required_argument, NULL, OPT_LEADER_GRACE},
    {"leftovers", required_argument, NULL, OPT_LEFTOVERS},
    {"status", required_argument, NULL, 'S'},
    {"preserve-status", no_argument, NULL, 'p'},
    {"no-backstop", no_argument, NULL, OPT_NO_BACKSTOP},
    {"quiet", no_argument, NULL, 'q'},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

const char lease_options_help[] =
    "usage: lease [OPTION...] -- COMMAND [ARG...]\n"
    "\n"
    "Runs COMMAND and ends its whole process tree when the far end of stdin\n"
    "closes, as in: docker exec -i CONTAINER lease -- COMMAND\n"
    "\n"
    "  --fd N                  hold descriptor N instead of 0\n"
    "  --start now|first-byte  first-byte: run nothing until the owner has\n"
    "                          written a byte (now)\n"
    "  --ttl DURATION          also lost when no byte comes for this long\n"
    "  -o, --owner PID         also lost when this process exits "
    "(repeatable)\n"
    "  -n, --no-lease          hold no descriptor (with -o or --timeout)\n"
    "  --timeout DURATION      end the session after this long, the wait for "
    "a\n"
    "                          first byte included; 0: never\n"
    "  -s, --signal SIGNAL     ask with this signal (TERM)\n"
    "  -k, --kill-after DURATION\n"
    "                          force this long after asking (5s); 0: at once\n"
    "  --leader-grace DURATION ask COMMAND alone, the rest this long after "
    "(0)\n"
    "  --leftovers end|wait|keep\n"
    "                          what becomes of processes that the command\n"
    "                          leaves behind (end)\n"
    "  -S, --status N|PATH     status lines to this descriptor or file\n"
    "  -p, --preserve-status   exit with the command's own status\n"
    "  --no-backstop           one process less: SIGKILL to lease leaves "
    "COMMAND\n"
    "  -q, --quiet             say only why nothing was run\n"
    "  -v, --verbose           say what is being done\n"
    "  -h, --help              print this\n"
    "  -V, --version           print the version\n"
    "\n"
    "DURATION: 5, 500ms, 1.5s, 2m, 1h, 1d.\n"
    "Exit status: the command's own; 123 the lease was lost; 124 timed out;\n"
    "125 refused, nothing was run; 126 not executable; 127 not found;\n"
    "128+N ended by signal N.\n"
    "See lease(1).\n";

static void
descriptor(struct options *o, const char *arg, char *problem)
{
	int n = (int)number_parse(arg, INT_MAX);

	if (n == -1)
		usage_wrong(
		    problem, "bad descriptor '%s' for --fd: use a number", arg);
	else if (n == 1 || n == 2)
		usage_wrong(problem,
		    "--fd %d is the command's output and cannot be the lease:"
		    " use 0, or 3 and more",
		    n);
	else
		o->fd = n;
}

static void
owner(struct options *o, const char *arg, char *problem)
{
	pid_t pid = (pid_t)number_parse(arg, INT_MAX);

	if (pid < 1)
		usage_wrong(problem,
		    "bad process '%s' for -o: use a PID as lease sees it", arg);
	else if (o->n_owners == OWNER_MOST)
		usage_wrong(problem, "more than %d owners", OWNER_MOST);
	else
		o->owners[o->n_owners++] = pid;
}

static void
signal_option(struct options *o, const char *arg, char *problem)
{
	o->signal = signame_parse(arg);
	if (o->signal == -1)
		usage_wrong(problem,
		    "bad signal '%s' for -s: use a name like TERM or a number"
		    " from 1 to 64",
		    arg);
}

static void
start(struct options *o, const char *arg, char *problem)
{
	if (strcmp(arg, "first-byte") == 0)
		o->first_byte = true;
	else if (strcmp(arg, "now") == 0)
		o->first_byte = false;
	else
		usage_wrong(
		    problem, "bad --start '%s': use now or first-byte", arg);
}

static void
leftovers(struct options *o, const char *arg, char *problem)
{
	static const char *const words[] = {
	    [LEFTOVERS_END] = "end",
	    [LEFTOVERS_WAIT] = "wait",
	    [LEFTOVERS_KEEP] = "keep",
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(arg, words[i]) == 0) {
			o->leftovers = (enum options_leftovers)i;
			return;
		}
	}
	usage_wrong(
	    problem, "bad --leftovers '%s': use end, wait or keep", arg);
}

/* What follows the options has to be "--" and a command. */
static void
command(struct options *o, int argc, char **argv, char *problem)
{
	bool dashes = strcmp(argv[optind - 1], "--") == 0;

	o->command = argv + optind;
	if (optind < argc && optind > 1 && dashes)
		return;
	if (optind == argc)
		usage_wrong(problem,
		    "no command: use lease [OPTION...] -- COMMAND [ARG...]");
	else if (signame_parse(argv[optind]) != -1 && o->preserve)
		usage_wrong(problem,
		    "-p takes no argument here (it does in lease-init); to ask"
		    " with a signal use -s %s; and put '--' before the command",
		    argv[optind]);
	else
		usage_wrong(problem, "put '--' before the command: lease -- %s",
		    argv[optind]);
}

static enum usage
option(struct options *o, int c, const char *arg, char *problem)
{
	switch (c) {
	case OPT_FD:
		descriptor(o, arg, problem);
		break;
	case OPT_START:
		start(o, arg, problem);
		break;
	case OPT_TTL:
		usage_duration(problem, "--ttl", arg, &o->ttl);
		break;
	case OPT_TIMEOUT:
		usage_duration(problem, "--timeout", arg, &o->timeout);
		break;
	case OPT_LEADER_GRACE:
		usage_duration(
		    problem, "--leader-grace", arg, &o->leader_grace);
		break;
	case OPT_NO_BACKSTOP:
		o->backstop = false;
		break;
	case 'o':
		owner(o, arg, problem);
		break;
	case OPT_LEFTOVERS:
		leftovers(o, arg, problem);
		break;
	case 'n':
		o->fd = -1;
		break;
	case 's':
		signal_option(o, arg, problem);
		break;
	case 'k':
		usage_duration(problem, "-k", arg, &o->grace);
		break;
	case 'S':
		o->status = arg;
		break;
	case 'p':
		o->preserve = true;
		break;
	case 'q':
		o->level = DIAG_QUIET;
		break;
	case 'v':
		o->level = DIAG_VERBOSE;
		break;
	case 'h':
		return USAGE_HELP;
	case 'V':
		return USAGE_VERSION;
	}
	return USAGE_RUN;
}

enum usage
lease_options_parse(
    struct options *o, int argc, char **argv, char problem[USAGE_PROBLEM])
{
	bool none = false, fd_given = false;
	int c;

	*o = (struct options){
	    .signal = 15, /* SIGTERM */
	    .grace = 5000,
	    .backstop = true,
	    .level = DIAG_NORMAL,
	};
	problem[0] = '\0';
	while ((c = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		enum usage r = USAGE_RUN;

		if (c == '?')
			usage_wrong(problem,
			    "unknown option '%s': see lease --help",
			    optopt != 0 && optopt < 256
				? (char[]){'-', (char)optopt, '\0'}
				: argv[optind - 1]);
		else if (c == ':' ||
			 (optarg != NULL && strcmp(optarg, "--") == 0))
			usage_wrong(problem,
			    "option '%s' needs an argument: see lease --help",
			    argv[optind - (c == ':' ? 1 : 2)]);
		else
			r = option(o, c, optarg == NULL ? "" : optarg, problem);
		if (r != USAGE_RUN)
			return r;
		none |= c == 'n';
		fd_given |= c == OPT_FD;
	}
	if (none && fd_given)
		usage_wrong(problem, "-n and --fd exclude each other");
	if (none && o->first_byte)
		usage_wrong(problem,
		    "-n has no first byte to wait for: leave out"
		    " --start first-byte");
	if (none && o->ttl > 0)
		usage_wrong(
		    problem, "-n has no bytes to wait for: leave out --ttl");
	if (none && o->timeout == 0 && o->n_owners == 0)
		usage_wrong(problem, "-n alone never ends the command: give -o"
				     " or --timeout as well");
	command(o, argc, argv, problem);
	return problem[0] == '\0' ? USAGE_RUN : USAGE_WRONG;
}
