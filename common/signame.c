/* One table serves both ways, so that what we print can be given to us. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "format.h"
#include "number.h"
#include "signame.h"

static const char names[SIGNAME_RTMIN][8] = {
    [SIGHUP] = "HUP",
    [SIGINT] = "INT",
    [SIGQUIT] = "QUIT",
    [SIGILL] = "ILL",
    [SIGTRAP] = "TRAP",
    [SIGABRT] = "ABRT",
    [SIGBUS] = "BUS",
    [SIGFPE] = "FPE",
    [SIGKILL] = "KILL",
    [SIGUSR1] = "USR1",
    [SIGSEGV] = "SEGV",
    [SIGUSR2] = "USR2",
    [SIGPIPE] = "PIPE",
    [SIGALRM] = "ALRM",
    [SIGTERM] = "TERM",
    [SIGSTKFLT] = "STKFLT",
    [SIGCHLD] = "CHLD",
    [SIGCONT] = "CONT",
    [SIGSTOP] = "STOP",
    [SIGTSTP] = "TSTP",
    [SIGTTIN] = "TTIN",
    [SIGTTOU] = "TTOU",
    [SIGURG] = "URG",
    [SIGXCPU] = "XCPU",
    [SIGXFSZ] = "XFSZ",
    [SIGVTALRM] = "VTALRM",
    [SIGPROF] = "PROF",
    [SIGWINCH] = "WINCH",
    [SIGIO] = "IO",
    [SIGPWR] = "PWR",
    [SIGSYS] = "SYS",
};

static const struct alias {
	const char *name;
	int sig;
} aliases[] = {
    {"IOT", SIGABRT},
    {"CLD", SIGCHLD},
    {"POLL", SIGIO},
};

/* What follows "RTMIN" or "RTMAX": nothing, or sign and a number. */
static int
offset(const char *text, char sign)
{
	if (*text == '\0')
		return 0;
	if (*text != sign)
		return -1;
	return (int)number_parse(text + 1, SIGNAME_MAX - SIGNAME_RTMIN);
}

int
signame_parse(const char *text)
{
	size_t i;
	int n;

	n = (int)number_parse(text, SIGNAME_MAX);
	if (n != -1)
		return n > 0 ? n : -1;
	if (strncasecmp(text, "SIG", 3) == 0)
		text += 3;
	if (strncasecmp(text, "RTMIN", 5) == 0) {
		n = offset(text + 5, '+');
		return n == -1 ? -1 : SIGNAME_RTMIN + n;
	}
	if (strncasecmp(text, "RTMAX", 5) == 0) {
		n = offset(text + 5, '-');
		return n == -1 ? -1 : SIGNAME_MAX - n;
	}
	for (i = 1; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i][0] != '\0' && strcasecmp(text, names[i]) == 0)
			return (int)i;
	for (i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (strcasecmp(text, aliases[i].name) == 0)
			return aliases[i].sig;
	return -1;
}

bool
signame_stops(int sig)
{
	return sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

struct signame
signame_of(int sig)
{
	struct signame name = {""};

	if (sig > 0 && sig < SIGNAME_RTMIN && names[sig][0] != '\0')
		format(name.text, sizeof(name.text), "SIG%s", names[sig]);
	else if (sig == SIGNAME_RTMIN)
		format(name.text, sizeof(name.text), "SIGRTMIN");
	else if (sig > SIGNAME_RTMIN && sig <= SIGNAME_MAX)
		format(name.text, sizeof(name.text), "SIGRTMIN+%d",
		    sig - SIGNAME_RTMIN);
	else
		format(name.text, sizeof(name.text), "%d", sig);
	return name;
}
