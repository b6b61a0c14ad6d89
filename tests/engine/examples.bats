# The callers under examples/, against the real engine.
load ../lib
bats_require_minimum_version 1.5.0

setup_file() {
	export C=lease-examples-$$
	docker run -d --name "$C" lease-test >/dev/null
}
teardown_file() { docker rm -f "$C" >/dev/null; }

others() { docker exec "$C" ps -o pid,args | grep -vE 'PID|lease-init|sleep 86400|ps -o' || true; }
nobody() { [ -z "$(others)" ]; }
runs() { others | grep -q "$1"; }

# For each example: python3 FILE and node FILE.
python() { python3 "$ROOT/examples/python.py" "$@"; }
node_js() { node "$ROOT/examples/node.mjs" "$@"; }

@test "output and exit status of the command come to the caller" {
	for caller in python node_js; do
		status=0
		$caller "$C" sh -c 'echo out; exit 7' >"$T/out" 2>"$T/err" || status=$?
		is "$caller 7 out" "$caller $status $(cat "$T/out")"
		contains "$(cat "$T/err")" "exit status 7"
	done
	nobody
}

@test "a cancelled command cleans up, its last words are heard, status 123" {
	for caller in python node_js; do
		status=0
		CANCEL_AFTER=0.5 $caller "$C" sh -c 'trap "sleep 0.3; echo cleaned; exit" TERM; sleep 77 & echo begun; while :; do sleep 0.1; done' >"$T/out" 2>"$T/err" || status=$?
		is "$caller 123" "$caller $status"
		is "begun cleaned" "$(paste -sd' ' "$T/out")"
		within 2 nobody
	done
}

@test "the caller killed by SIGKILL: the command is gone" {
	python3 "$ROOT/examples/python.py" "$C" sh -c 'probe escape /tmp/pid sleep 78; exec sleep 79' 3>&- &
	pid=$!
	within 5 runs "sleep 78"
	kill -KILL "$pid"
	within 3 nobody
	node "$ROOT/examples/node.mjs" "$C" sh -c 'probe escape /tmp/pid sleep 78; exec sleep 79' 3>&- &
	pid=$!
	within 5 runs "sleep 78"
	kill -KILL "$pid"
	within 3 nobody
}
