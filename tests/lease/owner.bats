# Every kind of owner: what renews a lease, and what ends it.
load ../lib
bats_require_minimum_version 1.5.0

@test "--ttl: without a byte it ends, reason ttl, status 123" {
	start=$(now_ms)
	lease_start --ttl 500ms -S "$T/status" -- sleep 99
	lease_wait 5
	elapsed=$(($(now_ms) - start))
	is "123 ttl" "$status $(reason)"
	[ "$elapsed" -ge 490 ] && [ "$elapsed" -lt 3000 ] || fail "$elapsed"
	lease_drop
}

@test "--ttl: any byte renews it" {
	lease_start --ttl 600ms -S "$T/status" -- sleep 99
	for _ in 1 2 3 4 5 6 7 8; do
		sleep 0.2
		printf . >&7
		alive "$LPID"
	done
	lease_wait 5
	is "123 ttl" "$status $(reason)"
	lease_drop
}

@test "--ttl: the end of the lease ends it before" {
	lease_start --ttl 60 -S "$T/status" -- sleep 99
	within 5 has started "$T/status"
	lease_drop
	lease_wait 5
	is "123 lease-eof" "$status $(reason)"
}

@test "--ttl: lease stopped for three terms, with beats meanwhile, goes on" {
	lease_start --ttl 500ms -S "$T/status" -- sleep 99
	within 5 has started "$T/status"
	keeper=$(pgrep -P "$LPID")
	kill -STOP "$LPID" "$keeper"
	sleep 1
	printf . >&7
	sleep 0.5
	kill -CONT "$LPID" "$keeper"
	sleep 0.3
	alive "$LPID"
	lease_wait 5
	is "123 ttl" "$status $(reason)"
	lease_drop
}

@test "--ttl: owner and lease stopped for three terms, then both go on: not ended" {
	lease_start --ttl 1 -S "$T/status" -- sleep 99
	(while printf .; do sleep 0.3; done) >&7 3>&- &
	owner=$!
	within 5 has started "$T/status"
	keeper=$(pgrep -P "$LPID")
	kill -STOP "$owner" "$LPID" "$keeper"
	sleep 3.2
	kill -CONT "$LPID" "$keeper"
	sleep 0.4
	kill -CONT "$owner"
	sleep 1.5
	alive "$LPID"
	kill -KILL "$owner"
	lease_drop
	lease_wait 5
	is 123 "$status"
}

@test "--ttl: late without SIGCONT, one fresh term begins, not two" {
	lease_start --ttl 3s -S "$T/status" -- sleep 99
	within 5 has started "$T/status"
	keeper=$(pgrep -P "$LPID")
	# Stopped by a tracer, it gets no SIGCONT.
	timeout -s INT 30 python3 - "$keeper" <<-'PY' || true
		import ctypes, os, sys, time
		libc = ctypes.CDLL(None)
		pid = int(sys.argv[1])
		libc.ptrace(16, pid, 0, 0)	# PTRACE_ATTACH
		os.waitpid(pid, 0x40000000)
		time.sleep(4)
		libc.ptrace(17, pid, 0, 0)	# PTRACE_DETACH
	PY
	start=$(now_ms)
	alive "$LPID"
	lease_wait 5
	elapsed=$(($(now_ms) - start))
	[ "$elapsed" -ge 1500 ] || fail "$elapsed: no fresh term"
	is "123 ttl" "$status $(reason)"
	lease_drop
}

@test "--ttl with first-byte: no byte in time, and nothing is run" {
	lease_start --ttl 300ms --start first-byte -S "$T/status" -- touch "$T/ran"
	lease_wait 5
	is "123 ttl" "$status $(reason)"
	[ ! -e "$T/ran" ]
	lease_drop
}

@test "a third process that holds the pipe keeps the lease; --ttl does not care" {
	for ttl in 0 1; do
		rm -f "$T/lease" "$T/status"
		lease_start --ttl "$ttl" -S "$T/status" -- sleep 99
		sleep 98 >&7 3>&- &
		third=$!
		within 5 has started "$T/status"
		lease_drop
		if [ "$ttl" = 0 ]; then
			sleep 1.5
			alive "$LPID"
			kill -TERM "$LPID"
			lease_wait 5
			is "143 signal" "$status $(reason)"
		else
			lease_wait 5
			is "123 ttl" "$status $(reason)"
		fi
		kill "$third"
	done
}

@test "-o: the death of any of the owners ends it, a zombie included" {
	sleep 98 3>&- &
	a=$!
	sh -c 'sleep 97 & echo $! >"$0"; exec sleep 96' "$T/pid" 3>&- &
	parent=$!
	within 5 test -s "$T/pid"
	b=$(cat "$T/pid")
	"$L" -n -o "$a" -o "$b" -S "$T/status" -- sleep 99 3>&- &
	LPID=$!
	within 5 has started "$T/status"
	sleep 0.2
	alive "$LPID"
	# Nobody collects it: a zombie from now on.
	kill -KILL "$b"
	lease_wait 5
	is "123 owner" "$status $(reason)"
	kill "$a" "$parent"
}

@test "-o without pidfds: the owner is looked at every second" {
	sleep 98 3>&- &
	a=$!
	"$ROOT/build/helpers/refuse" 434 38 "$L" -n -o "$a" -S "$T/status" -- sleep 99 3>&- &
	LPID=$!
	within 5 has started "$T/status"
	sleep 1.2
	alive "$LPID"
	kill -KILL "$a"
	lease_wait 5
	is "123 owner" "$status $(reason)"
}

@test "-o without pidfds: another process that gets the PID is not taken for the owner" {
	# In a PID namespace of its own, where the next PID can be chosen.
	run -0 N sh -c "
		sleep 95 & a=\$!
		$ROOT/build/helpers/refuse 434 38 $L -n -o \$a -S $T/status -- sleep 99 &
		l=\$!
		until grep -qs started $T/status; do sleep 0.05; done
		sleep 0.1 # start times count in 1/100 s
		kill -KILL \$a; wait \$a 2>/dev/null
		echo \$((a - 1)) >/proc/sys/kernel/ns_last_pid
		sleep 94 & [ \$! = \$a ] || exit 77
		wait \$l; [ \$? = 123 ] || exit 78
		kill -0 \$a"
	is owner "$(reason)"
}

@test "-o of another user's process is alive, with and without pidfds" {
	sleep 98 3>&- &
	a=$!
	public "$L" "$ROOT/build/helpers/refuse"
	for how in "" "$PUBLIC/refuse 434 38"; do
		# shellcheck disable=SC2086
		run -4 setpriv --reuid=1000 --regid=1000 --clear-groups $how "$PUBLIC/lease" -n -o "$a" -- sh -c 'sleep 1.3; exit 4'
	done
	kill "$a"
	rm -r "$PUBLIC"
}

@test "-o that does not exist, has exited, is a thread or no PID: refused, 125" {
	sleep 0 3>&- &
	gone=$!
	wait "$gone"
	mkfifo "$T/stop"
	python3 -c "
import threading, sys
t = threading.Thread(target=lambda: open('$T/stop').read())
t.start()
print(t.native_id, flush=True)" >"$T/tid" 3>&- &
	within 5 test -s "$T/tid"
	for pid in "$gone" 4194303 0 -1 x 1e3 99999999999 "$(cat "$T/tid")"; do
		run -125 "$L" -n -o "$pid" -- touch "$T/ran"
		contains "$output" "$pid"
		is 1 "${#lines[@]}"
		[ ! -e "$T/ran" ]
	done
	: >"$T/stop"
	run -125 "$L" -n -o 4194303 -S 1 -- true
	contains "$output" '"reason":"hung-up","errno":3'
	contains "$output" "PID namespace"
	many=$(for _ in $(seq 17); do echo "-o $$"; done)
	# shellcheck disable=SC2086
	run -125 "$L" -n $many -- true
	contains "$output" "more than 16"
}

@test "more owners than descriptors: the end of the lease is noticed" {
	many=$(for _ in $(seq 12); do echo "-o $$"; done)
	for n in 5 6 7 8; do
		rm -f "$T/lease"
		mkfifo "$T/lease"
		# shellcheck disable=SC2086
		(ulimit -n $n; exec "$L" $many -- sleep 99) <"$T/lease" 2>"$T/err" 3>&- &
		LPID=$!
		exec 7>"$T/lease"
		sleep 0.5
		alive "$LPID"
		lease_drop
		lease_wait 3
		is "$n 123" "$n $status"
	done
}

@test "a limit of descriptors that is lowered under way: no event is missed" {
	sleep 98 3>&- &
	a=$!
	lease_start -o "$a" -o $$ -S "$T/status" -- sleep 99
	within 5 has started "$T/status"
	prlimit --pid "$(pgrep -P "$LPID")" --nofile=2:2
	# Only the next wait is under the new limit.
	kill -WINCH "$LPID"
	sleep 0.3
	alive "$LPID"
	kill -KILL "$a"
	lease_wait 5
	is "123 owner" "$status $(reason)"
	lease_drop
}

@test "an empty packet is no byte: it neither starts nor renews" {
	for opt in "--ttl 500ms" "--start first-byte --timeout 500ms"; do
		run -0 timeout 20 python3 - "$T/ran" "$L" $opt -- sh -c "echo >$T/ran; exec sleep 9" <<-'PY'
			import os, socket, subprocess, sys, time
			a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
			p = subprocess.Popen(sys.argv[2:], stdin=b)
			b.close()
			while p.poll() is None:
			    try:
			        a.send(b"")
			    except BrokenPipeError:
			        pass
			    time.sleep(0.1)
			print(p.returncode, os.path.exists(sys.argv[1]))
		PY
		case $opt in
		--ttl*) is "123 True" "${lines[-1]}" ;;
		*) is "124 False" "${lines[-1]}" ;;
		esac
		rm -f "$T/ran"
	done
}

@test "-n alone, or with --ttl, is refused; -n -o is not" {
	run -125 "$L" -n -- true
	contains "$output" "give -o or --timeout"
	run -125 "$L" -n --ttl 5 -o $$ -- true
	contains "$output" "leave out --ttl"
	run -0 "$L" -n -o $$ -- true
}

@test "several kinds at once: the first that is lost ends it, and is named" {
	sleep 98 3>&- &
	a=$!
	lease_start -o "$a" --ttl 60 --timeout 60 -S "$T/status" -- sleep 99
	within 5 has started "$T/status"
	kill -KILL "$a"
	lease_wait 5
	is "123 owner" "$status $(reason)"
	lease_drop
	rm "$T/lease" "$T/status"
	lease_start -o $$ --ttl 60 --timeout 300ms -S "$T/status" -- sleep 99
	lease_wait 5
	is "124 timeout" "$status $(reason)"
	lease_drop
}

@test "the owner is PID 1, or our parent is: no guess from that" {
	run -5 N sh -c "$L -n -o 1 -- sh -c 'sleep 0.5; exit 5'; exit \$?"
	run -6 N "$L" -n --timeout 9 -- sh -c 'sleep 0.5; exit 6'
}

@test "with owners idle, keeper and backstop make no system call in 3 seconds" {
	lease_start -o $$ --ttl 60 -- sleep 99
	within 5 pgrep -x -f "sleep 99"
	keeper=$(pgrep -P "$LPID")
	sleep 0.3
	quiet "$LPID" 3>&- &
	first=$!
	quiet "$keeper" 3>&- &
	second=$!
	wait "$first"
	wait "$second"
	lease_drop
	lease_wait
}

@test "--leader-grace: the command is asked alone, the rest later, nobody twice" {
	lease_start --leader-grace 1 -S "$T/status" -- bash -c "
		trap 'echo leader >>$T/log' TERM
		bash -c 'trap \"echo child >>$T/log; exit\" TERM; echo >$T/up; while :; do sleep 0.02; done' &
		while [ -e /proc/\$! ] && kill -0 \$!; do sleep 0.02; done; exit 3"
	within 5 test -e "$T/up"
	lease_drop
	within 5 has leader "$T/log"
	sleep 0.4
	is leader "$(cat "$T/log")"
	lease_wait 5
	is "leader child" "$(tr '\n' ' ' <"$T/log" | sed 's/ $//')"
	is 123 "$status"
	jq -e 'select(.event == "ended") | .forced == false' "$T/status"
}

@test "--leader-grace as PID 1, without /proc: the others are asked later" {
	run -124 timeout -s KILL 20 unshare --pid --fork --kill-child -m sh -c '
		umount -l /proc && exec "$@"' sh "$L" -n --timeout 300ms --leader-grace 300ms -k 5 -- bash -c "
		setsid bash -c 'trap \"echo far >>$T/log; exit\" TERM; while :; do sleep 0.02; done' &
		trap '' TERM; wait; exec true"
	is far "$(cat "$T/log")"
}

@test "--leader-grace: who ends with the leader does not wait for it" {
	start=$(now_ms)
	lease_start --leader-grace 20 -- sh -c 'echo up; exec sleep 99'
	within 5 has up "$T/out"
	lease_drop
	lease_wait 5
	[ $(($(now_ms) - start)) -lt 4000 ]
}
