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

# fresh_terminals: $output is the set of its exit codes under 200 of them.
fresh_terminals() {
	run timeout 50 python3 - "$I" <<-'PY'
		import os, pty, sys
		codes = set()
		for _ in range(200):
		    pid, tty = pty.fork()
		    if pid == 0:
		        os.execl(sys.argv[1], sys.argv[1], "true")
		    codes.add(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
		    os.close(tty)
		print(codes)
	PY
}

# signals_the_group ARG...: with these, USR1 reaches the program and its group,
# and not who has left that.  It goes on to run.
signals_the_group() {
	rm -f "$T/mark" "$T/a" "$T/b"
	init_start "$@" -- bash -c "
		bash -c 'trap \"echo in >>$T/mark\" USR1; echo >$T/a; while :; do sleep 0.02; done' &
		setsid bash -c 'trap \"echo out >>$T/mark\" USR1; echo >$T/b; while :; do sleep 0.02; done' &
		trap 'echo main >>$T/mark' USR1
		while :; do sleep 0.02; done"
	within 5 test -e "$T/a"
	within 5 test -e "$T/b"
	kill -USR1 "$IPID"
	both() { [ "$(sort -u "$T/mark" 2>/dev/null | tr '\n' ' ')" = "in main " ]; }
	within 5 both
	sleep 0.2
	both
}

# No signal waits in init or in its child.
delivered() {
	! grep -qs '^S[hi][dg]Pnd:.*[1-9a-f]' "/proc/$IPID/status" \
		"/proc/$(cut -d' ' -f1 "/proc/$IPID/task/$IPID/children")/status"
}
