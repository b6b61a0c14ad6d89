# The main job on a real Docker engine.  scripts/check starts it, sets
# DOCKER_HOST, and has built the image lease-test from Dockerfile.test.
load ../lib
load box
bats_require_minimum_version 1.5.0

# hold ARG...: a client whose stdin is held by its own writer, both ours.
hold() {
	mkfifo "$T/lease"
	sleep 999 >"$T/lease" 3>&- &
	WRITER=$!
	docker exec -i "$C" "$@" <"$T/lease" >"$T/out" 2>"$T/err" 3>&- &
	CLIENT=$!
}

@test "the client killed by SIGKILL: the command and its escaped child are gone" {
	hold lease -- sh -c "probe escape /tmp/pid sleep 77; exec yes" >/dev/null
	within 5 runs yes
	within 5 runs "sleep 77"
	kill -KILL "$CLIENT"
	within 2 nobody
	kill "$WRITER"
}

@test "without lease the same command lives on: the test can tell" {
	hold sleep 78
	within 5 runs "sleep 78"
	kill -KILL "$CLIENT" "$WRITER"
	sleep 1
	runs "sleep 78"
	docker exec "$C" sh -c 'kill $(ps -o pid,args | grep "[s]leep 78" | sed "s/ *\([0-9]*\) .*/\1/")'
}

@test "the client's whole group on the host killed: gone" {
	mkfifo "$T/lease"
	setsid sh -c "sleep 999 >$T/lease & exec docker exec -i $C lease -- sh -c 'sleep 79 & yes' <$T/lease >/dev/null" 3>&- &
	CLIENT=$!
	within 5 runs "sleep 79"
	kill -KILL -"$CLIENT"
	within 2 nobody
}

@test "the writer of the client's stdin killed, the client alive: gone, status 123" {
	hold lease -- sleep 80
	within 5 runs "sleep 80"
	kill -KILL "$WRITER"
	within 5 dead "$CLIENT"
	status=0
	wait "$CLIENT" || status=$?
	is 123 "$status"
	nobody
}

@test "the client terminated by SIGTERM: gone" {
	hold lease -- sh -c 'sleep 81 & sleep 82'
	within 5 runs "sleep 82"
	kill -TERM "$CLIENT"
	within 2 nobody
	kill "$WRITER"
}

@test "a clean-up of the command is finished after the client's death" {
	hold lease -- sh -c "trap 'sleep 1; echo ok >/tmp/mark; exit' TERM; echo >/tmp/up; while :; do sleep 0.1; done"
	within 5 docker exec "$C" test -e /tmp/up
	kill -KILL "$CLIENT" "$WRITER"
	within 5 nobody
	is ok "$(docker exec "$C" cat /tmp/mark)"
}

@test "a sibling session lives on" {
	hold lease -- sleep 83
	mkfifo "$T/two"
	docker exec -i "$C" lease -- sleep 84 <"$T/two" 3>&- &
	other=$!
	exec 8>"$T/two"
	within 5 runs "sleep 83"
	within 5 runs "sleep 84"
	kill -KILL "$CLIENT" "$WRITER"
	gone() { ! runs "sleep 83"; }
	within 2 gone
	sleep 0.3
	runs "sleep 84"
	alive "$other"
	exec 8>&-
	within 5 nobody
}

@test "stdin that cannot be a lease is refused with advice; nothing runs" {
	run -125 docker exec "$C" lease -- touch /tmp/ran
	contains "$output" "docker exec -i"
	run -125 docker exec -i "$C" lease --start first-byte -- touch /tmp/ran </dev/null
	contains "$output" "nothing was run"
	run -125 timeout 20 script -qec "docker exec -it $C lease -- touch /tmp/ran" /dev/null
	contains "$output" "without -t"
	docker exec -d -i "$C" sh -c 'lease -- touch /tmp/ran 2>/tmp/err'
	within 5 docker exec "$C" grep -q "docker exec -i" /tmp/err
	! docker exec "$C" test -e /tmp/ran
}

@test "-i </dev/null hangs up at once: refused, or ended with the reason told" {
	status=0
	docker exec -i "$C" lease -- sleep 9 </dev/null 2>"$T/err" || status=$?
	case $status in 125 | 123) ;; *) fail "$status" ;; esac
	grep -q "no far end\|stdin is the lease" "$T/err"
}

@test "output, error and exit status come through docker exec" {
	mkfifo "$T/lease"
	sleep 999 >"$T/lease" 3>&- &
	WRITER=$!
	status=0
	docker exec -i "$C" lease -- sh -c 'echo out; echo err >&2; exit 42' <"$T/lease" >"$T/out" 2>"$T/err" || status=$?
	is "42 out err" "$status $(cat "$T/out") $(cat "$T/err")"
	kill "$WRITER"
}

@test "a leftover that holds stdout does not hold docker exec" {
	mkfifo "$T/lease"
	sleep 999 >"$T/lease" 3>&- &
	WRITER=$!
	run -0 timeout 10 docker exec -i "$C" lease -- sh -c 'sleep 85 & echo out' <"$T/lease"
	is out "$output"
	within 2 nobody
	kill "$WRITER"
}

@test "50 timeouts in a row in a container of 64 processes: the 50th works" {
	EXTRA=lease-pids-$$
	docker run -d --name "$EXTRA" --pids-limit 64 lease-test >/dev/null
	for i in $(seq 50); do
		status=0
		docker exec "$EXTRA" lease -n --timeout 100ms -k 100ms -- sh -c 'trap "" TERM; probe escape /tmp/pid sleep 86; sleep 87' || status=$?
		is "124 $i" "$status $i"
	done
	nobody "$EXTRA"
	run -0 docker exec "$EXTRA" echo works
}

@test "docker stop drains a session: its clean-up is finished, in less than the grace" {
	EXTRA=lease-stop-$$
	mkdir -m 777 "$T/vol"
	docker run -d --name "$EXTRA" -v "$T/vol:/vol" lease-test >/dev/null
	mkfifo "$T/lease"
	docker exec -i "$EXTRA" lease -- sh -c "trap 'sleep 0.5; echo ok >/vol/mark; exit' TERM; echo >/vol/up; while :; do sleep 0.1; done" <"$T/lease" 3>&- &
	exec 7>"$T/lease"
	within 5 test -e "$T/vol/up"
	start=$(now_ms)
	docker stop "$EXTRA" >/dev/null
	[ $(($(now_ms) - start)) -lt 4000 ]
	is ok "$(cat "$T/vol/mark")"
	lease_drop
}

@test "an open docker exec -it shell does not cost docker stop the grace" {
	EXTRA=lease-shell-$$
	docker run -d --name "$EXTRA" lease-test >/dev/null
	python3 -c "
import pty, os
pid, tty = pty.fork()
if pid == 0:
    os.execlp('docker', 'docker', 'exec', '-it', '$EXTRA', 'sh', '-i')
os.read(tty, 100)
open('$T/up', 'w').close()
os.waitpid(pid, 0)" 3>&- &
	within 10 test -e "$T/up"
	start=$(now_ms)
	docker stop "$EXTRA" >/dev/null
	[ $(($(now_ms) - start)) -lt 3000 ] || fail $(($(now_ms) - start))
}

@test "lease as PID 1 with docker run -i: ends with its client" {
	EXTRA=lease-first-$$
	mkfifo "$T/lease"
	docker run -i --name "$EXTRA" --entrypoint lease lease-test -- sh -c 'probe escape /tmp/pid sleep 88; exec sleep 89' <"$T/lease" 3>&- &
	CLIENT=$!
	exec 7>"$T/lease"
	within 10 eval '[ "$(docker exec $EXTRA ps | grep -c "[s]leep 8")" = 3 ]'
	kill -KILL "$CLIENT"
	lease_drop
	within 5 eval '[ "$(docker inspect -f {{.State.Running}} $EXTRA)" = false ]'
	is 123 "$(docker inspect -f '{{.State.ExitCode}}' "$EXTRA")"
}

@test "an image of nothing but our binary and one static probe" {
	EXTRA=lease-bare-$$
	mkdir "$T/bare"
	cp "$L" "$ROOT/build/helpers/probe" "$T/bare"
	ln "$T/bare/lease" "$T/bare/lease-init"
	printf 'FROM scratch\nCOPY lease lease-init probe /\n' >"$T/bare/Dockerfile"
	DOCKER_BUILDKIT=0 docker build -q -t lease-bare "$T/bare" >/dev/null 2>&1
	docker run -d --name "$EXTRA" lease-bare /lease-init /probe sleep >/dev/null
	mkfifo "$T/lease"
	docker exec -i "$EXTRA" /lease -- /probe stubborn <"$T/lease" >"$T/out" 3>&- 2>/dev/null &
	CLIENT=$!
	exec 7>"$T/lease"
	within 5 eval '[ "$(grep -c . "$T/out")" = 2 ]'
	is 7 "$(docker top "$EXTRA" | grep -c probe)" # three wrappers name it too
	kill -KILL "$CLIENT"
	lease_drop
	within 8 eval '[ "$(docker top $EXTRA | grep -c probe)" = 2 ]'
	docker stop "$EXTRA" >/dev/null
	docker rmi -f lease-bare >/dev/null
}

@test "read-only root, no capabilities, no new privileges, UID 1000" {
	EXTRA=lease-tight-$$
	docker run -d --name "$EXTRA" --read-only --cap-drop ALL --security-opt no-new-privileges --user 1000:1000 lease-test >/dev/null
	mkfifo "$T/lease"
	docker exec -i "$EXTRA" lease -k 300ms -- probe stubborn <"$T/lease" >"$T/out" 2>"$T/err" 3>&- &
	CLIENT=$!
	exec 7>"$T/lease"
	within 5 eval '[ "$(grep -c . "$T/out")" = 2 ]'
	kill -KILL "$CLIENT"
	lease_drop
	within 5 nobody "$EXTRA"
	start=$(now_ms)
	docker stop "$EXTRA" >/dev/null
	[ $(($(now_ms) - start)) -lt 3000 ]
	is 143 "$(docker inspect -f '{{.State.ExitCode}}' "$EXTRA")"
}

@test "no /proc in the container: the session still ends" {
	EXTRA=lease-noproc-$$
	docker run -d --name "$EXTRA" --cap-add SYS_ADMIN lease-test >/dev/null
	mkfifo "$T/lease"
	docker exec -i "$EXTRA" unshare -m sh -c 'umount -l /proc && exec lease -k 300ms -- probe stubborn' <"$T/lease" >"$T/out" 2>"$T/err" 3>&- &
	CLIENT=$!
	exec 7>"$T/lease"
	within 5 eval '[ "$(grep -c . "$T/out")" = 2 ]' || fail "$(cat "$T/err")"
	kill -KILL "$CLIENT"
	lease_drop
	within 15 nobody "$EXTRA"
}

@test "zombies of docker exec are reaped by lease-init as PID 1" {
	for i in 1 2 3 4 5; do
		docker exec "$C" sh -c 'sleep 0.1 & sleep 0.1 &'
	done
	sleep 0.5
	is 0 "$(docker exec "$C" ps -o stat | grep -c Z)"
}

@test "podman: the client killed by SIGKILL ends the command" {
	podman_start
	"${pm[@]}" run -d --name c --network none "$image" /lease-init /busybox sleep 86400 >/dev/null
	podman_lease /lease
	start=$(now_ms)
	"${pm[@]}" stop c >/dev/null
	[ $(($(now_ms) - start)) -lt 4000 ]
	podman_stop
}
