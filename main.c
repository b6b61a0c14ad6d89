/* The front door: by name, which program am I?  An unknown name is lease. */
#include <string.h>

#include "init/init.h"
#include "lease/lease.h"

int
main(int argc, char **argv)
{
	const char *name = argc > 0 ? argv[0] : "lease";
	const char *slash = strrchr(name, '/');

	if (slash != NULL)
		name = slash + 1;
	if (strcmp(name, "lease-init") == 0)
		return init_main(argc, argv);
	return lease_main(argc, argv);
}
