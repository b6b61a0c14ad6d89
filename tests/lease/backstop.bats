# Any one of keeper and backstop killed, at any moment: the other ends the
# session, and nobody else is touched.
load ../lib
bats_require_minimum_version 1.5.0

# session ARG...: a lease whose tree holds an escaped descendant, $ESCAPED, and a
# child that ignores TERM; $KEEPER is known.
session() {
	rm -f "$T/lease" "$T/status" "$T/escaped" "$T/stubborn"
	lease_start -S "$T/status" "$@" -- sh -c "
		$P escape $T/escaped $P sleep
		sh -c 'trap \"\" TERM; echo \$\$ >$T/stubborn; while :; do sleep 0.05; done' &
		exec sleep 99"
	within 5 test -s "$T/escaped"
	within 5 test -s "$T/stubborn"
	within 5 has started "$T/status"
	ESCAPED=$(cat "$T/escaped") STUBBORN=$(cat "$T/stubborn")
	COMMAND=$(jq -r 'select(.event == "started").pid' "$T/status")
	KEEPER=$(pgrep -P "$LPID") || KEEPER=
}
all_gone() { dead "$ESCAPED" && dead "$STUBBORN" && dead "$COMMAND"; }

@test "the keeper killed: the backstop ends all, 137, reason keeper-died" {
	session -k 300ms
	kill -KILL "$KEEPER"
	lease_wait 5
	is 137 "$status"
	all_gone
	is keeper-died "$(reason)"
	jq -e 'select(.event == "ended") | .signal == "SIGTERM" and .forced' "$T/status"
	contains "$(cat "$T/err")" "was killed by SIGKILL"
	lease_drop
}

@test "the backstop killed: the keeper ends all, reason backstop-died" {
	session -k 300ms
	kill -KILL "$LPID"
	lease_wait 5
	is 137 "$status"
	within 5 all_gone
	within 5 has ended "$T/status"
	is backstop-died "$(reason)"
	within 5 dead "$KEEPER"
	lease_drop
}

@test "the keeper killed, with -p: the command's own status" {
	lease_start -p -S "$T/status" -- sh -c "trap 'exit 9' TERM; echo >$T/up; while :; do sleep 0.02; done"
	within 5 test -e "$T/up"
	kill -KILL "$(pgrep -P "$LPID")"
	lease_wait 5
	is 9 "$status"
	lease_drop
}

@test "the keeper killed by a signal that it cannot block while it asks: nobody is asked twice, the grace goes on" {
	lease_start -k 1500ms -S "$T/status" -- bash -c "
		trap 'echo term >>$T/log' TERM
		setsid bash -c 'trap \"echo far >>$T/log\" TERM; echo >$T/up; while :; do sleep 0.02; done' &
		while :; do sleep 0.02; done"
	within 5 test -e "$T/up"
	keeper=$(pgrep -P "$LPID")
	start=$(now_ms)
	lease_drop
	within 5 has term "$T/log"
	within 5 has far "$T/log"
	sleep 0.2
	kill -KILL "$keeper"
	lease_wait 5
	elapsed=$(($(now_ms) - start))
	is 137 "$status"
	is "far term" "$(sort "$T/log" | tr '\n' ' ' | sed 's/ $//')"
	[ "$elapsed" -ge 1450 ] && [ "$elapsed" -lt 2500 ] || fail "$elapsed"
	is lease-eof "$(reason)"
}

@test "the keeper killed within 2 ms of the asking: who left the group is asked all the same" {
	run timeout 50 python3 - "$L" "$T" <<-'PY'
		import os, random, subprocess, sys, time
		lease, tmp = sys.argv[1:]
		far = "trap 'echo far >%s/far; exit' TERM; echo >%s/up; while :; do sleep 0.02; done" % (tmp, tmp)
		for i in range(30):
		    for name in "far", "up":
		        if os.path.exists(tmp + "/" + name):
		            os.unlink(tmp + "/" + name)
		    r, w = os.pipe()
		    p = subprocess.Popen([lease, "-q", "-k", "1", "--", "bash", "-c",
		        "setsid bash -c \"$1\" & trap '' TERM; sleep 2", "bash", far],
		        stdin=r, stderr=subprocess.DEVNULL)
		    os.close(r)
		    while not os.path.exists(tmp + "/up"):
		        time.sleep(0.01)
		    keeper = int(open("/proc/%d/task/%d/children" % (p.pid, p.pid)).read())
		    ms = random.uniform(0.1, 2)
		    os.close(w)
		    time.sleep(ms / 1000)
		    os.kill(keeper, 9)
		    code = p.wait()
		    if code != 137 or not os.path.exists(tmp + "/far"):
		        sys.exit("round %d, after %.2f ms: %d" % (i, ms, code))
	PY
	is "0 " "$status $output"
}

@test "the keeper killed after more than the grace: the grace is as long as ever" {
	lease_start -k 600ms -- sh -c "trap '' TERM; echo >$T/up; while :; do sleep 0.05; done"
	within 5 test -e "$T/up"
	sleep 2
	start=$(now_ms)
	kill -KILL "$(pgrep -P "$LPID")"
	lease_wait 5
	elapsed=$(($(now_ms) - start))
	is 137 "$status"
	[ "$elapsed" -ge 550 ] && [ "$elapsed" -lt 1600 ] || fail "$elapsed"
	lease_drop
}

@test "--leftovers wait and keep: any of the two killed, and the other ends them" {
	for who in keeper backstop; do
		for how in wait keep; do
			rm -f "$T/lease" "$T/pid"
			body="$P escape $T/pid $P sleep"
			[ $how = wait ] || body="$body; sleep 99"
			lease_start -k 300ms --leftovers $how -- sh -c "$body"
			within 5 test -s "$T/pid"
			keeper=$(pgrep -P "$LPID")
			sleep 0.2
			alive "$(cat "$T/pid")" && alive "$LPID"
			victim=$keeper
			[ $who = keeper ] || victim=$LPID
			kill -KILL "$victim"
			lease_wait 5
			is "$who $how 137" "$who $how $status"
			within 3 dead "$(cat "$T/pid")"
			within 3 dead "$keeper"
			lease_drop
		done
	done
}

@test "a lease in a lease: a clean-up that the inner grace allows is not cut short" {
	lease_start --leader-grace 1200ms -k 20 -- "$L" -n --timeout 60 -k 20 -- bash -c "
		trap 'sleep 2.5; echo done >>$T/log; exit' TERM
		echo >$T/up; while :; do sleep 0.02; done"
	within 5 test -e "$T/up"
	lease_drop
	lease_wait 10
	is 123 "$status"
	is done "$(cat "$T/log")"
}

@test "the keeper killed when all others have died already: no wait for the grace" {
	lease_start -k 20 -- sh -c "trap '' TERM; echo >$T/up; while :; do sleep 0.05; done"
	within 5 test -e "$T/up"
	keeper=$(pgrep -P "$LPID")
	command=$(pgrep -P "$keeper")
	lease_drop
	sleep 0.3
	kill -STOP "$keeper"
	kill -KILL "$command"
	within 5 in_state Z "$command"
	sleep 0.1
	kill -KILL "$keeper"
	lease_wait 3
	is 137 "$status"
}

@test "a death before the command's exec: the command is not started" {
	for who in keeper backstop; do
		rm -f "$T/lease"
		lease_start --start first-byte -- touch "$T/ran"
		within 5 eval '[ -n "$(pgrep -P "$LPID")" ]'
		keeper=$(pgrep -P "$LPID")
		sleep 0.1
		victim=$keeper
		[ $who = keeper ] || victim=$LPID
		kill -KILL "$victim"
		within 5 dead "$victim"
		(printf . >&7) 2>/dev/null || true
		lease_wait 5
		is 137 "$status"
		within 5 dead "$keeper"
		[ ! -e "$T/ran" ]
		lease_drop
	done
}

@test "--no-backstop: one process, and SIGKILL to it leaves the command" {
	session --no-backstop
	contains "$KEEPER" "$COMMAND"
	kill -KILL "$LPID"
	lease_wait 5
	sleep 0.3
	alive "$COMMAND" && alive "$STUBBORN" && alive "$ESCAPED"
	kill -KILL "$COMMAND" "$STUBBORN" "$ESCAPED"
	lease_drop
}

@test "as PID 1 there is no backstop" {
	run -0 N "$L" -n --timeout 9 -- sh -c 'echo $PPID $$'
	is "1 2" "$output"
}

@test "status, output, signals, session and environment are the same with and without" {
	for opt in "" --no-backstop; do
		lease_start $opt -- sh -c 'echo out; echo err >&2; exit 7'
		lease_wait
		is "7 out err" "$status $(cat "$T/out") $(cat "$T/err")"
		lease_drop
		rm "$T/lease"
		lease_start $opt -- "$P" count 60 "$T/count"
		within 5 has ready "$T/count"
		for sig in 10 12 28 34 64; do kill -"$sig" "$LPID"; done
		"$P" queue "$LPID" 40 20
		sleep 0.3
		kill -TERM "$LPID"
		lease_wait
		is 143 "$status"
		is "10 1 12 1 15 1 28 1 34 1 40 20 64 1 " "$(awk '$1 != 18 { printf "%s %s ", $1, $2 }' "$T/count")"
		lease_drop
		rm "$T/lease" "$T/count"
		lease_start $opt -- "$P" state
		lease_wait
		cp "$T/out" "$T/state$opt"
		lease_drop
		rm "$T/lease"
	done
	diff "$T/state" "$T/state--no-backstop"
}

@test "the backstop keeps no copy of the lease, and neither pins a directory" {
	cd "$T"
	session
	for fd in "/proc/$LPID/fd/"*; do
		[ "$(readlink "$fd")" != "$T/lease" ] || fail "$fd"
	done
	is / "$(readlink "/proc/$LPID/cwd")"
	is / "$(readlink "/proc/$KEEPER/cwd")"
	lease_drop
	lease_wait 10
}

@test "children from before: the outermost process killed ends the session too" {
	mkfifo "$T/lease"
	bash -c "sleep 96 & echo \$! >$T/stray; exec $L -k 300ms -- sleep 9981" <"$T/lease" 2>"$T/err" 3>&- &
	LPID=$!
	exec 7>"$T/lease"
	within 5 pgrep -x -f "sleep 9981"
	kill -KILL "$LPID"
	within 5 eval '! pgrep -x -f "sleep 9981"'
	alive "$(cat "$T/stray")"
	kill "$(cat "$T/stray")"
	lease_drop
}

@test "lease's whole group killed by SIGKILL, or asked by SIGTERM: the session ends" {
	for sig in KILL TERM; do
		mkfifo "$T/lease.$sig"
		# A group of its own, as a client's on a host.
		setsid "$L" -k 300ms -- sh -c "trap '' TERM; sleep 9982 & sleep 9983" <"$T/lease.$sig" 2>"$T/err" 3>&- &
		LPID=$!
		exec 7>"$T/lease.$sig"
		within 5 pgrep -x -f "sleep 9982"
		within 5 pgrep -x -f "sleep 9983"
		kill -"$sig" -"$LPID"
		lease_wait 5
		within 5 eval '! pgrep -x -f "sleep 998[23]"'
		[ $sig = KILL ] && is 137 "$status" || is 143 "$status"
		lease_drop
	done
}

@test "both killed at once: nothing ends the session, as documented" {
	session
	kill -STOP "$LPID" "$KEEPER"
	kill -KILL "$LPID" "$KEEPER"
	within 5 dead "$KEEPER"
	sleep 0.3
	alive "$COMMAND" && alive "$ESCAPED"
	kill -KILL "$COMMAND" "$STUBBORN" "$ESCAPED"
	lease_drop
}

@test "the private memory of the backstop is at most 60 kB" {
	session
	kb=$(awk '/^Private/ { n += $2 } END { print n }' "/proc/$LPID/smaps_rollup")
	[ "$kb" -le 60 ] || fail "$kb kB"
	lease_drop
	lease_wait 10
}

@test "killed at 50 random moments each: never a survivor, never a stranger signalled" {
	seed=${LEASE_SEED:-$(date +%s)}
	echo "# LEASE_SEED=$seed" >&3
	RANDOM=$seed
	# Strangers: in our own group and session, and beside.
	bash -c "trap 'echo hit >$T/hit' TERM HUP INT CONT; while :; do sleep 0.05; done" 3>&- &
	a=$!
	setsid bash -c "trap 'echo hit >$T/hit' TERM HUP INT CONT; while :; do sleep 0.05; done" 3>&- &
	b=$!
	for i in $(seq 100); do
		who=$((i % 2))
		rm -f "$T/lease" "$T/escaped"
		mkfifo "$T/lease"
		# A moment in the start, the running, the asking, or the forcing.
		when=$((RANDOM % 4))
		us=$((RANDOM % (when == 0 ? 4000 : 60000)))
		"$L" -q -k 50ms -- sh -c "$P escape $T/escaped $P sleep; (trap '' TERM; exec sleep 9970) & sleep 9971" <"$T/lease" 3>&- 2>/dev/null &
		LPID=$!
		exec 7>"$T/lease"
		if [ "$when" -gt 0 ]; then
			within 5 test -s "$T/escaped"
			keeper=$(pgrep -P "$LPID") || true
		fi
		[ "$when" -lt 2 ] || lease_drop
		sleep "$(printf '0.%06d' "$us")"
		[ "$when" -gt 0 ] || keeper=$(pgrep -P "$LPID") || true
		if [ $who = 0 ]; then
			kill -KILL "$LPID" 2>/dev/null || true
		elif [ -n "$keeper" ]; then
			kill -KILL "$keeper" 2>/dev/null || true
		fi
		within 5 dead "$LPID"
		[ -z "$keeper" ] || within 5 dead "$keeper"
		lease_drop
		within 3 eval '! pgrep -f "^($P|sleep 997[01])"' ||
			fail "round $i, killed $who at $when after $us us: $(pgrep -fa "^($P|sleep 997[01])")"
	done
	alive "$a" && alive "$b"
	[ ! -e "$T/hit" ]
	kill -KILL "$a" "$b"
}
