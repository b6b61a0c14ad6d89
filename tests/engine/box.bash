# For the bats files of this folder: load box.  One container a file, in $C, with
# lease-init as PID 1 and a sleeping program.

# shellcheck shell=bash disable=SC2016
setup_file() {
	export C=lease-box-$$
	docker run -d --name "$C" lease-test >/dev/null
}
teardown_file() { docker rm -f "$C" >/dev/null; }

# What runs in it (or in the container named) besides its own two and ps.
others() { docker exec "${1:-$C}" ps -o pid,args | grep -vE 'PID|lease-init|sleep 86400|ps -o' || true; }
nobody() { [ -z "$(others "$@")" ]; }
runs() { others | grep -q "$1"; }

teardown() {
	[ -z "${EXTRA:-}" ] || docker rm -f "$EXTRA" >/dev/null
	podman_stop
}

# podman_start: "${pm[@]}" is podman with a place of its own, in $PDIR, and $image
# there is the test image.  Limits are given, since not every root may raise them.
podman_start() {
	command -v podman >/dev/null || fail "podman is not installed"
	PDIR=$(mktemp -d)
	image=localhost/lease-test
	cat >"$PDIR/containers.conf" <<-EOF
		[containers]
		default_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]
	EOF
	export CONTAINERS_CONF=$PDIR/containers.conf STORAGE_DRIVER=vfs
	pm=(podman --root "$PDIR/root" --runroot "$PDIR/run" --runtime runc
		--cgroup-manager cgroupfs --events-backend file)
	tar -C "$ROOT/build/image" -c . | "${pm[@]}" import -q - "$image" >/dev/null 2>&1 || fail "import"
}

# podman_lease COMMAND...: a lease by that command in container c, whose client is
# killed, is gone.
podman_lease() {
	mkfifo "$T/lease"
	"${pm[@]}" exec -i c "$@" -- /probe stubborn <"$T/lease" >"$T/out" 2>"$T/err" 3>&- &
	CLIENT=$!
	exec 7>"$T/lease"
	within 10 eval '[ "$(grep -c . "$T/out")" = 2 ]' || fail "$(cat "$T/err")"
	kill -KILL "$CLIENT"
	lease_drop
	within 8 eval '! "${pm[@]}" exec c /busybox ps | grep -q "[p]robe stubborn"'
}

# For teardown too: does nothing when there is nothing.
podman_stop() {
	[ -n "${PDIR:-}" ] || return 0
	"${pm[@]}" pod rm -f -a >/dev/null 2>&1
	"${pm[@]}" rm -f -a >/dev/null 2>&1
	rm -rf "$PDIR"
	PDIR=
}
