/*
 * startup N PROGRAM [ARG...]: runs PROGRAM N times, one after the other, and
 * prints the microseconds a run, from fork to the collected exit.
 */
#include <sys/wait.h>

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	struct timespec a, b;
	int i, n;

	if (argc < 3 || (n = atoi(argv[1])) < 1)
		errx(2, "usage: startup N PROGRAM [ARG...]");
	clock_gettime(CLOCK_MONOTONIC, &a);
	for (i = 0; i < n; i++) {
		pid_t pid = vfork();

		if (pid == -1)
			err(1, "vfork");
		if (pid == 0) {
			execvp(argv[2], argv + 2);
			_exit(127);
		}
		waitpid(pid, NULL, 0);
	}
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("%.1f\n", ((double)(b.tv_sec - a.tv_sec) * 1e9 +
			     (double)(b.tv_nsec - a.tv_nsec)) /
			     1e3 / n);
	return 0;
}
