/*
 * mass N PROGRAM [ARG...]: starts N children that exec PROGRAM, prints a line
 * to fd 1 when all of them have, and waits for ever.
 */
#include <err.h>
#include <stdlib.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	int i;

	if (argc < 3)
		errx(2, "usage: mass N PROGRAM [ARG...]");
	for (i = 0; i < atoi(argv[1]); i++) {
		pid_t pid = vfork();

		if (pid == -1)
			err(1, "vfork");
		if (pid == 0) {
			execvp(argv[2], argv + 2);
			_exit(127);
		}
	}
	if (write(1, "ready\n", 6) != 6)
		err(1, "write");
	for (;;)
		pause();
}
