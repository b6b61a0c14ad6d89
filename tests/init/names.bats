# lease-init under the names of other inits: what each of them promises, and
# under each name what went wrong with one of them in the field.
load ../lib
load start
bats_require_minimum_version 1.5.0

ALL="lease-init tini tini-static docker-init dumb-init catatonit podman-init"

# as NAME: $I is the file by that name.
as() {
	mkdir -p "$T/bin"
	ln -sf "$BUILD/lease" "$T/bin/$1"
	I=$T/bin/$1
	NAME=$1
}

# codes: $MISSING and $OTHER of an exec that fails, $FAILED of what else does.
codes() {
	case $NAME in
	lease-init) FAILED=125 MISSING=127 OTHER=126 ;;
	dumb-init) FAILED=1 MISSING=2 OTHER=2 ;;
	catatonit) FAILED=1 MISSING=1 OTHER=1 ;;
	*) FAILED=1 MISSING=127 OTHER=126 ;;
	esac
}

# on_terminal COMMAND...: under a terminal that is its own, as session leader.
# (script runs $SHELL, and not every shell execs its last command unasked.)
on_terminal() { timeout 30 script -qec "exec $*" /dev/null </dev/null; }

@test "all names: the main program exits on TERM; its child that traps TERM finishes" {
	for name in $ALL; do
		as "$name"
		rm -f "$T/mark" "$T/up"
		init_start -k 5 -- sh -c "sh -c 'trap \"sleep 1; echo ok >$T/mark; exit\" TERM; echo >$T/up; while :; do sleep 0.05; done' & trap 'exit 0' TERM; while :; do sleep 0.05; done"
		within 5 test -e "$T/up"
		kill -TERM "$IPID"
		init_wait
		is "$name 0 ok" "$name $status $(cat "$T/mark")"
	done
}

@test "all names: with -k who ran setsid is ended, also when not PID 1" {
	for name in $ALL; do
		as "$name"
		"$I" -k 5 -- sh -c "setsid sleep 9990 & exec sleep 9991" 3>&- &
		pid=$!
		within 5 pgrep -x -f "sleep 9990"
		within 5 pgrep -x -f "sleep 9991"
		kill -TERM "$pid"
		within 4 dead "$pid"
		! pgrep -x -f "sleep 999[01]" || fail "$name"
	done
}

@test "the engines' names drain for 5 s by themselves, the peers' only with -k" {
	for name in $ALL; do
		as "$name"
		case $name in
		lease-init | docker-init | podman-init) want=asked ;;
		*) want= ;;
		esac
		run -3 N "$I" -- sh -c "setsid sh -c 'trap \"echo asked; exit\" TERM; echo >$T/up.$name; while :; do sleep 0.02; done' & until [ -e $T/up.$name ]; do sleep 0.02; done; exit 3"
		if [ -n "$want" ]; then
			contains "$name: $output" asked
		else
			is "$name: " "$name: $output"
		fi
	done
}

@test "not PID 1: with -s, or by nature, what it started does not outlive the drain" {
	for name in lease-init docker-init podman-init catatonit; do
		as "$name"
		s=
		case $name in docker-init) s=-s ;; catatonit) s='-k 5' ;; esac
		# shellcheck disable=SC2086
		"$I" $s -- sh -c 'setsid sleep 9992 & exit 0'
		! pgrep -x -f "sleep 9992" || fail "$name"
	done
}

@test "-r rewrites by name and by number, real-time signals too, once, 0 drops" {
	for name in lease-init dumb-init; do
		as "$name"
		init_start -r TERM:QUIT -r 10:SIGUSR2 -r USR2:USR1 -r rtmin+1:rtmax -r INT:0 -r KILL:TERM -- bash -c \
			"for s in TERM QUIT USR1 USR2 RTMIN+1 RTMAX INT; do trap \"echo \$s >>$T/got.$name\" \$s; done; echo >$T/up.$name; while :; do sleep 0.02; done"
		within 5 test -e "$T/up.$name"
		n=0
		for sig in INT TERM USR1 USR2 RTMIN+1; do
			kill -"$sig" "$IPID"
			[ $sig = INT ] || n=$((n + 1))
			within 5 eval '[ "$(cat "$T/got.$name" 2>/dev/null | wc -l)" = $n ]'
		done
		is "QUIT USR2 USR1 RTMAX " "$(tr '\n' ' ' <"$T/got.$name")"
		kill -KILL "$IPID"
		init_wait
	done
}

@test "-r that is wrong: one line, nothing executed" {
	for name in lease-init dumb-init; do
		as "$name"
		codes
		for arg in '' TERM TERM: :TERM TERM:NOSUCH 0:TERM TERM:65 65:TERM 15::12 15:12: -1:2 1:32 TERM:33 'TERM: INT' NOTASIGNALNAMEATALL:TERM; do
			status=0
			"$I" -r "$arg" echo ran >"$T/out" 2>"$T/err" || status=$?
			is "$FAILED $arg" "$status $arg"
			is 1 "$(grep -c . "$T/err")"
			contains "$(cat "$T/err")" "'$arg'"
			[ ! -s "$T/out" ] || fail "ran: $arg"
		done
	done
}

@test "all names: real-time signals 34 and 40 are forwarded with their count" {
	for name in $ALL; do
		as "$name"
		init_start -- "$P" count 60 "$T/count.$name"
		within 5 has ready "$T/count.$name"
		"$P" queue "$IPID" 34 50
		"$P" queue "$IPID" 40 50
		within 5 delivered
		kill -TERM "$IPID"
		init_wait
		is "$name 15 1 34 50 40 50 " "$name $(awk '{ printf "%s %s ", $1, $2 }' "$T/count.$name")"
	done
}

@test "all names: under a fresh terminal, 200 times: never 129" {
	for name in $ALL; do
		as "$name"
		fresh_terminals
		is "$name {0}" "$name $output"
	done
}

@test "all names: a shell on a terminal has job control, without a warning" {
	for name in $ALL; do
		as "$name"
		s=
		case $name in tini*) s=-s ;; esac
		run on_terminal "$I $s bash -m -c 'echo \$-'"
		contains "$name: ${lines[0]}" m
		is "$name 1" "$name ${#lines[@]}"
	done
}

@test "all names: mask and dispositions of the program are as without us" {
	for name in $ALL; do
		as "$name"
		a=$(env --ignore-signal=USR1,CHLD,TTOU --block-signal=HUP,TTIN grep Sig[BI] /proc/self/status)
		b=$(env --ignore-signal=USR1,CHLD,TTOU --block-signal=HUP,TTIN "$I" grep Sig[BI] /proc/self/status)
		is "$name $a" "$name $b"
	done
}

@test "all names: closed stdin, stdout and stderr are fine" {
	for name in $ALL; do
		as "$name"
		run -0 N "$I" true <&-
		status=0
		N "$I" sh -c 'exit 4' 0<&- 1>&- 2>&- || status=$?
		is "$name 4" "$name $status"
	done
}

@test "all names: as UID 1000 before a setuid-root program: one warning, lives on" {
	suid_program 'sleep(2); return 6;'
	public
	for name in $ALL; do
		cp "$BUILD/lease" "$PUBLIC/$name"
		setpriv --reuid=1000 --regid=1000 --clear-groups "$PUBLIC/$name" "$SUID" 2>"$T/err.$name" 3>&- &
		pid=$!
		within 5 eval '[ -n "$(pgrep -x -P $pid suid)" ]'
		sleep 0.1
		kill -TERM "$pid"
		within 5 has 'cannot forward SIGTERM' "$T/err.$name"
		alive "$pid"
		status=0
		wait "$pid" || status=$?
		is "$name 6" "$name $status"
		is 1 "$(grep -c 'cannot forward SIGTERM' "$T/err.$name")"
	done
	rm -r "${SUID%/*}" "$PUBLIC"
}

@test "all names: SIGCHLD inherited as ignored: the status is known at once" {
	for name in $ALL; do
		as "$name"
		start=$(now_ms)
		run -7 "$P" nochld "$I" -- sh -c 'exit 7'
		[ $(($(now_ms) - start)) -lt 1000 ]
	done
}

@test "all names: a program that cannot run is named on stderr, with the name's status" {
	printf '#!/no/sh\n' >"$T/nosh"
	printf '#!/bin/sh\r\n' >"$T/crlf"
	: >"$T/nox"
	chmod +x "$T/nosh" "$T/crlf"
	mkdir "$T/dir"
	for name in $ALL; do
		as "$name"
		codes
		while read -r kind file text; do
			code=$OTHER
			[ "$kind" = other ] || code=$MISSING
			run -"$code" N "$I" -- "$file"
			contains "$name: $output" "$file"
			contains "$name: $output" "$text"
		done <<-EOF
			missing no-such-program No such file
			other $T/dir denied
			other $T/nox denied
			missing $T/nosh '/no/sh' is missing
			missing $T/crlf carriage return
		EOF
		run -"$MISSING" N "$I" -- ''
		contains "$name: $output" "empty command"
	done
}

@test "all names: a script without #! goes to /bin/sh, but under our own it is 126" {
	printf 'echo "ran $0 $*"; exit 9\n' >"$T/script"
	chmod +x "$T/script"
	for name in $ALL; do
		as "$name"
		if [ "$name" = lease-init ]; then
			run -126 N "$I" "$T/script" a b
		else
			run -9 N "$I" "$T/script" a b
			is "$name ran $T/script a b" "$name $output"
			run -9 env PATH="$T:$PATH" "$I" -- script
			contains "$output" "ran $T/script "
		fi
	done
}

@test "all names: one inside another works, in silence" {
	for name in $ALL; do
		as "$name"
		s=
		case $name in tini*) s=-s ;; esac
		# shellcheck disable=SC2086
		run -3 N "$I" "$I" $s sh -c 'exit 3'
		is "$name " "$name $output"
		# shellcheck disable=SC2086
		run -3 N sh -c "$I $s sh -c 'exit 3'; exit \$?"
		is "$name " "$name $output"
	done
}

@test "-g: USR1 reaches the program's group, and not who left it" {
	for name in lease-init tini docker-init catatonit podman-init; do
		as "$name"
		signals_the_group -g
		kill -KILL "$IPID"
		init_wait
	done
}

@test "-w names the parent that does not collect its zombie, once" {
	for name in lease-init tini tini-static docker-init; do
		as "$name"
		init_start -w -- "$P" zombie "$T/zombie.$name"
		within 5 test -s "$T/zombie.$name"
		kill -USR1 "$IPID"
		within 5 has "is a zombie that its parent" "$T/err"
		sleep 1.1
		kill -USR1 "$IPID"
		sleep 0.1
		is 1 "$(grep -c "PID 3 ('probe') is a zombie that its parent, PID 2 ('probe'), has not collected" "$T/err")"
		kill -KILL "$IPID"
		init_wait
	done
}

@test "all names: what cannot be ended is named, and the others are ended" {
	suid_program 'for (;;) pause();'
	public
	for name in $ALL; do
		cp "$BUILD/lease" "$PUBLIC/$name"
		setpriv --reuid=1000 --regid=1000 --clear-groups "$PUBLIC/$name" -k 100ms sh -c \
			"$SUID & sh -c 'trap \"\" TERM; sleep 9993' & sleep 0.3; exit 4" \
			2>"$T/err.$name" 3>&- &
		echo $! >>"$T/pids"
	done
	for pid in $(cat "$T/pids"); do
		status=0
		wait "$pid" || status=$?
		is 4 "$status"
	done
	for name in $ALL; do
		is "$name 1" "$name $(grep -c "cannot end PID [0-9]*: another user's" "$T/err.$name")"
	done
	! pgrep -x -f "sleep 9993"
	for pid in $(pgrep -x suid); do kill -KILL "$pid"; done
	rm -r "${SUID%/*}" "$PUBLIC"
}

@test "all names: parsing stops at the first operand" {
	for name in $ALL; do
		as "$name"
		run -0 N "$I" echo -g -h --version -e --
		is "$name -g -h --version -e --" "$name $output"
	done
}

@test "tini PROGRAM -- ARG, as tini's usage has it: that -- is dropped, no other" {
	for name in tini tini-static docker-init; do
		as "$name"
		is "a b" "$(N "$I" sh -- -c 'echo $0 $1' a b)"
		is "-- a" "$(N "$I" -- echo -- a)"
		is "a -- b" "$(N "$I" echo a -- b)"
	done
}

@test "all names: an unknown option: the name's status, nothing executed" {
	for name in $ALL; do
		as "$name"
		codes
		for arg in -Z --nosuch -k; do
			status=0
			"$I" $arg >"$T/out" 2>"$T/err" || status=$?
			is "$name $FAILED" "$name $status"
			contains "$(head -n 1 "$T/err")" "option '$arg': see $name -h"
			[ ! -s "$T/out" ]
		done
	done
	# What one name accepts another does not.
	while read -r name arg; do
		as "$name"
		codes
		run -"$FAILED" "$I" $arg true
		contains "$output" "unknown option '$arg'"
	done <<-EOF
		tini -c
		docker-init -P
		dumb-init -s
		dumb-init --group
		catatonit -v
		catatonit --license
		podman-init -w
	EOF
}

@test "help, version and licence: status 0, the stream of the peer" {
	while read -r name arg stream text; do
		as "$name"
		"$I" "$arg" >"$T/1" 2>"$T/2"
		contains "$(cat "$T/$stream")" "$text"
		[ ! -s "$T/$((3 - stream))" ] || fail "$name $arg"
	done <<-EOF
		lease-init -h 1 usage: lease-init
		lease-init -V 1 lease-init
		lease-init -L 1 MIT License
		tini -h 1 usage: tini
		tini --version 1 tini version
		tini -l 1 MIT License
		docker-init --version 1 tini version
		dumb-init -h 2 usage: dumb-init
		dumb-init --version 2 lease-init
		catatonit -h 2 usage: catatonit
		catatonit --version 1 tini version
		catatonit -L 1 MIT License
		podman-init -V 1 tini version
	EOF
}

@test "environment variables count under their program's name and under ours" {
	while read -r variable verbose quiet; do
		for name in lease-init $verbose; do
			as "$name"
			run -0 env "$variable" "$I" true
			contains "$name $variable: $output" "started 'true'"
		done
		for name in $quiet; do
			as "$name"
			run -0 env "$variable" "$I" true
			[[ $output != *"started 'true'"* ]] || fail "$name $variable"
		done
	done <<-EOF
		TINI_VERBOSITY=2 tini dumb-init
		DUMB_INIT_DEBUG=1 dumb-init tini
		CATATONIT_DEBUG= catatonit dumb-init
	EOF
	as tini
	run -0 env TINI_VERBOSITY=0 "$I" true
	is "" "$output"
	run -0 env TINI_VERBOSITY=much "$I" -s true
	is "" "$output"
	run -0 env TINI_SUBREAPER= "$I" true
	is "" "$output"
	run -0 "$I" true
	contains "$output" "zombie reaping won't work"
	for name in lease-init dumb-init; do
		as "$name"
		is "$(ps -o pgid= -p $$)" "$(env DUMB_INIT_SETSID=0 "$I" ps -o pgid= -C ps | sort -u | head -n 1)"
	done
}

@test "TINI_KILL_PROCESS_GROUP is -g" {
	for name in lease-init tini; do
		as "$name"
		export TINI_KILL_PROCESS_GROUP=
		init_start -- bash -c "trap : USR1; bash -c 'trap \"echo >$T/hit.$name\" USR1; echo >$T/up.$name; while :; do sleep 0.02; done' & while :; do sleep 0.02; done"
		unset TINI_KILL_PROCESS_GROUP
		within 5 test -e "$T/up.$name"
		kill -USR1 "$IPID"
		within 5 test -e "$T/hit.$name"
		kill -KILL "$IPID"
		init_wait
	done
}

@test "all names: the socket that was passed to us is the program's: LISTEN_PID" {
	for name in $ALL; do
		as "$name"
		# shellcheck disable=SC2016
		run -0 sh -c 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" -- sh -c "[ \$LISTEN_PID = \$\$ ] && echo same"' "$I"
		contains "$name $output" same
		run -0 env LISTEN_PID=1 "$I" -- sh -c 'echo $LISTEN_PID'
		contains "$name $output" 1
	done
}

@test "all names: no inherited descriptor above 2 stays open in init, and it stands in /" {
	cd "$T"
	for name in $ALL; do
		as "$name"
		"$I" -- sh -c 'ls /proc/$$/fd >"$0"; sleep 9994' "$T/fds.$name" 4>"$T/four" 17>"$T/seventeen" 3>&- &
		pid=$!
		within 5 pgrep -x -f "sleep 9994"
		contains "$name $(tr '\n' ' ' <"$T/fds.$name")" " 4 "
		is "$name 0 1 2 " "$name $(ls "/proc/$pid/fd" | tr '\n' ' ')"
		is "$name /" "$name $(readlink "/proc/$pid/cwd")"
		is "$T" "$(readlink "/proc/$(pgrep -x -f 'sleep 9994')/cwd")"
		pkill -KILL -x -f "sleep 9994"
		within 5 dead "$pid"
	done
}

@test "without close_range the descriptors are closed one by one" {
	"$ROOT/build/helpers/refuse" 436 38 "$I" -- sleep 9995 4>"$T/four" 17>"$T/seventeen" 3>&- &
	pid=$!
	within 5 pgrep -x -f "sleep 9995"
	within 5 eval '[ "$(ls "/proc/$pid/fd" | tr "\n" " ")" = "0 1 2 " ]'
	kill -TERM "$pid"
	within 5 dead "$pid"
}

@test "-P: reaps, ignores other signals, ends with 0 on TERM and on INT" {
	for name in lease-init catatonit podman-init; do
		for sig in TERM INT; do
			as "$name"
			init_start -P
			kill -HUP "$IPID"
			nsenter -t "$IPID" -p -m sh -c 'sleep 0.1 & exit 0' 3>&-
			sleep 0.3
			is "" "$(cat "/proc/$IPID/task/$IPID/children")"
			alive "$IPID"
			kill -"$sig" "$IPID"
			init_wait 3
			is "$name 0" "$name $status"
		done
		run "$I" -P -- true
		codes
		is "$FAILED" "$status"
		contains "$output" "leave out 'true'"
	done
}

@test "-P in a pod: who came in is drained under the engine's name" {
	as podman-init
	init_start -P
	nsenter -t "$IPID" -p -m sh -c "trap 'sleep 0.3; echo ok >$T/mark; exit' TERM; echo >$T/in; while :; do sleep 0.05; done" 3>&- &
	within 5 test -e "$T/in"
	kill -TERM "$IPID"
	init_wait 4
	is "0 ok" "$status $(cat "$T/mark")"
}

@test "dumb-init: session, group signals, and TERM to the group at the end" {
	as dumb-init
	read -r pid sid pgid < <("$I" sh -c 'ps -o pid=,sid=,pgid= -p $$')
	is "$pid $pid" "$sid $pgid"
	read -r pid sid pgid < <("$I" -c sh -c 'ps -o pid=,sid=,pgid= -p $$')
	[ "$pid" != "$sid" ] && [ "$pid" != "$pgid" ]
	"$I" sh -c "trap 'exit 5' TERM; sh -c 'trap \"echo asked >$T/mark; exit\" TERM; echo >$T/up; while :; do sleep 0.02; done' & until [ -e $T/up ]; do sleep 0.02; done; exit 0"
	within 5 test -s "$T/mark"
	# Rewritten, like all that it sends.
	rm "$T/up" "$T/mark"
	"$I" -r TERM:USR1 sh -c "bash -c 'trap \"echo usr1 >$T/mark; exit\" USR1; echo >$T/up; while :; do sleep 0.02; done' & until [ -e $T/up ]; do sleep 0.02; done; exit 0"
	within 5 has usr1 "$T/mark"
}

@test "dumb-init: stopped as a job, it stops with the program, and goes on with it" {
	as dumb-init
	for opt in "" -c; do
		for sig in TSTP TTIN TTOU; do
			# shellcheck disable=SC2086
			"$I" $opt -- sleep 9996 3>&- &
			pid=$!
			within 5 pgrep -x -f "sleep 9996"
			child=$(pgrep -x -f "sleep 9996")
			kill -"$sig" "$pid"
			within 5 in_state T "$pid"
			within 5 in_state T "$child"
			kill -CONT "$pid"
			within 5 in_state S "$pid"
			within 5 in_state S "$child"
			kill -KILL "$child"
			within 5 dead "$pid"
		done
	done
}

@test "dumb-init: the terminal becomes the program's, without a hang-up" {
	as dumb-init
	run on_terminal "$I -v sh -c 'ps -o pid=,sid=,tpgid=,tty= -p \$\$'"
	line=$(grep pts <<<"$output")
	read -r pid sid tpgid tty < <(tr -d '\r' <<<"$line")
	is "$pid $pid" "$sid $tpgid"
	contains "$output" "Ignoring tty hand-off signal 1."
	contains "$output" "Ignoring tty hand-off signal 18."
}

@test "verbose words say which signal came from whom and went to whom" {
	for name in lease-init tini dumb-init; do
		as "$name"
		init_start -v -- sleep 9997
		nsenter -t "$IPID" -p -m bash -c 'until kill -USR1 1 && sleep 0.2; do :; done' 3>&- &
		within 5 eval '! dead "$IPID" || true; has "eceived SIGUSR1 from PID [0-9]* (.bash.)" "$T/err"'
		init_wait
		is "$name $((128 + 10))" "$name $status"
		has "forwarded SIGUSR1 to .*PID 2 ('sleep')" "$T/err"
	done
}

@test "docker-init lease and podman-init lease are lease, when not PID 1" {
	for name in docker-init podman-init; do
		as "$name"
		run -4 "$I" lease -n --timeout 5 -- sh -c 'exit 4'
		run -125 "$I" lease
		contains "$output" "lease: no command"
		# As PID 1 it is a program by that name.
		run -127 N "$I" lease -n --timeout 5 -- true
		contains "$output" "cannot execute 'lease'"
	done
	as tini
	run -127 "$I" -s lease -n --timeout 5 -- true
}
