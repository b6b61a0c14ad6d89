# Promise 3: what cannot be a lease is refused, with nothing executed.
load ../lib

# refused REASON ADVICE: what the run before must have been.
refused() {
	is 125 "$status"
	[ ! -e "$T/ran" ] || fail "the command ran"
	is 1 "$(grep -c . "$T/err")"
	contains "$(cat "$T/err")" "$2"
	contains "$(cat "$T/status")" "\"event\":\"refused\",\"reason\":\"$1\""
}

attempt() {
	status=0
	"$L" -S "$T/status" "$@" -- touch "$T/ran" 2>"$T/err" || status=$?
}

@test "/dev/null is refused with advice to use docker exec -i" {
	attempt </dev/null
	refused null "docker exec -i"
}

@test "a file is refused" {
	attempt <"$BATS_TEST_FILENAME"
	refused file "give a pipe"
}

@test "a device that never hangs up is refused" {
	attempt </dev/zero
	refused file "give a pipe"
}

@test "a closed descriptor is refused" {
	attempt <&-
	refused closed "is not open"
	contains "$(cat "$T/status")" '"errno":9'
}

@test "a descriptor number that is not open is refused" {
	attempt --fd 77
	refused closed "fd 77"
}

@test "a pipe that was closed before the start is refused" {
	mkfifo "$T/f"
	: >"$T/f" 3>&- &
	exec 8<"$T/f"
	wait $!
	attempt <&8
	exec 8<&-
	refused hung-up "no far end"
}

@test "a FIFO open for reading and writing is refused: it never ends" {
	mkfifo "$T/f"
	attempt 0<>"$T/f"
	refused file "reading alone"
}

@test "the writing end of a pipe is refused" {
	mkfifo "$T/f"
	sleep 100 <"$T/f" 3>&- &
	attempt --fd 8 8>"$T/f"
	refused file "reading alone"
	kill $!
}

@test "a terminal is refused with advice" {
	status=0
	script -qec "$L -S $T/status -- touch $T/ran 2>$T/err" /dev/null ||
		status=$?
	refused terminal "without -t"
}

@test "a datagram socket is refused, an unconnected stream socket too" {
	run python3 - "$L" "$T" <<-'PY'
		import socket, subprocess, sys
		lease, tmp = sys.argv[1:]
		def attempt(s):
		    r = subprocess.run([lease, "--", "touch", tmp + "/ran"],
		        stdin=s, capture_output=True, text=True)
		    print(r.returncode, r.stderr.strip())
		attempt(socket.socketpair(type=socket.SOCK_DGRAM)[0])
		attempt(socket.socket())
		a, b = socket.socketpair()
		b.close()
		attempt(a)
	PY
	is 3 "$(grep -c '^125 lease: ' <<<"$output")"
	contains "$output" "can never hang up"
	is 2 "$(grep -c 'no far end' <<<"$output")"
	[ ! -e "$T/ran" ]
}

@test "a refusal is told on a status descriptor too" {
	status=0
	"$L" -S 2 -- touch "$T/ran" </dev/null 2>"$T/err" || status=$?
	is 125 "$status"
	contains "$(cat -v "$T/err")" '^^{"event":"refused","reason":"null"'
}

@test "a wrong command line is refused: 125, one line, nothing executed" {
	local args
	mkfifo "$T/f"
	sleep 100 >"$T/f" 3>&- &
	while read -r args; do
		rm -f "$T/status"
		status=0
		# shellcheck disable=SC2086
		"$L" -S "$T/status" $args <"$T/f" >"$T/out" 2>"$T/err" || status=$?
		is "125 $args" "$status $args"
		is "1 $args" "$(grep -c . "$T/err") $args"
		[ ! -s "$T/out" ] || fail "output: $args"
		contains "$(cat "$T/status")" '"reason":"usage"'
	done <<-EOF
		--timeout 1x -- echo ran
		--timeout -- echo ran
		--timeout 1e9 -- echo ran
		--timeout 99999999999999999999 -- echo ran
		--timeout -5 -- echo ran
		-k 5.5.5 -- echo ran
		-k ms -- echo ran
		-s NOSUCH -- echo ran
		-s 0 -- echo ran
		-s 65 -- echo ran
		--fd x -- echo ran
		--fd -1 -- echo ran
		--fd 1 -- echo ran
		--fd 99999999999 -- echo ran
		--start never -- echo ran
		--leftovers eat -- echo ran
		--nosuch -- echo ran
		-Z -- echo ran
		-n -- echo ran
		-n --fd 4 --timeout 1 -- echo ran
		-n --start first-byte --timeout 1 -- echo ran
		-p TERM -- echo ran
		echo ran
		--
	EOF
	kill %1
}

@test "a command without -- is an error with that hint" {
	status=0
	"$L" make 2>"$T/err" || status=$?
	is 125 "$status"
	contains "$(cat "$T/err")" "lease -- make"
}

@test "a status target that cannot be written is refused" {
	for target in 0 77 /nonexistent/x /; do
		status=0
		sleep 0.2 | "$L" -S "$target" -- touch "$T/ran" 2>"$T/err" ||
			status=$?
		is "125 $target" "$status $target"
		contains "$(cat "$T/err")" "for status lines"
	done
	[ ! -e "$T/ran" ]
}

@test "a huge argument is quoted in one bounded line" {
	big=$(printf '%0100000d' 0)
	status=0
	"$L" --timeout "$big" -- true 2>"$T/err" </dev/null || status=$?
	is 125 "$status"
	[ "$(wc -c <"$T/err")" -le 1024 ]
	is 1 "$(wc -l <"$T/err")"
}

@test "control characters in an argument cannot forge a second line" {
	status=0
	"$L" -s $'X\nlease: all is well' -- true 2>"$T/err" </dev/null ||
		status=$?
	is 125 "$status"
	is 1 "$(wc -l <"$T/err")"
}

@test "first-byte: nothing runs before the owner has written a byte" {
	lease_start --start first-byte -- touch "$T/ran"
	sleep 0.3
	[ ! -e "$T/ran" ]
	echo >&7
	within 5 test -e "$T/ran"
	lease_wait
	is 0 "$status"
	lease_drop
}

@test "first-byte: an end before the byte is a refusal" {
	lease_start -S "$T/status" --start first-byte -- touch "$T/ran"
	lease_drop
	lease_wait
	is 125 "$status"
	[ ! -e "$T/ran" ]
	contains "$(cat "$T/status")" '"reason":"hung-up"'
}

@test "first-byte: TERM before the byte ends it with nothing executed" {
	lease_start --start first-byte -- touch "$T/ran"
	sleep 0.1
	kill -TERM "$LPID"
	lease_wait
	is 143 "$status"
	[ ! -e "$T/ran" ]
	lease_drop
}
