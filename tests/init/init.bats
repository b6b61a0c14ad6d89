# lease-init as PID 1, and elsewhere as a subreaper.
load ../lib
load start
bats_require_minimum_version 1.5.0

@test "the exit status is the program's: all 256, and 128+N" {
	for i in $(seq 0 255); do
		status=0
		"$I" sh -c "exit $i" || status=$?
		is "$i" "$status"
	done
	for i in 1 2 6 9 11 15 34 64; do
		status=0
		N "$I" sh -c "kill -$i \$\$" 2>/dev/null || status=$?
		is $((128 + i)) "$status"
	done
}

@test "a program that cannot run: 127, 126, named on stderr" {
	printf '#!/no/sh\n' >"$T/nosh"
	printf '#!/bin/sh\r\n' >"$T/crlf"
	: >"$T/nox"
	chmod +x "$T/nosh" "$T/crlf"
	mkdir "$T/dir"
	while read -r code file text; do
		run -"$code" N "$I" -- "$file"
		contains "$output" "$file"
		contains "$output" "$text"
	done <<-EOF
		127 no-such-program No such file
		126 $T/dir denied
		126 $T/nox denied
		127 $T/nosh '/no/sh' is missing
		127 $T/crlf carriage return
	EOF
	run -127 N "$I" -- ''
	contains "$output" "empty command"
}

@test "wrong options: 125, one line, nothing executed" {
	while read -r args; do
		status=0
		# shellcheck disable=SC2086
		"$I" $args >"$T/out" 2>"$T/err" || status=$?
		is "125 $args" "$status $args"
		is "1 $args" "$(grep -c . "$T/err") $args"
		[ ! -s "$T/out" ] || fail "ran: $args"
	done <<-EOF
		-Z echo ran
		--nosuch echo ran
		-e 256 echo ran
		-e -1 echo ran
		-e x echo ran
		-p NOSUCH echo ran
		-p -- echo ran
		-k 1x echo ran
		-k
		-g
		--
	EOF
	run -125 "$I"
	contains "$output" "PROGRAM"
}

@test "parsing stops at the first operand" {
	run -0 "$I" echo -g -e --
	is "-g -e --" "$output"
}

@test "-s with a signal, as in lease, gets a hint" {
	run -127 "$I" -s TERM echo
	contains "$output" "looks like a signal"
}

@test "the main program exits on TERM; its child that traps TERM finishes" {
	init_start sh -c "sh -c 'trap \"sleep 1; echo ok >$T/mark; exit\" TERM; echo >$T/up; while :; do sleep 0.05; done' & trap 'exit 0' TERM; while :; do sleep 0.05; done"
	within 5 test -e "$T/up"
	kill -TERM "$IPID"
	init_wait
	is 0 "$status"
	is ok "$(cat "$T/mark")"
}

@test "who ran setsid is drained too, without waiting for the grace" {
	start=$(now_ms)
	init_start -- sh -c "setsid sleep 99 & exec sleep 98"
	within 5 pgrep -x -f "sleep 98"
	within 5 pgrep -x -f "sleep 99"
	kill -TERM "$IPID"
	init_wait 4
	is 143 "$status"
	! pgrep -x -f "sleep 9[89]"
}

@test "who ignores TERM is forced after -k" {
	start=$(now_ms)
	run N "$I" -k 300ms -- sh -c "trap '' TERM; sleep 99 & exit 3"
	is 3 "$status"
	elapsed=$(($(now_ms) - start))
	[ "$elapsed" -ge 290 ] && [ "$elapsed" -lt 3000 ] || fail "$elapsed"
}

@test "-k 0 does not drain" {
	start=$(now_ms)
	run N "$I" -k 0 -- sh -c "(trap 'echo asked' TERM; sleep 5) & exit 3"
	is 3 "$status"
	is "" "$output"
	[ $(($(now_ms) - start)) -lt 3000 ]
}

@test "a process that came by setns is drained: asked, and waited for" {
	init_start -- sh -c "echo >$T/up; sleep 98"
	within 5 test -e "$T/up"
	nsenter -t "$IPID" -p -m sh -c "trap 'sleep 0.5; echo ok >$T/mark; exit' TERM; echo >$T/in; while :; do sleep 0.05; done" 3>&- &
	within 5 test -e "$T/in"
	kill -TERM "$IPID"
	init_wait 4
	is ok "$(cat "$T/mark")"
}

@test "a process that came by setns and ignores TERM is forced after the grace" {
	init_start -k 500ms -- sh -c "echo >$T/up; sleep 98"
	within 5 test -e "$T/up"
	nsenter -t "$IPID" -p -m sh -c "trap '' TERM; echo >$T/in; while :; do sleep 0.05; done" 3>&- &
	entered=$!
	within 5 test -e "$T/in"
	kill -TERM "$IPID"
	start=$(now_ms)
	init_wait 4
	[ $(($(now_ms) - start)) -ge 490 ]
	dead "$(cat "/proc/$entered/task/$entered/children" 2>/dev/null || echo 0)"
}

@test "an open interactive shell does not cost the grace" {
	init_start -- sh -c "echo >$T/up; sleep 98"
	within 5 test -e "$T/up"
	python3 -c "
import pty, os, time
pid, tty = pty.fork()
if pid == 0:
    os.execvp('nsenter', ['nsenter', '-t', '$IPID', '-p', '-m', 'setsid', '-c', 'bash', '--norc', '-i'])
time.sleep(0.5)
open('$T/in', 'w').close()
os.waitpid(pid, 0)" 3>&- &
	within 5 test -e "$T/in"
	kill -TERM "$IPID"
	start=$(now_ms)
	init_wait 8
	[ $(($(now_ms) - start)) -lt 3000 ] || fail $(($(now_ms) - start))
}

@test "a signal during the drain goes to those that are left" {
	init_start -k 20 -- sh -c "bash -c 'trap \"\" TERM; trap \"echo usr1 >$T/mark; exit\" USR1; echo >$T/up; while :; do sleep 0.05; done' & while [ ! -e $T/up ]; do sleep 0.05; done; exit 5"
	within 5 test -e "$T/up"
	sleep 0.3
	kill -USR1 "$IPID"
	init_wait 5
	is 5 "$status"
	is usr1 "$(cat "$T/mark")"
}

@test "a second TERM or INT during the drain forces at once" {
	for sig in TERM INT; do
		rm -f "$T/up"
		init_start -k 60 -- sh -c "bash -c 'trap \"\" TERM INT; echo >$T/up; while :; do sleep 0.05; done' & while [ ! -e $T/up ]; do sleep 0.05; done; exit 5"
		within 5 test -e "$T/up"
		sleep 0.3
		kill -"$sig" "$IPID"
		sleep 0.3
		alive "$IPID"
		kill -"$sig" "$IPID"
		init_wait 3
		is 5 "$status"
	done
}

@test "every catchable signal is forwarded, real-time ones with count and value" {
	init_start -- "$P" count 60 "$T/count"
	within 5 has ready "$T/count"
	for sig in $(seq 1 64); do
		case $sig in 9 | 15 | 19) continue ;; esac
		"$P" queue "$IPID" "$sig" 1
		# One that stops takes back a CONT that still waits.
		within 5 delivered
	done
	"$P" queue "$IPID" 34 49
	"$P" queue "$IPID" 40 49
	within 5 delivered
	kill -TERM "$IPID"
	init_wait
	is 0 "$status"
	is 62 "$(grep -c . "$T/count")"
	# 1 and the sum of 1 to 49: each value came through.
	grep -q '^34 50 1226$' "$T/count" || fail "$(cat "$T/count")"
	grep -q '^40 50 1226$' "$T/count"
}

@test "-g: signals go to the whole group of the program, not to who left it" {
	signals_the_group -g
	kill -KILL "$IPID"
}

@test "-e: an expected exit status becomes 0, others stay" {
	run -0 "$I" -e 143 -e 7 sh -c 'exit 7'
	run -8 "$I" -e 143 -e 7 sh -c 'exit 8'
	run -0 "$I" -e 143 sh -c 'kill -TERM $$'
	run -0 "$I" -e 255 sh -c 'exit 255'
}

@test "-w says which zombies are reaped, -v what is done" {
	run -0 N "$I" -w -- sh -c '(sleep 0.1 &); sleep 0.3'
	contains "$output" "reaped zombie PID"
	run -0 N "$I" -v -- true
	contains "$output" "started 'true' as PID 2"
}

@test "-p: the death of our parent is a signal to the program" {
	sh -c "$I -p USR1 -- bash -c 'trap \"echo usr1 >$T/mark; exit\" USR1; echo >$T/up; while :; do sleep 0.02; done' & echo \$! >$T/ipid; sleep 98" 3>&- &
	parent=$!
	within 5 test -e "$T/up"
	within 5 test -s "$T/ipid"
	kill -KILL "$parent"
	within 5 test -s "$T/mark"
	within 5 dead "$(cat "$T/ipid")"
}

@test "mask, dispositions and descriptors of the program are as without us" {
	exec 4>"$T/four"
	(cd "$T" && "$P" state) >"$T/bare"
	(cd "$T" && "$I" -- "$P" state) >"$T/under"
	diff <(sed s/bare/x/ "$T/bare") <(sed s/under/x/ "$T/under")
	a=$(grep Sig[BI] /proc/self/status)
	b=$("$I" grep Sig[BI] /proc/self/status)
	is "$a" "$b"
	b=$(env --ignore-signal=USR1,CHLD --block-signal=HUP "$I" grep Sig[BI] /proc/self/status)
	a=$(env --ignore-signal=USR1,CHLD --block-signal=HUP grep Sig[BI] /proc/self/status)
	is "$a" "$b"
}

@test "closed stdin, stdout, stderr are fine" {
	run -0 N "$I" true <&-
	status=0
	N "$I" -v sh -c 'exit 4' 0<&- 1>&- 2>&- || status=$?
	is 4 "$status"
}

@test "SIGCHLD inherited as ignored: the status is known at once" {
	start=$(now_ms)
	run -7 "$P" nochld "$I" -- sh -c 'exit 7'
	[ $(($(now_ms) - start)) -lt 1000 ]
}

@test "stray children inherited at exec do not confuse it" {
	run -7 "$P" stray "$T/stray" "$I" -- sh -c 'exit 7'
	dead "$(cat "$T/stray")" # a descendant: drained
}

@test "10,000 orphans are reaped, and the program's status is kept" {
	run -0 N "$I" -- "$P" orphans 10000
	run -5 N "$I" -- sh -c "$P orphans 500; ps -e -o stat= | grep -c Z; exit 5"
	is 0 "${lines[0]}"
}

@test "not PID 1: a subreaper; nothing of the program outlives it" {
	"$I" -s -- sh -c "$P escape $T/pid $P sleep; until [ -s $T/pid ]; do sleep 0.01; done; sleep 97 & exit 0"
	dead "$(cat "$T/pid")"
	! pgrep -x -f "sleep 97"
}

@test "below itself or another init it works, in silence" {
	run -3 N "$I" "$I" sh -c 'exit 3'
	is "" "$output"
	run -3 N sh -c "$I sh -c 'exit 3'"
	is "" "$output"
}

@test "as UID 1000 before a setuid-root program: one warning, lives on" {
	suid_program 'sleep(3); return 6;'
	setpriv --reuid=1000 --regid=1000 --clear-groups "$I" "$SUID" 2>"$T/err" 3>&- &
	pid=$!
	within 5 pgrep -x suid
	sleep 0.1
	kill -TERM "$pid"
	sleep 0.3
	alive "$pid"
	is 1 "$(grep -c 'cannot forward SIGTERM' "$T/err")"
	status=0
	wait "$pid" || status=$?
	is 6 "$status"
	rm -r "${SUID%/*}"
}

@test "under a fresh terminal, 200 times: never 129" {
	fresh_terminals
	is "{0}" "$output"
}

@test "on a terminal the program has the foreground and job control, no warning" {
	run timeout 20 script -qec "$I bash -m -c 'echo \$-; ps -o pid=,pgid=,tpgid= -p \$\$'" /dev/null
	contains "${lines[0]}" m
	read -r pid pgid tpgid < <(tr -d '\r' <<<"${lines[1]}")
	is "$pid $pid" "$pgid $tpgid"
	is 2 "${#lines[@]}"
	# And afterwards it has been taken back.
	run timeout 20 script -qec "bash -c '$I true; ps -o pgid=,tpgid= -p \$\$'" /dev/null
	read -r pgid tpgid < <(tr -d '\r' <<<"${lines[0]}")
	is "$pgid" "$tpgid"
}

@test "in the background of a terminal the foreground is not taken" {
	run timeout 20 script -qec "bash -m -c '$I sleep 0.31 & sleep 0.1; ps -eo pgid=,tpgid=,args= | grep -x \".* sleep 0.3[1]\" | grep -v init; wait'" /dev/null
	read -r pgid tpgid _ < <(tr -d '\r' <<<"${lines[0]}")
	[ "$pgid" -gt 0 ] && [ "$tpgid" -gt 0 ] && [ "$pgid" != "$tpgid" ]
}

@test "--help and --version" {
	run -0 "$I" --help
	contains "$output" "usage: lease-init"
	run -0 "$I" --version
	[[ $output =~ ^lease-init\ [0-9]+\.[0-9]+\.[0-9]+\ -\ git\.[0-9a-z]+$ ]]
}

@test "PID 1 with no memory to be had reaps and drains" {
	limit=20000
	# AddressSanitizer's shadow alone is terabytes of addresses.
	[ "$BUILD" = "$ROOT/build" ] || limit=unlimited
	run -5 N bash -c "ulimit -v $limit; exec $I -k 500ms -- sh -c 'sleep 99 & setsid sleep 99 & exit 5'"
}

@test "in the drain, watching one who came by setns costs nothing at his end" {
	init_start -k 3 -- sh -c "until [ -e $T/go ]; do sleep 0.05; done; exit 5"
	# He leaves a child behind that ignores TERM, and dies himself.
	nsenter -t "$IPID" -p -m sh -c "trap '' TERM; sh -c 'exec sleep 97' & echo >$T/in; until [ -e $T/die ]; do sleep 0.05; done" 3>&- &
	within 5 test -e "$T/in"
	echo >"$T/go"
	sleep 0.3
	echo >"$T/die"
	sleep 0.3
	ticks() { awk '{ print $14 + $15 }' "/proc/$IPID/stat"; }
	before=$(ticks)
	sleep 1
	[ $(($(ticks) - before)) -lt 10 ] || fail "$before $(ticks)"
	init_wait 5
	is 5 "$status"
}

@test "strays from before, in the caller's session: the caller is not signalled" {
	python3 - "$I" "$T" <<-'PY'
		import os, signal, sys, time
		init, tmp = sys.argv[1:]
		# The caller: it must hear nothing.
		signal.signal(signal.SIGTERM, lambda *a: open(tmp + "/hit", "w"))
		pid = os.fork()
		if pid == 0:
		    signal.signal(signal.SIGTERM, signal.SIG_DFL)
		    if os.fork() == 0:	# in the caller's group and session
		        time.sleep(99)
		    os.setsid()
		    os.execv(init, ["lease-init", "-s", "--", "true"])
		os.waitpid(pid, 0)
		time.sleep(0.1)
	PY
	[ ! -e "$T/hit" ]
}

@test "one process cannot be ended: the others are, and it is named" {
	suid_program 'for (;;) pause();'
	status=0
	setpriv --reuid=1000 --regid=1000 --clear-groups "$I" -k 100ms sh -c \
		"$SUID & sh -c 'trap \"\" TERM; sleep 97' & sleep 0.3; exit 4" \
		2>"$T/err" 3>&- || status=$?
	is 4 "$status"
	survivor=$(pgrep -x suid)
	contains "$(cat "$T/err")" "cannot end PID $survivor: another user's"
	is 1 "$(grep -c 'cannot end' "$T/err")"
	! pgrep -x -f "sleep 97"
	kill -KILL "$survivor"
	rm -r "${SUID%/*}"
}
