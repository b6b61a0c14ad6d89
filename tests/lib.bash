# For all bats files: load ../lib
#
# scripts/test runs each file in a PID namespace of its own, so that whatever a
# failing test leaves behind dies with it, and nothing needs to be looked for.

# shellcheck shell=bash disable=SC2034
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${BUILD:-$ROOT/build}
L=$BUILD/lease
I=$BUILD/lease-init
P=$ROOT/build/helpers/probe
T=$BATS_TEST_TMPDIR

# A PID 1 and a /proc of its own: N COMMAND...
N() { unshare --pid --fork --mount-proc --kill-child "$@"; }

now_ms() { date +%s%3N; }

# within SECONDS COMMAND...: true as soon as COMMAND is; tried every 10 ms.
within() {
	local end=$(($(now_ms) + $1 * 1000))
	shift
	until "$@"; do
		[ "$(now_ms)" -lt "$end" ] || return 1
		sleep 0.01
	done
}

state_of() { sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null; }
dead() { case $(state_of "$1") in '' | Z | X) ;; *) return 1 ;; esac; }
alive() { ! dead "$1"; }
in_state() { [ "$(state_of "$2")" = "$1" ]; }
has() { grep -qs -- "$1" "$2"; }

# suid_program BODY: compiles a C main that runs BODY as root; sets $SUID to it.
# Outside of bats' own directory, which other users may not enter.
suid_program() {
	local dir
	dir=$(mktemp -d)
	chmod 755 "$dir"
	printf '#include <unistd.h>\nint main(void) { setuid(0); %s }\n' "$1" >"$dir/s.c"
	musl-gcc -static -o "$dir/suid" "$dir/s.c"
	chmod 4755 "$dir/suid"
	SUID=$dir/suid
}

# The lease of the functions below is a FIFO whose writing end is our fd 7.
# A background process must get 3>&- (bats waits for it) and 7>&-.

# lease_start ARG...: runs $L; its output goes to $T/out and $T/err.
lease_start() {
	mkfifo "$T/lease"
	# A shell starts what is in the background with INT and QUIT ignored.
	env --default-signal=INT,QUIT "$L" "$@" \
		<"$T/lease" >"$T/out" 2>"$T/err" 3>&- &
	LPID=$!
	exec 7>"$T/lease"
}

lease_drop() { exec 7>&-; }

# lease_wait [SECONDS]: its exit status becomes $status; bounded.
lease_wait() {
	within "${1:-10}" dead "$LPID" || return 1
	status=0
	wait "$LPID" || status=$?
}

fail() {
	echo "$*" >&2
	return 1
}

# is EXPECTED ACTUAL
is() { [ "$1" = "$2" ] || fail "expected '$1', got '$2'"; }

# contains TEXT PART
contains() {
	case $1 in *"$2"*) ;; *) fail "no '$2' in '$1'" ;; esac
}
