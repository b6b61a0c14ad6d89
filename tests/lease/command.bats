# Promise 6: the command is what it would be without us.
load ../lib
bats_require_minimum_version 1.5.0

# states NAME COMMAND...: what probe state says, bare and under COMMAND.
same_state() {
	(cd "$T" && "$P" state) </dev/null >"$T/bare" 2>&1
	(cd "$T" && "$@" "$P" state) </dev/null >"$T/under" 2>&1
	diff "$T/bare" "$T/under"
}

@test "mask, dispositions, descriptors, directory are as without us" {
	exec 4>"$T/four" 5<"$BATS_TEST_FILENAME"
	same_state "$L" -n --timeout 9 --
	umask 077
	same_state "$L" -n --timeout 9 --
	trap '' USR1 CHLD HUP
	same_state "$L" -n --timeout 9 --
	trap - USR1 CHLD HUP
	# Every signal blocked, the C library's own ones too.
	python3 - "$L" "$P" "$T" <<-'PY'
		import ctypes, os, subprocess, sys
		lease, probe, tmp = sys.argv[1:]
		def block():
		    mask = ctypes.c_uint64(0x0fff_ffff_ffff_fffe)
		    ctypes.CDLL(None).syscall(14, 0, ctypes.byref(mask), None, 8)
		out = [subprocess.run(c + [probe, "state"], preexec_fn=block,
		    stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
		    for c in ([], [lease, "-n", "--timeout", "9", "--"])]
		assert "blocked 0ff" in out[0], out[0]
		assert out[0] == out[1], out
	PY
}

@test "the lease is stdin: the command's is /dev/null, and no copy is left" {
	lease_start -- "$P" state
	lease_wait
	lease_drop
	contains "$(cat "$T/out")" "fd 0 103:"
	is 3 "$(grep -c '^fd [012] ' "$T/out")"
	! grep -q '^fd 7 ' "$T/out"
}

@test "--fd N: the command keeps its stdin and does not get the lease" {
	mkfifo "$T/lease"
	echo input | "$L" --fd 6 -- sh -c "cat; echo >&6" 6<"$T/lease" >"$T/out" 2>"$T/err" 3>&- &
	LPID=$!
	exec 7>"$T/lease"
	within 5 dead "$LPID"
	is input "$(cat "$T/out")"
	contains "$(cat "$T/err")" "6"
	lease_drop
}

@test "--fd N, N not 0: its end ends the session" {
	mkfifo "$T/lease"
	"$L" --fd 6 -- sleep 99 6<"$T/lease" 3>&- 2>/dev/null &
	LPID=$!
	exec 7>"$T/lease"
	sleep 0.1
	lease_drop
	lease_wait
	is 123 "$status"
}

@test "a connected unix socket is a lease, and a half-close its end" {
	run python3 - "$L" <<-'PY'
		import socket, subprocess, sys, time
		for how in ("close", "half", "unread"):
		    a, b = socket.socketpair()
		    p = subprocess.Popen([sys.argv[1], "--", "sleep", "99"], stdin=a,
		        stderr=subprocess.DEVNULL)
		    a.close()
		    time.sleep(0.1)
		    assert p.poll() is None
		    b.send(b"alive")
		    time.sleep(0.1)
		    assert p.poll() is None
		    b.shutdown(socket.SHUT_WR) if how == "half" else b.close()
		    print(how, p.wait(5))
	PY
	is "close 123
half 123
unread 123" "$output"
}

@test "a TCP connection is a lease; a half-close is its end" {
	run python3 - "$L" <<-'PY'
		import socket, subprocess, sys, time
		s = socket.create_server(("127.0.0.1", 0))
		b = socket.create_connection(s.getsockname())
		a = s.accept()[0]
		p = subprocess.Popen([sys.argv[1], "--", "sleep", "99"], stdin=a,
		    stderr=subprocess.DEVNULL)
		a.close()
		time.sleep(0.1)
		assert p.poll() is None
		b.shutdown(socket.SHUT_WR)
		print(p.wait(5))
	PY
	is 123 "$output"
}

@test "bytes on the lease are dropped and end nothing" {
	lease_start -- sleep 1
	head -c 1000000 /dev/zero >&7
	lease_wait
	is 0 "$status"
	lease_drop
}

@test "an end after bytes came says that stdin is the lease" {
	status=0
	echo "SELECT 1" | cat - <(sleep 0.3) | "$L" -- sleep 9 2>"$T/err" || status=$?
	is 123 "$status"
	contains "$(cat "$T/err")" "after 9 bytes had come: stdin is the lease"
	contains "$(cat "$T/err")" "--fd N"
}

@test "an end within a moment of the start says so" {
	status=0
	sleep 0.2 | "$L" -- sleep 9 2>"$T/err" || status=$?
	is 123 "$status"
	contains "$(cat "$T/err")" "ms after the start: stdin is the lease"
	sleep 0.2 | "$L" -q -- sleep 9 2>"$T/err" || status=$?
	[ ! -s "$T/err" ]
}

@test "all 256 exit statuses and all deadly signals come through" {
	for i in $(seq 0 255); do
		status=0
		"$L" -n --timeout 9 -- sh -c "exit $i" || status=$?
		is "$i" "$status"
	done
	for i in 1 2 3 6 9 13 14 15 34 64; do
		status=0
		"$L" -n --timeout 9 -- sh -c "kill -$i \$\$" 2>/dev/null || status=$?
		is $((128 + i)) "$status"
	done
}

@test "a command that cannot run: 126, 127, with the cause named" {
	printf '#!/no/sh\n' >"$T/nosh"
	printf '#!/bin/sh\r\necho ran\r\n' >"$T/crlf"
	printf 'echo ran\n' >"$T/plain"
	printf '#!/bin/sh\n' >"$T/nox"
	chmod +x "$T/nosh" "$T/crlf" "$T/plain"
	mkdir "$T/dir"
	while read -r code file text; do
		run -"$code" "$L" -S "$T/status" -n --timeout 9 -- "$file"
		contains "$output" "$text"
		contains "$(cat "$T/status")" '"reason":"exec"'
	done <<-EOF
		127 no-such-program No such file
		127 $T/none No such file
		126 $T/dir denied
		126 $T/nox denied
		127 $T/nosh interpreter '/no/sh' is missing
		127 $T/crlf carriage return
		126 $T/plain first line
	EOF
	run -127 "$L" -n --timeout 9 -- ''
	contains "$output" "empty command"
}

@test "PATH is searched as by execvp: empty is here, what may not run is passed over" {
	mkdir "$T/a" "$T/b"
	: >"$T/a/prog"
	printf '#!/bin/sh\necho found\n' >"$T/b/prog"
	chmod +x "$T/b/prog"
	cd "$T/b"
	run -0 env PATH="$T/a:$T/b" "$L" -n --timeout 9 -- prog
	is found "$output"
	run -0 env PATH="$T/a::/nowhere" "$L" -n --timeout 9 -- prog
	is found "$output"
	run -126 env PATH="$T/a:/nowhere" "$L" -n --timeout 9 -- prog
	run -127 env PATH="/nowhere" "$L" -n --timeout 9 -- prog
	run -0 env -u PATH "$L" -n --timeout 9 -- true
}

@test "LEASE_ID is in the environment, new for each, an outer one replaced" {
	a=$("$L" -n --timeout 9 -- sh -c 'echo $LEASE_ID')
	b=$(LEASE_ID=x "$L" -n --timeout 9 -- env)
	[[ $a =~ ^[0-9a-f]{16}$ ]] || fail "$a"
	is 1 "$(grep -c '^LEASE_ID=' <<<"$b")"
	! grep -q "LEASE_ID=x\|LEASE_ID=$a" <<<"$b"
	is "$(env | grep -v '^LEASE_ID=\|^_=' | sort)" \
		"$(grep -v '^LEASE_ID=\|^_=' <<<"$b" | sort)"
}

@test "the command has a session of its own; its limits are ours" {
	lease_start -- sh -c 'ps -o pid=,sid=,pgid= -p $$ && ulimit -a'
	lease_wait
	lease_drop
	read -r pid sid pgid <"$T/out"
	is "$pid" "$sid"
	is "$pid" "$pgid"
	is "$(ulimit -a)" "$(bash -c 'ulimit -a')"
}

@test "a closed stdin, stdout and stderr are no hindrance" {
	mkfifo "$T/lease"
	"$L" --fd 6 -S "$T/status" -- true 0<&- 1>&- 2>&- 6<"$T/lease" 3>&- &
	LPID=$!
	exec 7>"$T/lease"
	lease_wait
	is 0 "$status"
	contains "$(cat "$T/status")" '"reason":"exited","exit_code":0'
	is 2 "$(wc -l <"$T/status")"
	lease_drop
}

@test "no /proc, no PATH, no ps: the command runs to its end" {
	lease_start -- env -i PATH=/nonexistent /bin/sh -c 'exit 3'
	lease_wait
	is 3 "$status"
	lease_drop
	unshare -m sh -c "umount -l /proc; exec env -i $L -n --timeout 9 -- /bin/sh -c 'exit 4'" || status=$?
	is 4 "$status"
}

@test "the reader of stdout gets its end when the command closes it" {
	mkfifo "$T/lease" "$T/o"
	"$L" -- sh -c 'echo x; exec >&-; sleep 99' <"$T/lease" >"$T/o" 3>&- &
	LPID=$!
	exec 7>"$T/lease"
	# cat ends at the end of file, though the command lives on.
	is x "$(timeout 5 cat "$T/o")"
	alive "$LPID"
	lease_drop
	lease_wait
}

@test "status lines: a session's life is four lines of JSON" {
	lease_start -S "$T/status" -- sleep 99
	within 5 has started "$T/status"
	sleep 0.1
	lease_drop
	lease_wait
	run jq -r '[.event, .reason, .signal, .exit_code, .forced, .leftovers, (.survivors | length?)] | @csv' "$T/status"
	is '"started",,,,,,0
"ending","lease-eof",,,,,0
"ended","lease-eof","SIGTERM",,false,0,0' "$output"
	is "$(jq -r 'select(.event == "started") | .session | length' "$T/status")" 16
	[ "$(jq -r 'select(.event == "ended") | .elapsed_ms' "$T/status")" -ge 100 ]
}

@test "status lines on 1 and 2 begin with RS" {
	run "$L" -n --timeout 9 -S 1 -- echo out
	is 2 "$(printf '%s' "$output" | grep -c $'^\x1e{"event":')"
	is out "$(grep -v $'\x1e' <<<"$output")"
	is 0 "$status"
}

@test "an out-of-memory kill shows as exited, SIGKILL, not forced" {
	run "$L" -n --timeout 9 -S "$T/status" -- sh -c 'kill -KILL $$'
	is 137 "$status"
	contains "$(cat "$T/status")" '"reason":"exited","exit_code":null,"signal":"SIGKILL","forced":false'
}

@test "--help and --version go to stdout, with status 0" {
	run "$L" --help
	is 0 "$status"
	contains "$output" "usage: lease"
	run "$L" -V
	is 0 "$status"
	[[ $output =~ ^lease\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
	status=0
	"$L" --help >/dev/full 2>"$T/err" || status=$?
	is 125 "$status"
	contains "$(cat "$T/err")" "No space left"
}

@test "an empty packet on a seqpacket socket is not the end; a close is" {
	run timeout 20 python3 - "$L" <<-'PY'
		import socket, subprocess, sys, time
		a, b = socket.socketpair(type=socket.SOCK_SEQPACKET)
		p = subprocess.Popen([sys.argv[1], "-q", "--", "sleep", "99"], stdin=a)
		a.close()
		time.sleep(0.1)
		b.send(b"")
		b.send(b"x")
		time.sleep(0.2)
		print(p.poll())
		b.close()
		print(p.wait(5))
	PY
	is "None
123" "$output"
}

@test "two leases on one FIFO: a byte for one does not block the other" {
	mkfifo "$T/lease"
	"$L" --timeout 1 -- sleep 99 <"$T/lease" 2>/dev/null 3>&- &
	one=$!
	"$L" --timeout 1 -- sleep 99 <"$T/lease" 2>/dev/null 3>&- &
	two=$!
	exec 7>"$T/lease"
	for i in $(seq 50); do echo >&7; done
	within 5 dead "$one"
	within 5 dead "$two"
	lease_drop
}
