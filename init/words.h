/* words.h - what lease-init says while it works, in the words of its name. */
#ifndef WORDS_H
#define WORDS_H

#include <sys/types.h>

#include <signal.h>
#include <stdbool.h>

#include "names.h"

/* How a process is called in a line: "PID 7 ('sh')", or just "PID 7". */
struct words_process {
	char text[48];
};
struct words_process words_process(pid_t pid);

/* A signal came, and from whom.  With -v; a SIGCHLD only with -vv. */
void words_received(enum name_words whose, const siginfo_t *si);

/* received went, as sent, to pid or with group to the group that it leads. */
void words_forwarded(
    enum name_words whose, int received, int sent, pid_t pid, bool group);

/* sig, which came of letting go of the terminal, was kept from the program. */
void words_handed_off(enum name_words whose, int sig);

/* pid, an orphan, is dead and about to be collected.  A warning if loud. */
void words_orphan(enum name_words whose, bool loud, pid_t pid, int code);

#endif
