# For the bats files of this folder: load box.  One container a file, in $C, with
# lease-init as PID 1 and a sleeping program.

# shellcheck shell=bash
setup_file() {
	export C=lease-box-$$
	docker run -d --name "$C" lease-test >/dev/null
}
teardown_file() { docker rm -f "$C" >/dev/null; }

# What runs in it (or in the container named) besides its own two and ps.
others() { docker exec "${1:-$C}" ps -o pid,args | grep -vE 'PID|lease-init|sleep 86400|ps -o' || true; }
nobody() { [ -z "$(others "$@")" ]; }
runs() { others | grep -q "$1"; }
