# For all bats files: load ../lib
#
# scripts/test runs each file in a PID namespace of its own, so that whatever a
# failing test leaves behind dies with it, and nothing needs to be looked for.

# shellcheck shell=bash disable=SC2034,SC2016,SC2119,SC2120
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${BUILD:-$ROOT/build}
L=$BUILD/lease
I=$BUILD/lease-init
P=$ROOT/build/helpers/probe
T=$BATS_TEST_TMPDIR

# A PID 1 and a /proc of its own: N COMMAND...
N() { unshare --pid --fork --mount-proc --kill-child "$@"; }

now_ms() { date +%s%3N; }

# within SECONDS COMMAND...: true as soon as COMMAND is; tried every 10 ms.  The
# seconds are ample for an idle machine.  A busy one gets six times as many: this
# bounds a hang, and what must not take long is measured.
within() {
	local end=$(($(now_ms) + $1 * 6000))
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

# public FILE...: copies them to a new directory, $PUBLIC, which other users may
# enter, as they may not bats' own.  To be removed by who made it.
public() {
	PUBLIC=$(mktemp -d)
	chmod 755 "$PUBLIC"
	[ $# = 0 ] || cp "$@" "$PUBLIC"
}

# suid_program BODY: compiles a C main that runs BODY as root; sets $SUID to it.
suid_program() {
	public
	printf '#include <unistd.h>\nint main(void) { setuid(0); %s }\n' "$1" >"$PUBLIC/s.c"
	musl-gcc -static -o "$PUBLIC/suid" "$PUBLIC/s.c"
	chmod 4755 "$PUBLIC/suid"
	SUID=$PUBLIC/suid
}

# refused CALL ERRNO COMMAND...: as a wrapper, by names.
refused() {
	local nr no
	nr=$(python3 -c "import re; print(re.search(r'__NR_$1\s+(\d+)', open('/usr/include/x86_64-linux-gnu/asm/unistd_64.h').read())[1])")
	no=$(python3 -c "import errno; print(errno.$2)")
	shift 2
	exec "$ROOT/build/helpers/refuse" "$nr" "$no" "$@"
}

# quiet PID: no system call of PID in three seconds.  The first second does not
# count: strace interrupts the call that it finds.
quiet() {
	timeout -s INT 4 strace -ttt -qq -p "$1" -o "$T/strace.$1" || true
	awk -v from="$(date +%s -d '3 seconds ago')" \
		'$1 > from && !/detached/ { print; n++ } END { exit n > 0 }' "$T/strace.$1"
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

# The reason in the last status line in $T/status.
reason() { jq -r 'select(.event == "ended").reason' "$T/status"; }

# tree_ends WRAPPER...: under WRAPPER, a tree with an escaped daemon and a child
# that ignores TERM lives with its owner and is gone with it.  $STATUS is where
# status lines go (2), $LIMIT the seconds that the ending may take (20).
tree_ends() {
	local how=$*
	rm -f "$T/lease" "$T/out"
	mkfifo "$T/lease"
	"$@" "$L" -k 300ms -S "${STATUS:-2}" -- "$P" stubborn <"$T/lease" >"$T/out" 2>"$T/err" 3>&- &
	LPID=$!
	exec 7>"$T/lease"
	within 5 eval '[ "$(grep -c . "$T/out")" = 2 ]' || fail "$how: $(cat "$T/err")"
	sleep 0.2
	alive "$LPID" || fail "$how: ended with a living owner"
	lease_drop
	lease_wait "${LIMIT:-20}" || fail "$how: not ended"
	is "$how: 123" "$how: $status"
	while read -r pid; do dead "$pid" || fail "$how: $pid lives"; done <"$T/out"
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
