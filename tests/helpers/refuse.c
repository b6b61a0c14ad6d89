/*
 * refuse SYSCALL ERRNO CMD...: runs CMD with a seccomp filter that makes a
 * system call, by number, fail with an errno, by number.  Unlike an injection
 * by strace it costs nothing, and it holds for all that CMD starts.
 */
#include <sys/prctl.h>

#include <err.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* From linux/filter.h and linux/seccomp.h, Linux 3.5. */
struct insn {
	uint16_t code;
	uint8_t jt, jf;
	uint32_t k;
};
#define LOAD_WORD   0x20 /* BPF_LD | BPF_W | BPF_ABS */
#define JUMP_EQUAL  0x15 /* BPF_JMP | BPF_JEQ | BPF_K */
#define RETURN      0x06 /* BPF_RET | BPF_K */
#define RET_ALLOW   0x7fff0000
#define RET_ERRNO   0x00050000
#define MODE_FILTER 2

int
main(int argc, char **argv)
{
	struct insn filter[] = {
	    {LOAD_WORD, 0, 0, 0}, /* seccomp_data.nr */
	    {JUMP_EQUAL, 0, 1, 0},
	    {RETURN, 0, 0, RET_ERRNO},
	    {RETURN, 0, 0, RET_ALLOW},
	};
	struct {
		unsigned short len;
		struct insn *filter;
	} prog = {4, filter};

	if (argc < 4)
		errx(2, "usage: refuse SYSCALL ERRNO CMD...");
	if (strspn(argv[1], "0123456789") == 0 || atoi(argv[2]) <= 0)
		errx(2, "'%s', '%s': not numbers", argv[1], argv[2]);
	filter[1].k = (uint32_t)atoi(argv[1]);
	filter[2].k |= (uint32_t)atoi(argv[2]);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == -1 ||
	    prctl(PR_SET_SECCOMP, MODE_FILTER, &prog) == -1)
		err(1, "prctl");
	execvp(argv[3], argv + 3);
	err(127, "%s", argv[3]);
}
