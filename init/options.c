/*
 * Options, their letters and their help stand together here.  Which of them a
 * name accepts is in names.c.
 */
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format.h"
#include "number.h"
#include "options.h"

static const struct option longs[] = {
    {"subreaper", no_argument, NULL, 's'},
    {"parent-death", required_argument, NULL, 'p'},
    {"group", no_argument, NULL, 'g'},
    {"expect", required_argument, NULL, 'e'},
    {"rewrite", required_argument, NULL, 'r'},
    {"single-child", no_argument, NULL, 'c'},
    {"pause", no_argument, NULL, 'P'},
    {"kill-after", required_argument, NULL, 'k'},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {"license", no_argument, NULL, 'l'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static const struct {
	char letter;
	const char *text;
} helps[] = {
    {'s', "  -s, --subreaper         adopt orphans when not PID 1\n"},
    {'p',
	"  -p, --parent-death SIGNAL\n"
	"                          when our parent dies, send PROGRAM this\n"},
    {'g', "  -g, --group             forward to PROGRAM's process group\n"},
    {'e', "  -e, --expect CODE       exit 0 where PROGRAM exits CODE "
	  "(repeatable)\n"},
    {'r', "  -r, --rewrite FROM:TO   forward signal FROM as TO; 0 drops it\n"
	  "                          (repeatable)\n"},
    {'c', "  -c, --single-child      leave PROGRAM in our group and session, "
	  "and\n"
	  "                          forward to it alone\n"},
    {'P', "  -P, --pause             run no PROGRAM: reap until TERM or INT\n"},
    {'k', "  -k, --kill-after DURATION\n"
	  "                          once PROGRAM has exited, ask what is left "
	  "to\n"
	  "                          end and force it after this long; 0: exit "
	  "at\n"
	  "                          once\n"},
    {'v', "  -v, --verbose           be more verbose: say what is being "
	  "done; -vv\n"
	  "                          tells of each SIGCHLD too\n"},
    {'w', "  -w                      say which zombies are reaped, and whose "
	  "are not\n"},
    {'h', "  -h, --help              print this\n"},
    {'l', "  -l, --license           print the licence\n"},
    {'L', "  -L                      print the licence\n"},
    {'V', "  -V, --version           print the version\n"},
};

const char init_options_licence[] =
    "MIT License\n"
    "\n"
    "Copyright (c) 2026 The lease authors\n"
    "\n"
    "Permission is hereby granted, free of charge, to any person obtaining a "
    "copy\n"
    "of this software and associated documentation files (the \"Software\"), "
    "to deal\n"
    "in the Software without restriction, including without limitation the "
    "rights\n"
    "to use, copy, modify, merge, publish, distribute, sublicense, and/or "
    "sell\n"
    "copies of the Software, and to permit persons to whom the Software is\n"
    "furnished to do so, subject to the following conditions:\n"
    "\n"
    "The above copyright notice and this permission notice shall be included "
    "in all\n"
    "copies or substantial portions of the Software.\n"
    "\n"
    "THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS "
    "OR\n"
    "IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,\n"
    "FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL "
    "THE\n"
    "AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER\n"
    "LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING "
    "FROM,\n"
    "OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN "
    "THE\n"
    "SOFTWARE.\n";

static bool
accepts(const struct name *name, char letter)
{
	return strchr(name->letters, letter) != NULL;
}

void
init_options_help(const struct name *name, int fd)
{
	char text[4096];
	size_t i, n;

	/* A suite looks for "supervision of a valid init process". */
	n = format(text, sizeof(text),
	    "usage: %s [OPTION...] [--] PROGRAM [ARG...]\n", name->name);
	if (accepts(name, 'P'))
		n += format(text + n, sizeof(text) - n,
		    "       %s -P [OPTION...]\n", name->name);
	if (name->lends)
		n += format(text + n, sizeof(text) - n,
		    "       %s lease [OPTION...] -- COMMAND [ARG...]  "
		    "(in docker exec -i)\n",
		    name->name);
	n += format(text + n, sizeof(text) - n,
	    "\n"
	    "Runs PROGRAM under the supervision of a valid init process: reaps"
	    " zombies,\n"
	    "forwards signals%s.\n"
	    "\n",
	    name->grace > 0 ? ", and ends what is left once PROGRAM has exited"
			    : "");
	for (i = 0; i < sizeof(helps) / sizeof(helps[0]); i++) {
		if (accepts(name, helps[i].letter))
			n += format(
			    text + n, sizeof(text) - n, "%s", helps[i].text);
	}
	format(text + n, sizeof(text) - n,
	    "\n"
	    "DURATION: 5, 500ms, 1.5s, 2m, 1h, 1d.  SIGNAL: TERM, 15, RTMIN+3."
	    "\n"
	    "%s\n"
	    "Environment:%s%s%s.\n"
	    "Exit status: PROGRAM's own; 128+N if signal N ended it; %d not"
	    " executable;\n"
	    "%d not found; %d for our own failures.\n"
	    "See lease-init(8).\n",
	    name->grace > 0 ? "Without -k: 5s."
	    : name->session ? "Without -k PROGRAM's group gets SIGTERM."
			    : "Without -k what is left is not asked.",
	    name->variables & NAME_TINI_VARIABLES
		? " TINI_SUBREAPER TINI_KILL_PROCESS_GROUP\n"
		  "TINI_VERBOSITY"
		: "",
	    name->variables & NAME_DUMB_INIT_VARIABLES
		? " DUMB_INIT_SETSID DUMB_INIT_DEBUG"
		: "",
	    name->variables & NAME_CATATONIT_VARIABLES ? " CATATONIT_DEBUG"
						       : "",
	    name->not_executable, name->not_found, name->failed);
	print(fd, name->failed, text);
}

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

/* The C library of the program keeps 32 and 33 for itself. */
static bool
fit_to_send(int sig)
{
	return sig != -1 && sig != 32 && sig != 33;
}

static void
rewrite(struct options *o, char *problem)
{
	const char *colon = strchrnul(optarg, ':');
	char name[16];
	int from, to;

	format(name, sizeof(name), "%.*s", (int)(colon - optarg), optarg);
	from = signame_parse(name);
	to = *colon == '\0'                ? -1
	     : strcmp(colon + 1, "0") == 0 ? 0
					   : signame_parse(colon + 1);
	if (from == -1 || !fit_to_send(to))
		usage_wrong(problem,
		    "bad rewriting '%s' for -r: use FROM:TO, each a name like"
		    " TERM or a number from 1 to 64 but 32 and 33, TO also 0",
		    optarg);
	else
		o->rewrite[from] = (short)to;
}

static enum usage
option(struct options *o, int c, char *problem)
{
	switch (c) {
	case 's':
		o->subreaper = true;
		break;
	case 'p':
		parent_death(o, problem);
		break;
	case 'g':
		o->group = true;
		break;
	case 'e':
		expect(o, problem);
		break;
	case 'r':
		rewrite(o, problem);
		break;
	case 'c':
		o->place = SPAWN_BESIDE;
		break;
	case 'P':
		o->pause = true;
		break;
	case 'k':
		usage_duration(problem, "-k", optarg, &o->grace);
		break;
	case 'v':
		if (o->level < DIAG_DEBUG)
			o->level++;
		break;
	case 'w':
		o->tell_zombies = true;
		break;
	case 'h':
		return USAGE_HELP;
	case 'l':
	case 'L':
		return USAGE_LICENCE;
	case 'V':
		return USAGE_VERSION;
	}
	return problem[0] == '\0' ? USAGE_RUN : USAGE_WRONG;
}

static bool
is_set_to(const char *variable, const char *value)
{
	const char *s = getenv(variable);

	return s != NULL && strcmp(s, value) == 0;
}

/* As they do: tini's level goes before -v, dumb-init's values are these. */
static void
read_variables(struct options *o, unsigned whose)
{
	const char *level = getenv("TINI_VERBOSITY");
	int64_t n;

	if ((whose & NAME_TINI_VARIABLES) != 0) {
		if (getenv("TINI_SUBREAPER") != NULL)
			o->subreaper = true;
		if (getenv("TINI_KILL_PROCESS_GROUP") != NULL)
			o->group = true;
		n = level == NULL ? -1 : number_parse(level, INT64_MAX);
		if (n != -1)
			o->level =
			    n < DIAG_DEBUG ? (enum diag_level)n : DIAG_DEBUG;
	}
	if ((whose & NAME_DUMB_INIT_VARIABLES) != 0) {
		if (is_set_to("DUMB_INIT_SETSID", "0"))
			o->place = SPAWN_BESIDE;
		if (is_set_to("DUMB_INIT_DEBUG", "1") &&
		    o->level < DIAG_VERBOSE)
			o->level = DIAG_VERBOSE;
	}
	if ((whose & NAME_CATATONIT_VARIABLES) != 0 &&
	    getenv("CATATONIT_DEBUG") != NULL)
		o->level = DIAG_DEBUG;
}

/*
 * What -r left open.  A session of its own is an orphaned group, in which the
 * kernel drops the stop signals that terminals send.
 */
static void
complete_rewriting(struct options *o)
{
	int sig;

	for (sig = 1; sig <= SIGNAME_MAX; sig++) {
		if (o->rewrite[sig] != -1)
			continue;
		if (signame_stops(sig) && o->place == SPAWN_SESSION)
			o->rewrite[sig] = SIGSTOP;
		else
			o->rewrite[sig] = (short)sig;
	}
}

static void
defaults(struct options *o, const struct name *name)
{
	*o = (struct options){
	    .words = name->words,
	    .place = name->session ? SPAWN_SESSION : SPAWN_GROUP,
	    .group = name->session,
	    .subreaper = name->subreaper,
	    .grace = name->grace,
	    .level = DIAG_NORMAL,
	};
	memset(o->rewrite, -1, sizeof(o->rewrite));
}

enum usage
init_options_parse(struct options *o, const struct name *name, int argc,
    char **argv, char problem[USAGE_PROBLEM])
{
	enum usage r = USAGE_RUN;
	int c, which = 0;

	defaults(o, name);
	problem[0] = '\0';
	while (r == USAGE_RUN && (c = getopt_long(argc, argv, name->letters,
				      longs, &which)) != -1) {
		if (c != '?' && c != ':' && accepts(name, (char)c)) {
			r = option(o, c, problem);
			continue;
		}
		/* A short one is refused by its letter, a long one by name. */
		if (c != '?' && c != ':')
			usage_wrong(problem, "unknown option '--%s': see %s -h",
			    longs[which].name, name->name);
		usage_wrong(problem, "%s '%s%.*s': see %s -h",
		    c == ':' ? "no argument to option" : "unknown option",
		    optopt != 0 ? "-" : argv[optind - 1], optopt != 0,
		    (char[]){(char)optopt}, name->name);
		r = USAGE_WRONG;
	}
	o->program = argv + optind;
	/* "tini PROGRAM -- ARG...", as tini's usage has it. */
	if (name->words == NAME_TINI && optind + 1 < argc &&
	    strcmp(argv[optind - 1], "--") != 0 &&
	    strcmp(argv[optind + 1], "--") == 0) {
		argv[optind + 1] = argv[optind];
		o->program++;
	}
	if (r == USAGE_RUN && optind == argc && !o->pause)
		usage_wrong(problem,
		    "no program: use %s [OPTION...] -- PROGRAM [ARG...]",
		    name->name);
	if (r == USAGE_RUN && optind < argc && o->pause)
		usage_wrong(problem, "-P runs no program: leave out '%s'",
		    argv[optind]);
	read_variables(o, name->variables);
	complete_rewriting(o);
	if (o->place == SPAWN_BESIDE)
		o->group = false; /* our own group is not the program's */
	if (o->grace > 0)
		o->subreaper = true; /* or the drain would miss orphans */
	return problem[0] == '\0' ? r : USAGE_WRONG;
}

bool
init_options_expects(const struct options *o, int code)
{
	return o->expected[code / 64] >> code % 64 & 1;
}
