# The callers under examples/, against the real engine.
load ../lib
load box
bats_require_minimum_version 1.5.0

PYTHON=(python3 "$ROOT/examples/python.py")
NODE=(node "$ROOT/examples/node.mjs")

# Each is given the example's program and file.
comes_through() {
	status=0
	"$@" "$C" sh -c 'echo out; echo err >&2; exit 7' >"$T/out" 2>"$T/err" 3>&- || status=$?
	is "7 out" "$status $(cat "$T/out")"
	is "err exit status 7" "$(paste -sd' ' "$T/err")"
	nobody
}

cancels() {
	status=0
	# More than a second: by then lease no longer suspects a mistake.
	CANCEL_AFTER=1.5 "$@" "$C" sh -c 'trap "sleep 0.3; echo cleaned; exit" TERM; probe escape /tmp/pid sleep 77; echo begun; while :; do sleep 0.1; done' >"$T/out" 2>"$T/err" 3>&- || status=$?
	is 123 "$status"
	is "begun cleaned" "$(paste -sd' ' "$T/out")"
	contains "$(cat "$T/err")" "exit status 123"
	nobody
}

dies() {
	"$@" "$C" sh -c 'probe escape /tmp/pid sleep 78; exec yes' >/dev/null 2>"$T/err" 3>&- &
	local pid=$!
	within 5 runs "sleep 78"
	within 5 runs yes
	kill -KILL "$pid"
	within 3 nobody
}

@test "Python: output, error and exit status of the command come to the caller" {
	comes_through "${PYTHON[@]}"
}

@test "Python: a cancelled command cleans up and is heard, status 123, all gone" {
	cancels "${PYTHON[@]}"
}

@test "Python: the caller killed by SIGKILL: the command and its escaped child are gone" {
	dies "${PYTHON[@]}"
}

@test "Node: output, error and exit status of the command come to the caller" {
	comes_through "${NODE[@]}"
}

@test "Node: a cancelled command cleans up and is heard, status 123, all gone" {
	cancels "${NODE[@]}"
}

@test "Node: the caller killed by SIGKILL: the command and its escaped child are gone" {
	dies "${NODE[@]}"
}
