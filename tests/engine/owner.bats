# Owners that neither live nor let go, on real engines: only renewals tell.
load ../lib
load box
bats_require_minimum_version 1.5.0

# beat COMMAND...: a client whose stdin gets a byte every 0.2 s, from $BEATS.
beat() {
	mkfifo "$T/lease"
	(while printf .; do sleep 0.2; done) >"$T/lease" 2>/dev/null 3>&- &
	BEATS=$!
	docker exec -i "$@" <"$T/lease" >"$T/out" 2>"$T/err" 3>&- &
	CLIENT=$!
}

# With --live-restore, in $LIVE: a daemon of this file alone, with the image.
live_start() {
	export DOCKER_HOST=unix://$LIVE/sock
	setsid "$ROOT/scripts/engine" daemon --data-root "$LIVE/data" \
		--exec-root "$LIVE/exec" --pidfile "$LIVE/pid" --host "$DOCKER_HOST" \
		--storage-driver vfs --live-restore=true </dev/null >>"$LIVE/log" 2>&1 3>&- &
	within 60 docker version >/dev/null 2>&1 || fail "$(tail -n 5 "$LIVE/log")"
}

live() {
	LIVE=$(mktemp -d /tmp/lease-live.XXXXXX)
	live_start
	tar -C "$ROOT/build/image" -c . | docker import - lease-live >/dev/null
	docker run -d --name live --network none lease-live /lease-init -- /busybox sleep 86400 >/dev/null
}

live_stop() {
	[ -n "${LIVE:-}" ] || return 0
	docker rm -f live >/dev/null 2>&1 || true
	kill -TERM "$(cat "$LIVE/pid")" 2>/dev/null || true
	within 15 test ! -e "$LIVE/pid" || true
	# dockerd binds its root on itself.
	awk -v dir="$LIVE" 'index($2, dir) == 1 { print $2 }' /proc/mounts | sort -r |
		xargs -r umount -l || true
	rm -rf "$LIVE"
}

# session N: the PID of the session's sleep, which can be seen from here.
session() { pgrep -x -f "/busybox sleep $1"; }

teardown() {
	[ -z "${BEATS:-}" ] || kill -KILL "$BEATS" 2>/dev/null || true
	docker unpause "$C" >/dev/null 2>&1 || true
	live_stop
}

# only_ttl_notices N HOW SECONDS: dockerd is lost by HOW; SECONDS later a session
# without --ttl lives on.  One with it is gone.
only_ttl_notices() {
	live
	for ttl in 0 1500ms; do
		rm -f "$T/lease"
		beat live /lease --ttl "$ttl" -k 1 -- /busybox sleep "$1"
		within 5 session "$1"
		"$2" "$1"
		if [ "$ttl" = 0 ]; then
			sleep "$3"
			session "$1"
			kill -KILL "$(session "$1")"
		else
			within 3 eval '! session '"$1"
		fi
		kill -KILL "$BEATS" 2>/dev/null || true
		within 5 dead "$CLIENT"
		docker version >/dev/null 2>&1 || live_start
	done
}
kill_daemon() {
	# While it is there, beats keep the session for longer than the ttl.
	sleep 2
	session "$1"
	kill -KILL "$(cat "$LIVE/pid")"
	rm "$LIVE/pid"
}
restart_daemon() {
	kill -TERM "$(cat "$LIVE/pid")"
	within 20 test ! -e "$LIVE/pid"
	live_start
}

@test "live-restore, dockerd killed: without --ttl the session lives on, with it it is gone" {
	only_ttl_notices 7701 kill_daemon 3
}

@test "live-restore, dockerd restarted: the same" {
	only_ttl_notices 7702 restart_daemon 2
}

@test "a container paused for three terms goes on afterwards" {
	beat "$C" lease --ttl 1 -- sleep 7703
	within 5 runs "sleep 7703"
	docker pause "$C" >/dev/null
	sleep 3.2
	docker unpause "$C" >/dev/null
	sleep 2
	runs "sleep 7703"
	kill -KILL "$BEATS"
	within 5 nobody
}

@test "the keeper or the backstop in a container killed: the other ends the session" {
	for who in keeper backstop; do
		rm -f "$T/lease"
		beat "$C" lease -k 1 -S 2 -- sh -c 'probe escape /tmp/pid sleep 7704; exec sleep 7705'
		within 5 runs "sleep 7704"
		within 5 runs "sleep 7705"
		# In the container's numbers: the second is the child of the first.
		read -r backstop keeper < <(docker exec "$C" ps -o pid,args | awk '/[l]ease -k 1/ { printf "%s ", $1 }') || true
		[ "$who" = keeper ] && victim=$keeper || victim=$backstop
		docker exec "$C" kill -9 "$victim"
		within 5 nobody
		within 5 dead "$CLIENT"
		status=0
		wait "$CLIENT" || status=$?
		is "$who 137" "$who $status"
		kill -KILL "$BEATS" 2>/dev/null || true
	done
}
