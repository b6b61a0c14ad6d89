# Never by mistake: what a system lacks ends nothing while the owner lives, and
# where the owner is gone all ends that can be ended.
load ../lib
bats_require_minimum_version 1.5.0

# in_both WRAPPER...: under WRAPPER, a command with a living owner keeps its own
# status, and see tree_ends.
in_both() {
	local how=$*
	rm -f "$T/lease"
	mkfifo "$T/lease"
	"$@" "$L" -k 300ms -S "${STATUS:-2}" -- /bin/busybox sh -c 'busybox sleep 0.3; exit 5' <"$T/lease" >/dev/null 2>"$T/err" 3>&- &
	LPID=$!
	exec 7>"$T/lease"
	lease_wait "${LIMIT:-20}" || fail "$how: hangs"
	is "$how: 5" "$how: $status"
	lease_drop
	tree_ends "$@"
}

limited() { # SOFT COMMAND...
	ulimit -n "$1"
	shift
	exec "$@"
}
without_proc() { exec unshare -m sh -c 'umount -l /proc && exec "$@"' sh "$@"; }
foreign_proc() { exec unshare --pid --fork --kill-child "$@"; }
hidden_proc() { # as UID 1000, hidepid=2
	exec unshare -m sh -c 'mount -t proc -o hidepid=2 proc /proc &&
		exec setpriv --reuid=1000 --regid=1000 --clear-groups "$@"' sh "$@"
}

@test "no /proc, one of another PID namespace, one that hides" {
	in_both without_proc
	in_both foreign_proc
	# The binaries where UID 1000 may read them.
	public "$L" "$P"
	L=$PUBLIC/lease P=$PUBLIC/probe in_both hidden_proc
	rm -r "$PUBLIC"
}

@test "pidfd_open, pidfd_send_signal, signalfd4: refused with ENOSYS and with EPERM" {
	for call in pidfd_open pidfd_send_signal signalfd4; do
		for error in ENOSYS EPERM; do
			in_both refused $call $error
		done
	done
}

@test "prctl refused: it is said, the command runs; an orphan alone escapes" {
	for error in ENOSYS EPERM; do
		mkfifo "$T/lease"
		(refused prctl $error "$L" -k 300ms -- sh -c "sleep 9960 & exec sleep 9961") <"$T/lease" 2>"$T/err" 3>&- &
		LPID=$!
		exec 7>"$T/lease"
		within 5 pgrep -x -f "sleep 9960"
		sleep 0.2
		alive "$LPID"
		lease_drop
		lease_wait 20
		is 123 "$status"
		! pgrep -x -f "sleep 996[01]"
		is 1 "$(grep -c subreaper "$T/err")"
		rm "$T/lease"
	done
}

@test "file descriptors exhausted: RLIMIT_NOFILE of 8 and of 3" {
	in_both limited 8
	in_both limited 3
}

@test "no memory to be had" {
	# AddressSanitizer's shadow alone is terabytes of addresses.
	[ "$BUILD" != "$ROOT/build/san" ] || return 0
	lean() { ulimit -v 20000; exec "$@"; }
	in_both lean
	in_both refused mmap ENOMEM
}

@test "the limit of processes is reached: refused with 125, nothing is run" {
	public "$L"
	# One process that UID 1234 has: the shell that becomes lease.
	for n in 1 2; do
		status=0
		setpriv --reuid=1234 --regid=1234 --clear-groups bash -c "ulimit -u $n; exec $PUBLIC/lease -n --timeout 9 -- touch $PUBLIC/ran" 2>"$T/err" || status=$?
		is "$n 125" "$n $status"
		contains "$(cat "$T/err")" "cannot fork"
		[ ! -e "$PUBLIC/ran" ]
	done
	rm -r "$PUBLIC"
}

@test "the reader of the status lines has gone, or its disk is full: nothing is lost but the lines" {
	mkfifo "$T/status"
	exec 8<>"$T/status"
	exec 9>"$T/status" 8>&-
	STATUS=9 LIMIT=10 in_both env
	STATUS=/dev/full LIMIT=10 in_both env
	exec 9>&-
}

@test "as UID 1000 a setuid-root descendant survives, is named, and the wait is bounded" {
	suid_program 'for (;;) pause();'
	public "$L"
	dir=$PUBLIC
	chmod 777 "$dir"
	mkfifo -m 666 "$T/lease"
	start=$(now_ms)
	setpriv --reuid=1000 --regid=1000 --clear-groups "$dir/lease" -k 100ms -S "$dir/status" -- \
		sh -c "$SUID & sh -c 'trap \"\" TERM; sleep 9962' & exec sleep 9963" <"$T/lease" 2>"$T/err" 3>&- &
	LPID=$!
	exec 7>"$T/lease"
	within 5 pgrep -x suid
	within 5 pgrep -x -f "sleep 9962"
	lease_drop
	lease_wait 15
	is 123 "$status"
	[ $(($(now_ms) - start)) -lt 9000 ]
	survivor=$(pgrep -x suid)
	contains "$(cat "$T/err")" "cannot end PID $survivor: another user's"
	is "$survivor" "$(jq -r 'select(.event == "ended").survivors[].pid' "$dir/status")"
	! pgrep -x -f "sleep 996[23]"
	kill -KILL "$survivor"
	rm -r "${SUID%/*}" "$dir"
}

@test "a stranger that gets a dead descendant's PID between listing and signalling lives" {
	# A descendant that is no child of lease, in a session of its own, dies, and
	# its PID goes to a stranger, while lease is held for 2 s just before it takes
	# hold of it.  Its parent ignores TERM, and collects it.
	cat >"$T/inside" <<-'EOF'
		strace -f -qq -o "$T/strace" -e trace=pidfd_open -e inject=pidfd_open:delay_enter=2000000 \
			"$L" --no-backstop -k 60 -- bash -c "
				trap '' TERM
				setsid sleep 9964 & echo \$! >$T/far
				wait; sleep 9966" <"$T/lease" &
		exec 7>"$T/lease"
		for _ in $(seq 100); do [ -s "$T/far" ] && break; sleep 0.05; done
		far=$(cat "$T/far")
		sleep 0.3
		exec 7>&-
		sleep 0.7
		kill -KILL "$far"
		# Its parent collects it.
		for _ in $(seq 20); do [ -e "/proc/$far" ] || break; sleep 0.02; done
		echo $((far - 1)) >/proc/sys/kernel/ns_last_pid
		bash -c "trap 'echo hit >$T/hit' TERM HUP CONT; while :; do sleep 0.05; done" &
		[ $! = "$far" ] || exit 77
		sleep 5
		kill -0 "$far" || exit 78
		[ ! -e "$T/hit" ] || exit 79
	EOF
	mkfifo "$T/lease"
	export L T
	run -0 N timeout -s KILL 40 bash "$T/inside"
	grep -q "pidfd_open($(cat "$T/far"), 0) *= [0-9]" "$T/strace" || fail "$(cat "$T/strace")"
}
