# For the bats files of this folder: load start.  $I is the file to start.

# shellcheck shell=bash disable=SC2034,SC2016

# init_start ARG...: as PID 1 of a new namespace; its PID out here is $IPID.
init_start() {
	unshare --pid --fork --mount-proc --kill-child \
		env --default-signal=INT,QUIT "$I" "$@" >"$T/out" 2>"$T/err" 3>&- &
	NPID=$!
	within 5 eval 'IPID=$(cat "/proc/$NPID/task/$NPID/children") && [ -n "$IPID" ]'
	IPID=${IPID% }
	within 5 is_init
}
is_init() { [ "$(tr '\0' ' ' <"/proc/$IPID/cmdline" | cut -d' ' -f1 | head -n 1)" = "$I" ]; }

init_wait() {
	within "${1:-10}" dead "$NPID" || return 1
	status=0
	wait "$NPID" || status=$?
}
