# Signals to lease: which end the session, which go to the command.
load ../lib

@test "TERM, INT, HUP and QUIT ask with that signal; status 128+N" {
	for sig in TERM INT HUP QUIT; do
		rm -f "$T/up" "$T/mark" "$T/lease"
		lease_start -- bash -c "trap 'echo $sig >$T/mark; exit 0' $sig; echo >$T/up; while :; do sleep 0.02; done"
		within 5 test -e "$T/up"
		kill -"$sig" "$LPID"
		lease_wait
		is $((128 + $(kill -l "$sig"))) "$status"
		is "$sig" "$(cat "$T/mark")"
		lease_drop
	done
}

@test "a repeat within a second is the same request, a later one forces" {
	lease_start -S "$T/status" -k 60 -- bash -c "trap 'echo term >>$T/mark' TERM; echo >$T/up; while :; do sleep 0.02; done"
	within 5 test -e "$T/up"
	kill -TERM "$LPID"
	kill -TERM "$LPID"
	sleep 0.3
	kill -TERM "$LPID"
	sleep 0.2
	alive "$LPID"
	is 1 "$(grep -c . "$T/mark")"
	sleep 0.7
	kill -TERM "$LPID"
	lease_wait 3
	is 143 "$status"
	contains "$(cat "$T/status")" '"forced":true'
	lease_drop
}

@test "every other signal goes to the command's group, real-time ones with their count" {
	lease_start -- "$P" count 30 "$T/count"
	within 5 has ready "$T/count"
	for sig in USR1 USR2 WINCH CHLD CONT ALRM TSTP; do
		kill -"$sig" "$LPID"
		sleep 0.02
	done
	"$P" queue "$LPID" 34 20
	"$P" queue "$LPID" 50 30
	sleep 0.2
	kill -TERM "$LPID"
	lease_wait
	lease_drop
	for line in "^10 1 " "^12 1 " "^28 1 " "^17 1 " "^14 1 " "^20 1 " "^34 20 " "^50 30 " "^15 1 "; do
		grep -q "$line" "$T/count" || fail "no $line in: $(cat "$T/count")"
	done
}

@test "every catchable signal of the 64 leaves lease alive but the four" {
	lease_start -- "$P" count 60 "$T/count"
	within 5 has ready "$T/count"
	for sig in $(seq 1 64); do
		case $sig in 1 | 2 | 3 | 15 | 9 | 19 | 17) continue ;; esac
		"$P" queue "$LPID" "$sig" 1
	done
	within 5 eval 'kill -0 $LPID'
	sleep 0.2
	kill -TERM "$LPID"
	lease_wait
	lease_drop
	is 143 "$status"
	is 58 "$(grep -c . "$T/count")"
}

@test "nohup lease does not end on HUP" {
	mkfifo "$T/lease"
	nohup "$L" -- sleep 99 <"$T/lease" >"$T/out" 2>&1 3>&- &
	LPID=$!
	exec 7>"$T/lease"
	within 5 pgrep -x -f "sleep 99"
	kill -HUP "$LPID"
	sleep 0.3
	alive "$LPID"
	kill -TERM "$LPID"
	lease_wait
	is 143 "$status"
	lease_drop
}

@test "the whole group is sent TERM: the command is asked once" {
	mkfifo "$T/lease"
	setsid "$L" -- bash -c "trap 'echo term >>$T/mark; sleep 0.3; exit 0' TERM; echo >$T/up; while :; do sleep 0.02; done" <"$T/lease" 3>&- &
	LPID=$!
	exec 7>"$T/lease"
	within 5 test -e "$T/up"
	kill -TERM -"$LPID"
	lease_wait
	is 143 "$status"
	is 1 "$(grep -c . "$T/mark")"
	lease_drop
}

@test "children from before the exec are neither ended nor waited for" {
	mkfifo "$T/lease"
	"$P" stray "$T/stray" "$L" -S "$T/status" -- sh -c "$P escape $T/pid $P sleep; exec sleep 99" <"$T/lease" 3>&- &
	LPID=$!
	exec 7>"$T/lease"
	within 5 test -s "$T/pid"
	stray=$(cat "$T/stray")
	lease_drop
	lease_wait
	is 123 "$status"
	alive "$stray"
	dead "$(cat "$T/pid")"
	kill -KILL "$stray"
}

@test "with children from before the exec, signals and the exit status come through" {
	"$P" stray "$T/stray" "$L" -n --timeout 20 -- "$P" count 30 "$T/count" 3>&- &
	LPID=$!
	within 5 has ready "$T/count"
	kill -USR1 "$LPID"
	sleep 0.05
	kill -TERM "$LPID"
	lease_wait
	is 143 "$status"
	grep -q '^10 1 ' "$T/count"
	grep -q '^15 1 ' "$T/count"
	run "$P" stray "$T/stray" "$L" -n --timeout 9 -- sh -c 'exit 7'
	is 7 "$status"
}

@test "SIGCHLD inherited as ignored: the status is known at once" {
	run "$P" nochld "$L" -n --timeout 9 -- sh -c 'exit 7'
	is 7 "$status"
}

@test "SIGPIPE of our own writes ends nothing and reaches nobody" {
	mkfifo "$T/lease" "$T/s"
	sleep 99 <"$T/s" 3>&- &
	"$L" -S 5 -- "$P" count 30 "$T/count" <"$T/lease" 5>"$T/s" 3>&- 2>/dev/null &
	LPID=$!
	exec 7>"$T/lease"
	within 5 has ready "$T/count"
	kill %1
	sleep 0.1
	lease_drop
	lease_wait
	is 123 "$status"
	! grep -q '^13 ' "$T/count"
}

@test "on a terminal the command keeps the session and gets the foreground" {
	run timeout 20 script -qec "$L -n --timeout 9 -- bash -m -c 'echo flags \$-; ps -o pid=,pgid=,tpgid=,sid= -p \$\$'" /dev/null
	is 0 "$status"
	contains "$output" "flags hmBc"
	read -r pid pgid tpgid sid < <(tr -d '\r' <<<"${lines[1]}")
	is "$pid $pid $pid" "$pid $pgid $tpgid"
	[ "$sid" != "$pid" ]
}

@test "an interactive shell under lease on a terminal: no warning, ends with the session" {
	run timeout 20 python3 - "$L" <<-'PY'
		import os, pty, sys, time
		r, w = os.pipe()
		pid, tty = pty.fork()
		if pid == 0:
		    os.dup2(r, 60)
		    os.close(w)
		    os.execl(sys.argv[1], "lease", "-q", "--fd", "60", "--",
		        "bash", "--norc", "-i")
		time.sleep(0.5)
		os.write(tty, b"echo $-\n")
		time.sleep(0.3)
		out = os.read(tty, 4096)
		os.close(r)
		os.close(w)
		start = time.time()
		code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
		print(code, time.time() - start < 3, b"no job control" in out,
		    b"himBHs" in out or b"imB" in out)
	PY
	is "123 True False True" "$output"
}

@test "on a terminal with the lease on stdin, the owner keeps the foreground" {
	run timeout 20 script -qec "cat | $L -- sh -c 'sleep 0.3'; echo over" /dev/null < <(sleep 1)
	contains "$output" over
}

@test "the foreground of a terminal is given back at the end" {
	run timeout 20 python3 - "$L" <<-'PY'
		import os, pty, sys
		pid, tty = pty.fork()
		if pid == 0:
		    os.execlp("sh", "sh", "-c",
		        sys.argv[1] + " -n --timeout 5 -- true; read x; echo got $x")
		os.write(tty, b"line\n")
		out = b""
		try:
		    while chunk := os.read(tty, 100):
		        out += chunk
		except OSError:
		    pass
		os.waitpid(pid, 0)
		print(b"got line" in out)
	PY
	is True "$output"
}
