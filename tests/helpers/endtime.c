/*
 * endtime floor|LEASE N PROGRAM [ARG...]: the milliseconds that it takes to end
 * N processes.  With "floor": one kill(-pgid, SIGKILL) and collecting them all.
 * Else LEASE is run with a pipe as its lease, and the time is from the closing
 * of that pipe to LEASE's exit.  Both run the same tree, by mass.
 */
#include <sys/prctl.h>
#include <sys/wait.h>

#include <err.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

int
main(int argc, char **argv)
{
	int lease[2], ready[2], i, n = 0, floored;
	const char *av[64];
	char mass[4096], self[4096];
	double start;
	pid_t pid;
	char c;

	if (argc < 4 || argc > 50)
		errx(2, "usage: endtime floor|LEASE N PROGRAM [ARG...]");
	floored = strcmp(argv[1], "floor") == 0;
	snprintf(self, sizeof(self), "%s", argv[0]);
	snprintf(mass, sizeof(mass), "%s/mass", dirname(self));
	if (!floored) {
		av[n++] = argv[1];
		av[n++] = "--";
	}
	av[n++] = mass;
	for (i = 2; i < argc; i++)
		av[n++] = argv[i];
	av[n] = NULL;
	if (pipe(lease) == -1 || pipe(ready) == -1)
		err(1, "pipe");
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) == -1)
		err(1, "prctl");
	pid = fork();
	if (pid == -1)
		err(1, "fork");
	if (pid == 0) {
		setsid();
		dup2(lease[0], 0);
		dup2(ready[1], 1);
		close(lease[0]);
		close(lease[1]);
		close(ready[0]);
		close(ready[1]);
		execv(av[0], (char **)(void *)av);
		err(1, "%s", av[0]);
	}
	close(ready[1]);
	if (read(ready[0], &c, 1) != 1)
		errx(1, "the tree did not start");
	usleep(300000); /* until all have come to rest: no part of the time */
	start = now();
	if (floored)
		kill(-pid, SIGKILL);
	else
		close(lease[1]);
	while (wait(NULL) > 0)
		;
	printf("%.2f\n", now() - start);
	return 0;
}
