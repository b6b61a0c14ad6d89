/* The front door: by name, which program am I?  An unknown name is lease. */
#include <string.h>

#include "init/init.h"
#include "lease/lease.h"

int
main(int argc, char **argv)
{
	static char unnamed[] = "lease", *nothing[] = {unnamed, NULL};
	const char *name, *slash;

	/* Before Linux 5.18 a program could be started without a name. */
	if (argc == 0) {
		argc = 1;
		argv = nothing;
	}
	name = argv[0];
	slash = strrchr(name, '/');
	if (slash != NULL)
		name = slash + 1;
	if (strcmp(name, "lease-init") == 0)
		return init_main(argc, argv);
	return lease_main(argc, argv);
}
