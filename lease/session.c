/* The C library's setenv would need malloc; here one mapping does. */
#include <sys/mman.h>
#include <sys/syscall.h>

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "diag.h"
#include "format.h"
#include "session.h"

static void
set_variable(char *text)
{
	static const char name[] = SESSION_VARIABLE "=";
	char **env;
	size_t n = 0, to = 0, i;

	while (environ[n] != NULL)
		n++;
	env = mmap(NULL, (n + 2) * sizeof(char *), PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (env == MAP_FAILED) {
		warn("cannot set " SESSION_VARIABLE ": %s", strerror(errno));
		return;
	}
	for (i = 0; i < n; i++)
		if (strncmp(environ[i], name, sizeof(name) - 1) != 0)
			env[to++] = environ[i];
	env[to] = text;
	environ = env;
}

void
session_init(struct session *s)
{
	uint64_t id = 0;

	/* GRND_NONBLOCK; at worst, early in boot, the clock and our PID. */
	if (syscall(SYS_getrandom, &id, sizeof(id), 1U) != sizeof(id))
		id = (uint64_t)clock_ms() << 32 ^ (uint64_t)getpid();
	format(s->variable, sizeof(s->variable), SESSION_VARIABLE "=%016llx",
	    (unsigned long long)(id >> 1));
	s->id = s->variable + sizeof(SESSION_VARIABLE);
	set_variable(s->variable);
}
