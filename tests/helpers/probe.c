/*
 * probe: what tests need a process to be or to tell, in one static file that
 * runs in an image with nothing else.  See the table at the end.
 */
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

static void
run(char **argv)
{
	execvp(argv[0], argv);
	err(127, "%s", argv[0]);
}

static pid_t
born(void)
{
	pid_t pid = fork();

	if (pid == -1)
		err(1, "fork");
	return pid;
}

static void
to_file(const char *path, const char *text)
{
	char tmp[4096];
	FILE *f;

	/* Whole or not at all, for who waits for it. */
	snprintf(tmp, sizeof(tmp), "%s.tmp", path);
	f = fopen(tmp, "w");
	if (f == NULL || fputs(text, f) == EOF || fclose(f) == EOF ||
	    rename(tmp, path) == -1)
		err(1, "%s", path);
}

/* zombie FILE: leaves a child uncollected, writes FILE, sleeps. */
static int
zombie(char **argv)
{
	siginfo_t si;

	signal(SIGUSR1, SIG_IGN);
	if (born() == 0)
		_exit(0);
	waitid(P_ALL, 0, &si, WEXITED | WNOWAIT);
	to_file(argv[0], "ready\n");
	for (;;)
		pause();
}

/* state: what a process is given at birth, a line each. */
static int
state(char **argv)
{
	uint64_t blocked = 0, ignored = 0;
	struct stat st;
	char cwd[4096];
	int i;

	(void)argv;
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &blocked, 8);
	for (i = 1; i <= 64; i++) {
		struct {
			void *handler;
			unsigned long flags, restorer, mask;
		} k = {0};

		/* Raw: the C library refuses the signals it keeps. */
		if (syscall(SYS_rt_sigaction, i, NULL, &k, 8) == 0 &&
		    k.handler == (void *)SIG_IGN)
			ignored |= UINT64_C(1) << (i - 1);
	}
	printf("blocked %016llx\n", (unsigned long long)blocked);
	printf("ignored %016llx\n", (unsigned long long)ignored);
	for (i = 0; i < 1024; i++)
		if (fcntl(i, F_GETFD) != -1 && fstat(i, &st) == 0)
			printf("fd %d %llx:%llx %x\n", i,
			    (unsigned long long)st.st_rdev,
			    i > 2 ? (unsigned long long)st.st_ino : 0ULL,
			    (unsigned)fcntl(i, F_GETFL));
	printf("cwd %s\n", getcwd(cwd, sizeof(cwd)));
	printf("umask %03o\n", umask(0));
	return 0;
}

/* escape FILE CMD...: CMD as a daemon, in no environment; its PID to FILE. */
static int
escape(char **argv)
{
	char text[32];

	if (born() == 0) {
		setsid();
		if (born() == 0) {
			snprintf(text, sizeof(text), "%d\n", getpid());
			to_file(argv[0], text);
			clearenv();
			run(argv + 1);
		}
		_exit(0);
	}
	wait(NULL);
	return 0;
}

/* orphans N: N grandchildren, that die as orphans, by the thousand. */
static int
orphans(char **argv)
{
	int i, n = atoi(argv[0]);

	for (i = 0; i < n; i++) {
		if (born() == 0) {
			if (fork() == 0)
				_exit(0);
			_exit(0);
		}
		wait(NULL);
	}
	return 0;
}

/* queue PID SIG COUNT: sigqueue with the values 1 to COUNT. */
static int
queue(char **argv)
{
	pid_t pid = atoi(argv[0]);
	int sig = atoi(argv[1]), i, n = atoi(argv[2]);

	for (i = 1; i <= n; i++) {
		siginfo_t si = {0};

		si.si_code = SI_QUEUE;
		si.si_signo = sig;
		si.si_pid = getpid();
		si.si_value.sival_int = i;
		if (syscall(SYS_rt_sigqueueinfo, pid, sig, &si) == -1)
			err(1, "rt_sigqueueinfo");
	}
	return 0;
}

/* count SECONDS FILE: counts every signal; at TERM writes what came. */
static int
count(char **argv)
{
	static unsigned n[65], sum[65];
	struct timespec ts = {.tv_sec = atoi(argv[0])};
	char text[4096];
	uint64_t all = ~UINT64_C(0);
	size_t used = 0;
	siginfo_t si;
	int sig;

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, NULL, 8);
	to_file(argv[1], "ready\n");
	for (;;) {
		sig = (int)syscall(SYS_rt_sigtimedwait, &all, &si, &ts, 8);
		if (sig == -1 && errno != EINTR)
			errx(3, "no SIGTERM came");
		if (sig > 0) {
			n[sig]++;
			if (si.si_code == SI_QUEUE)
				sum[sig] += (unsigned)si.si_value.sival_int;
		}
		if (sig == SIGTERM)
			break;
	}
	text[0] = '\0';
	for (sig = 1; sig <= 64; sig++)
		if (n[sig] > 0)
			used +=
			    (size_t)snprintf(text + used, sizeof(text) - used,
				"%d %u %u\n", sig, n[sig], sum[sig]);
	to_file(argv[1], text);
	return 0;
}

/* nochld CMD...: with SIGCHLD ignored. */
static int
nochld(char **argv)
{
	signal(SIGCHLD, SIG_IGN);
	run(argv);
	return 1;
}

/* stray FILE CMD...: leaves a child behind, whose PID goes to FILE. */
static int
stray(char **argv)
{
	char text[32];
	pid_t pid = born();

	if (pid == 0) {
		setsid();
		syscall(SYS_close_range, 0U, ~0U, 0U);
		for (;;)
			pause();
	}
	snprintf(text, sizeof(text), "%d\n", pid);
	to_file(argv[0], text);
	run(argv + 1);
	return 1;
}

/* full FD CMD...: FD is a full pipe that nobody reads and nobody closes. */
static int
full(char **argv)
{
	static char buf[4096];
	int p[2], fd = atoi(argv[0]);

	if (pipe(p) == -1)
		err(1, "pipe");
	fcntl(p[1], F_SETFL, O_NONBLOCK);
	while (write(p[1], buf, sizeof(buf)) > 0)
		;
	while (write(p[1], buf, 1) > 0)
		;
	fcntl(p[1], F_SETFL, 0);
	dup2(p[1], fd);
	run(argv + 1);
	return 1;
}

/* bomb: forks as fast as it can, for ever. */
static int
bomb(char **argv)
{
	(void)argv;
	signal(SIGTERM, SIG_IGN);
	signal(SIGCHLD, SIG_IGN);
	for (;;)
		if (fork() == -1)
			usleep(1000);
	return 1;
}

/* chain N: a chain of N parents and children. */
static int
chain(char **argv)
{
	int n = atoi(argv[0]);

	while (n-- > 1 && born() == 0)
		;
	for (;;)
		pause();
	return 1;
}

/* thread PROGRAM...: a child that another thread than the first has forked. */
static int
in_thread(void *arg)
{
	char **argv = arg;

	if (vfork() == 0) {
		execvp(argv[0], argv);
		_exit(127);
	}
	for (;;)
		pause();
}

static int
thread(char **argv)
{
	static char stack[65536] __attribute__((aligned(16)));
	extern int clone(int (*)(void *), void *, int, void *, ...);

	/* CLONE_VM | FS | FILES | SIGHAND | THREAD */
	if (clone(in_thread, stack + sizeof(stack), 0x00010f00, argv) == -1)
		err(1, "clone");
	for (;;)
		pause();
	return 1;
}

/* socket CMD...: fd 0 is a connected unix socket, whose peer is ours at 9. */
static int
socket_stdin(char **argv)
{
	int s[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, s) == -1)
		err(1, "socketpair");
	dup2(s[0], 0);
	dup2(s[1], 9);
	close(s[0]);
	close(s[1]);
	run(argv);
	return 1;
}

/*
 * stubborn: an escaped daemon and a child that ignores TERM; prints both PIDs
 * to fd 1 and opens no file.
 */
static int
stubborn(char **argv)
{
	(void)argv;
	if (born() == 0) {
		setsid();
		if (born() == 0) {
			dprintf(1, "%d\n", getpid());
			for (;;)
				pause();
		}
		_exit(0);
	}
	wait(NULL);
	if (born() == 0) {
		signal(SIGTERM, SIG_IGN);
		dprintf(1, "%d\n", getpid());
	}
	for (;;)
		pause();
	return 1;
}

/* sleep: for ever, without any other program. */
static int
sleeper(char **argv)
{
	(void)argv;
	for (;;)
		pause();
	return 1;
}

static const struct {
	const char *name;
	int args;
	int (*run)(char **argv);
} table[] = {
    {"state", 0, state},
    {"escape", 2, escape},
    {"orphans", 1, orphans},
    {"queue", 3, queue},
    {"count", 2, count},
    {"nochld", 1, nochld},
    {"stray", 2, stray},
    {"full", 2, full},
    {"bomb", 0, bomb},
    {"chain", 1, chain},
    {"thread", 1, thread},
    {"socket", 1, socket_stdin},
    {"stubborn", 0, stubborn},
    {"sleep", 0, sleeper},
    {"zombie", 1, zombie},
};

int
main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 1 && i < sizeof(table) / sizeof(table[0]); i++)
		if (strcmp(argv[1], table[i].name) == 0 &&
		    argc - 2 >= table[i].args)
			return table[i].run(argv + 2);
	errx(2, "usage: probe NAME ARG...; see the table in the source");
}
