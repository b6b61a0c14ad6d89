/* The front door: by name, which program am I?  An unknown name is lease. */
#include <string.h>

#include "init/init.h"
#include "lease/lease.h"

int
main(int argc, char **argv)
{
	static char unnamed[] = "lease", *nothing[] = {unnamed, NULL};
	const struct name *init;
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
	init = init_find(name);
	if (init == NULL)
		return lease_main(argc, argv);
	/* In a container run with --init: docker exec ... docker-init lease. */
	if (argc > 1 && strcmp(argv[1], "lease") == 0 && init_lends(init))
		return lease_main(argc - 1, argv + 1);
	return init_main(init, argc, argv);
}
