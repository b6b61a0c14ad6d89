# Promises 2, 7 and 9, watched and tried with strace.
load ../lib
bats_require_minimum_version 1.5.0

# injected FAULT ARG...: lease with a fault, its command writes $T/ran.
injected() {
	local fault=$1
	shift
	status=0
	timeout 20 strace -f -qq -o "$T/strace" -e inject="$fault" \
		"$L" "$@" 2>"$T/err" || status=$?
}

@test "idle, the keeper makes no system call in 3 seconds" {
	lease_start -- sleep 99
	within 5 pgrep -x -f "sleep 99"
	sleep 0.2
	quiet "$LPID"
	lease_drop
	lease_wait
}

@test "idle, lease-init makes no system call in 3 seconds" {
	"$I" sleep 98 3>&- &
	pid=$!
	within 5 pgrep -x -f "sleep 98"
	sleep 0.2
	quiet "$pid"
	kill "$pid"
}

@test "the command inherits no descriptor of ours" {
	lease_start -S "$T/status" -- "$P" state
	lease_wait
	lease_drop
	"$P" state 3>&- >"$T/bare"
	diff <(grep '^fd' "$T/bare" | grep -v '^fd [012] ') \
		<(grep '^fd' "$T/out" | grep -v '^fd [012] ')
}

@test "fork refused: nothing is run, 125" {
	for error in EAGAIN ENOMEM; do
		for fault in vfork fork clone; do
			injected "$fault:error=$error" -n --timeout 9 -- touch "$T/ran"
			# Which of them fork(3) is depends on the machine.
			if ! grep -q INJECTED "$T/strace"; then
				rm "$T/ran"
				continue
			fi
			is 125 "$status"
			contains "$(cat "$T/err")" "cannot fork"
			[ ! -e "$T/ran" ]
		done
		injected "vfork:error=$error" --no-backstop -n --timeout 9 -- touch "$T/ran"
		is 125 "$status"
		contains "$(cat "$T/err")" "cannot fork"
		[ ! -e "$T/ran" ]
		status=0
		timeout 20 strace -qq -o "$T/strace" -e inject="vfork:error=$error" \
			"$I" touch "$T/ran" 2>"$T/err" || status=$?
		is 125 "$status"
		[ ! -e "$T/ran" ]
	done
}

@test "execve refused: nothing is run, 126" {
	status=0
	timeout 20 strace -f -qq -o "$T/strace" -P /bin/touch \
		-e inject=execve:error=ENOMEM \
		"$L" -n --timeout 9 -- /bin/touch "$T/ran" 2>"$T/err" || status=$?
	is 126 "$status"
	contains "$(cat "$T/err")" "memory"
	[ ! -e "$T/ran" ]
}

@test "signalfd4 refused: signals still come, the lease still holds" {
	for error in ENOSYS EPERM EMFILE; do
		mkfifo "$T/lease.$error"
		strace -f -qq -o "$T/strace" -e inject="signalfd4:error=$error" \
			"$L" -- sh -c "trap 'exit 3' USR1; echo >$T/up; while :; do sleep 0.05; done" \
			<"$T/lease.$error" 2>"$T/err" 3>&- &
		spid=$!
		exec 7>"$T/lease.$error"
		within 5 test -e "$T/up"
		kill -USR1 "$(pgrep -P "$spid")"
		within 5 dead "$spid"
		status=0
		wait "$spid" || status=$?
		is 3 "$status"
		lease_drop
		rm "$T/up"
	done
}

@test "pidfd_open and pidfd_send_signal refused: the tree ends all the same" {
	for error in ENOSYS EPERM EMFILE; do
		tree_ends refused pidfd_open "$error"
		tree_ends refused pidfd_send_signal "$error"
	done
}

@test "/proc cannot be opened or read: the tree ends all the same" {
	for error in ENOENT EACCES EMFILE; do
		tree_ends refused openat "$error"
		tree_ends refused open "$error"
	done
	tree_ends refused getdents64 EACCES
	tree_ends refused read EIO
	tree_ends refused readlinkat EACCES
}

@test "no memory, no signalfd, no pipes, no subreaper, no close_range: it ends" {
	tree_ends refused mmap ENOMEM
	tree_ends refused signalfd4 EPERM
	tree_ends refused pipe2 EMFILE
	tree_ends refused close_range ENOSYS
	tree_ends refused splice ENOSYS
	tree_ends refused getpgid EPERM
	tree_ends refused getsid EPERM
}

@test "poll interrupted or out of memory: nothing is taken for an event" {
	for error in EINTR ENOMEM; do
		rm -f "$T/lease"
		mkfifo "$T/lease"
		strace -qq -o "$T/strace" -e inject="poll:error=$error:when=2..20" \
			"$L" --no-backstop -- sh -c "sleep 0.5; exit 6" <"$T/lease" 3>&- &
		spid=$!
		exec 7>"$T/lease"
		within 10 dead "$spid"
		status=0
		wait "$spid" || status=$?
		is 6 "$status"
		has INJECTED "$T/strace"
		lease_drop
	done
}

@test "reading the lease refused: not evidence; its end still ends it" {
	for error in EOPNOTSUPP EPERM ENOSYS; do
		rm -f "$T/lease" "$T/status"
		mkfifo "$T/lease"
		strace -f -qq -o "$T/strace" -e inject="splice:error=$error" \
			"$L" -S "$T/status" -- sleep 99 <"$T/lease" 2>"$T/err" 3>&- &
		spid=$!
		exec 7>"$T/lease"
		within 5 has started "$T/status"
		echo alive >&7
		sleep 0.2
		alive "$spid"
		lease_drop
		within 5 dead "$spid"
		status=0
		wait "$spid" || status=$?
		is 123 "$status"
		has INJECTED "$T/strace"
	done
}

@test "no subreaper: one warning, and the command runs" {
	injected prctl:error=EINVAL -n --timeout 9 -- sh -c 'exit 3'
	is 3 "$status"
	is 1 "$(grep -c "subreaper" "$T/err")"
}

@test "reaping interrupted, waitid refused, getrandom refused: the command runs" {
	for fault in waitid:error=ENOSYS getrandom:error=ENOSYS chdir:error=EACCES \
		close_range:error=ENOSYS ioctl:error=EIO fcntl:error=EINVAL; do
		injected "$fault" -n --timeout 9 -- sh -c 'exit 3'
		is "3 $fault" "$status $fault"
	done
}

@test "no /proc at all: an escaped orphan is found and forced" {
	mkfifo "$T/lease"
	unshare -m sh -c "umount -l /proc && exec $L -k 200ms -S $T/status -- sh -c '$P escape $T/pid $P sleep; sh -c \"trap : TERM; while :; do sleep 0.1; done\" & sleep 99'" <"$T/lease" 2>"$T/err" 3>&- &
	LPID=$!
	exec 7>"$T/lease"
	within 5 test -s "$T/pid"
	lease_drop
	lease_wait 30
	is 123 "$status"
	dead "$(cat "$T/pid")"
	! pgrep -x -f "sleep 99"
}

@test "/proc of another PID namespace is taken for none" {
	mkfifo "$T/lease"
	unshare --pid --fork --kill-child "$L" -k 200ms -- sh -c "trap '' TERM; sleep 99" <"$T/lease" 2>"$T/err" 3>&- &
	LPID=$!
	exec 7>"$T/lease"
	within 5 pgrep -x -f "sleep 99"
	lease_drop
	lease_wait 30
	! pgrep -x -f "sleep 99"
}

@test "lease-init: no fault of a system call after the start ends it" {
	for fault in rt_sigtimedwait:error=EINTR:when=1..5 poll:error=ENOMEM \
		wait4:error=EINTR:when=2..3 kill:error=EPERM:when=1 \
		openat:error=EMFILE open:error=EMFILE mmap:error=ENOMEM \
		pidfd_open:error=ENOSYS signalfd4:error=EMFILE; do
		rm -f "$T/go" "$T/up"
		unshare --pid --fork --mount-proc --kill-child \
			"$I" -k 300ms -- sh -c "setsid sleep 96 & echo >$T/up; until [ -e $T/go ]; do sleep 0.05; done; exit 4" 2>"$T/err" 3>&- &
		npid=$!
		within 5 test -e "$T/up"
		ipid=$(cat "/proc/$npid/task/$npid/children")
		timeout 30 strace -qq -o "$T/strace" -e inject="$fault" -p $ipid 3>&- &
		spid=$!
		within 5 eval 'grep -q "TracerPid:.[1-9]" /proc/${ipid% }/status'
		echo >"$T/go"
		within 10 dead "$npid"
		status=0
		wait "$npid" || status=$?
		is "4 $fault" "$status $fault"
		wait "$spid" || true
		! pgrep -x -f "sleep 96"
	done
}
