# Promises 1, 4 and 5: the lease is lost, and the whole tree is gone.
load ../lib

@test "the command ends when the lease is closed, with status 123" {
	lease_start -S "$T/status" -- sleep 99
	within 5 has started "$T/status"
	lease_drop
	lease_wait
	is 123 "$status"
	contains "$(cat "$T/status")" '"reason":"lease-eof","exit_code":null,"signal":"SIGTERM","forced":false'
}

@test "the owner's death by SIGKILL ends the command" {
	mkfifo "$T/lease"
	sleep 99 >"$T/lease" 3>&- &
	owner=$!
	"$L" -- sh -c "echo \$\$ >$T/pid; exec sleep 98" <"$T/lease" 3>&- &
	LPID=$!
	within 5 test -s "$T/pid"
	kill -KILL "$owner"
	lease_wait
	is 123 "$status"
	dead "$(cat "$T/pid")"
}

@test "cleanup: a child that traps TERM finishes its clean-up" {
	lease_start -S "$T/status" -- sh -c "trap 'sleep 0.3; echo ok >$T/mark; exit 0' TERM; echo >$T/up; while :; do sleep 0.05; done"
	within 5 test -e "$T/up"
	lease_drop
	lease_wait
	is 123 "$status"
	is ok "$(cat "$T/mark")"
	contains "$(cat "$T/status")" '"forced":false'
}

@test "fallback: a child that ignores TERM is killed after the grace" {
	lease_start -S "$T/status" -k 300ms -- sh -c "trap '' TERM; echo \$\$ >$T/pid; while :; do sleep 99; done"
	within 5 test -s "$T/pid"
	start=$(now_ms)
	lease_drop
	lease_wait
	[ $(($(now_ms) - start)) -ge 290 ]
	is 123 "$status"
	dead "$(cat "$T/pid")"
	contains "$(cat "$T/status")" '"signal":"SIGKILL","forced":true'
}

@test "descendant: the parent exits on TERM, the descendant cleans up" {
	lease_start -S "$T/status" -- sh -c "sh -c 'trap \"sleep 0.2; echo ok >$T/mark; exit 0\" TERM; echo \$\$ >$T/pid; while :; do sleep 0.05; done' & wait"
	within 5 test -s "$T/pid"
	lease_drop
	lease_wait
	is ok "$(cat "$T/mark")"
	dead "$(cat "$T/pid")"
	contains "$(cat "$T/status")" '"forced":false'
}

@test "descendant in a session of its own: asked, cleans up, gone" {
	lease_start -S "$T/status" -- sh -c "setsid sh -c 'trap \"sleep 0.2; echo ok >$T/mark; exit 0\" TERM; echo \$\$ >$T/pid; while :; do sleep 0.05; done' & wait"
	within 5 test -s "$T/pid"
	lease_drop
	lease_wait
	is ok "$(cat "$T/mark")"
	dead "$(cat "$T/pid")"
	contains "$(cat "$T/status")" '"forced":false'
}

@test "who escaped by setsid, double fork and an empty environment is gone" {
	lease_start -S "$T/status" -- sh -c "$P escape $T/pid $P sleep; exec sleep 99"
	within 5 test -s "$T/pid"
	alive "$(cat "$T/pid")"
	lease_drop
	lease_wait
	dead "$(cat "$T/pid")"
	contains "$(cat "$T/status")" '"forced":false'
}

@test "a grandchild in another session below a parent that lives on is asked" {
	lease_start -S "$T/status" -- sh -c "trap 'wait; exit 3' TERM; setsid sh -c 'sh -c \"trap : TERM; echo \\\$\\\$ >$T/pid; while :; do sleep 0.05; done; echo\" & trap \"echo asked >$T/mark; exit 0\" TERM; while :; do sleep 0.05; done' & wait; wait"
	within 5 test -s "$T/pid"
	lease_drop
	lease_wait 12
	is asked "$(cat "$T/mark")"
	dead "$(cat "$T/pid")"
}

@test "a child that another thread has forked is found" {
	lease_start -- "$P" thread "$P" escape "$T/pid" "$P" sleep
	within 5 test -s "$T/pid"
	lease_drop
	lease_wait
	dead "$(cat "$T/pid")"
}

@test "a clean-up that forks after the asking is not asked" {
	lease_start -S "$T/status" -- sh -c "trap 'sh -c \"trap \\\"echo hit >$T/hit\\\" TERM; sleep 0.5; echo ok >$T/mark\"; exit 0' TERM; echo >$T/up; while :; do sleep 0.05; done"
	within 5 test -e "$T/up"
	lease_drop
	lease_wait
	is ok "$(cat "$T/mark")"
	[ ! -e "$T/hit" ]
}

@test "lease exits after a descendant that takes long to die, not before" {
	lease_start -- sh -c "trap 'exit 0' TERM; sh -c 'trap \"sleep 1; echo ok >$T/mark; exit\" TERM; echo >$T/up; while :; do sleep 0.05; done' & wait"
	within 5 test -e "$T/up"
	lease_drop
	lease_wait
	is ok "$(cat "$T/mark")"
}

@test "a stopped descendant gets TERM and CONT: it ends asked, not forced" {
	lease_start -S "$T/status" -- sh -c "sleep 99 & echo \$! >$T/pid; kill -STOP \$!; wait"
	within 5 test -s "$T/pid"
	within 5 in_state T "$(cat "$T/pid")"
	lease_drop
	lease_wait
	dead "$(cat "$T/pid")"
	contains "$(cat "$T/status")" '"forced":false'
}

@test "leftovers of a command that exits are ended, its status is kept" {
	lease_start -S "$T/status" -- sh -c "$P escape $T/pid $P sleep; until [ -s $T/pid ]; do sleep 0.01; done; sleep 99 & exit 7"
	lease_wait
	is 7 "$status"
	dead "$(cat "$T/pid")"
	contains "$(cat "$T/status")" '"reason":"exited","exit_code":7'
	contains "$(cat "$T/status")" '"leftovers":2'
	lease_drop
}

@test "--leftovers wait: they live while the lease lasts" {
	lease_start --leftovers wait -- sh -c "sleep 99 & echo \$! >$T/pid; exit 7"
	within 5 test -s "$T/pid"
	sleep 0.3
	alive "$LPID"
	alive "$(cat "$T/pid")"
	lease_drop
	lease_wait
	is 123 "$status"
	dead "$(cat "$T/pid")"
}

@test "--leftovers wait: when they exit by themselves, the command's status" {
	lease_start --leftovers wait -- sh -c "sleep 0.3 & exit 7"
	lease_wait
	is 7 "$status"
	lease_drop
}

@test "--leftovers keep: they are left to PID 1" {
	lease_start --leftovers keep -- sh -c "sleep 99 & echo \$! >$T/pid; exit 7"
	lease_wait
	is 7 "$status"
	alive "$(cat "$T/pid")"
	kill -KILL "$(cat "$T/pid")"
	lease_drop
}

@test "a leftover that holds stdout does not hold its reader" {
	lease_start -- true
	lease_wait
	lease_drop
	rm "$T/lease"
	mkfifo "$T/lease"
	sleep 5 >"$T/lease" 3>&- &
	start=$(now_ms)
	out=$("$L" -- sh -c 'sleep 99 & echo out' <"$T/lease")
	is out "$out"
	[ $(($(now_ms) - start)) -lt 3000 ]
}

@test "--timeout ends what all forks left, with status 124" {
	run "$L" -n --timeout 1 -- sh -c '(sleep 2; echo x) & wait'
	is 124 "$status"
	is "" "$output"
	run "$L" -n --timeout 300ms -k 0 -- sh -c 'trap "" TERM; while :; do sleep 9; done'
	is 124 "$status"
}

@test "-p: after an ending the command's own status" {
	lease_start -p -- sh -c "trap 'exit 9' TERM; echo >$T/up; while :; do sleep 0.05; done"
	within 5 test -e "$T/up"
	lease_drop
	lease_wait
	is 9 "$status"
}

@test "-s: the asking signal" {
	lease_start -s USR1 -- sh -c "trap 'echo usr1 >$T/mark; exit 0' USR1; echo >$T/up; while :; do sleep 0.05; done"
	within 5 test -e "$T/up"
	lease_drop
	lease_wait
	is usr1 "$(cat "$T/mark")"
}

@test "-k 0 forces at once" {
	lease_start -k 0 -S "$T/status" -- sh -c "trap 'echo asked >$T/mark' TERM; setsid sleep 99 & echo \$! >$T/pid; while :; do sleep 0.05; done"
	within 5 test -s "$T/pid"
	lease_drop
	lease_wait 3
	[ ! -e "$T/mark" ]
	dead "$(cat "$T/pid")"
	contains "$(cat "$T/status")" '"forced":true'
}

@test "an interactive shell on a terminal of its own is hung up on, not waited for" {
	lease_start -S "$T/status" -- script -qfc "bash --norc -i" "$T/typescript"
	within 5 test -s "$T/typescript"
	sleep 0.3
	start=$(now_ms)
	lease_drop
	lease_wait
	[ $(($(now_ms) - start)) -lt 3000 ]
	contains "$(cat "$T/status")" '"forced":false'
}

@test "command floods stdout; its reader and the owner vanish together" {
	mkfifo "$T/lease"
	# The reader never reads: the pipe is full and the command blocks.
	sleep 99 >"$T/lease" 3>&- &
	owner=$!
	{ "$L" -S "$T/status" -- yes <"$T/lease" || echo $? >"$T/code"; } 3>&- |
		sleep 98 3>&- &
	within 5 has started "$T/status"
	reader=$(pgrep -x -f "sleep 98")
	kill -KILL "$owner" "$reader"
	within 5 test -s "$T/code"
	# yes may die of the reader first, or be asked first; lease does neither.
	case $(cat "$T/code") in 123 | 141) ;; *) fail "$(cat "$T/code")" ;; esac
	! pgrep -x yes
}

@test "the session ends though stderr is full and nobody reads" {
	mkfifo "$T/lease"
	"$P" full 2 "$L" -v -- sleep 99 <"$T/lease" 3>&- &
	LPID=$!
	exec 7>"$T/lease"
	within 5 pgrep -x -f "sleep 99"
	lease_drop
	lease_wait
	is 123 "$status"
	! pgrep -x -f "sleep 99"
}

@test "the session ends though the status descriptor is full" {
	mkfifo "$T/lease"
	"$P" full 5 "$L" -S 5 -- sleep 99 <"$T/lease" 2>"$T/err" 3>&- &
	LPID=$!
	exec 7>"$T/lease"
	within 5 pgrep -x -f "sleep 99"
	lease_drop
	lease_wait
	is 123 "$status"
	contains "$(cat "$T/err")" "status line dropped"
}

@test "the session ends though the disk of the status file is full" {
	mkfifo "$T/lease"
	"$L" -S /dev/full -- sleep 99 <"$T/lease" 2>"$T/err" 3>&- &
	LPID=$!
	exec 7>"$T/lease"
	within 5 pgrep -x -f "sleep 99"
	lease_drop
	lease_wait
	is 123 "$status"
	contains "$(cat "$T/err")" "No space left"
}

@test "a sibling session and the caller's group are never signalled" {
	mkfifo "$T/other"
	"$L" -- sh -c "trap 'echo hit >$T/hit' TERM HUP INT CONT; echo >$T/up2; while :; do sleep 0.05; done" <"$T/other" 3>&- &
	sibling=$!
	exec 8>"$T/other"
	sh -c "trap 'echo hit >$T/hit' TERM HUP INT CONT; while :; do sleep 0.05; done" 3>&- 8>&- &
	neighbour=$!
	lease_start -k 200ms -- sh -c "trap '' TERM; echo >$T/up; while :; do sleep 0.05; done"
	within 5 test -e "$T/up"
	within 5 test -e "$T/up2"
	lease_drop
	lease_wait
	[ ! -e "$T/hit" ]
	alive "$sibling"
	alive "$neighbour"
	kill -KILL "$neighbour"
	exec 8>&-
}

@test "a stopped parent whose vfork child runs on is forced all the same" {
	lease_start -k 200ms -- python3 -c "
import os, signal, subprocess
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open('$T/up', 'w').close()
while True: subprocess.run(['sleep', '0.01'])"
	within 5 test -e "$T/up"
	lease_drop
	lease_wait 5
	is 123 "$status"
	! pgrep -x python3
}

@test "a fork bomb under a limit of 2,000 processes is gone" {
	# Not in bash: its own forks would starve beside the bomb.
	chmod 755 "$T"
	run timeout 50 python3 - "$L" "$P" <<-'PY'
		import os, subprocess, sys, time
		lease, probe = sys.argv[1:]
		def processes():
		    return sum(name.isdigit() for name in os.listdir("/proc"))
		r, w = os.pipe()
		p = subprocess.Popen(["setpriv", "--reuid=65534", "--regid=65534",
		    "--clear-groups", "bash", "-c",
		    f"ulimit -u 2000; exec {lease} -q -k 500ms -- {probe} bomb"], stdin=r)
		os.close(r)
		end = time.time() + 20
		while processes() < 1000 and time.time() < end:
		    time.sleep(0.1)
		full = processes() >= 1000
		os.close(w)
		print(full, p.wait(20), processes() < 100)
	PY
	is "True 123 True" "$output"
}

@test "a chain of 500 processes in a session that escaped is forced" {
	lease_start -k 100ms -- sh -c "trap '' TERM; setsid $P chain 500 & sleep 99 & wait; sleep 99"
	enough() { [ "$(pgrep -c -x probe)" -ge 500 ]; }
	within 10 enough
	lease_drop
	lease_wait 10
	! pgrep -x probe
}

@test "as another user: a setuid-root descendant is named as a survivor" {
	suid_program 'for (;;) pause();'
	mkfifo -m 666 "$T/lease"
	setpriv --reuid=1000 --regid=1000 --clear-groups \
		"$L" -k 100ms -- "$SUID" <"$T/lease" 2>"$T/err" 3>&- &
	LPID=$!
	exec 7>"$T/lease"
	within 5 pgrep -x suid
	lease_drop
	lease_wait 12
	is 123 "$status"
	contains "$(cat "$T/err")" "cannot end PID $(pgrep -x suid): another user's"
	kill -KILL "$(pgrep -x suid)"
	rm -r "${SUID%/*}"
}

@test "a clean-up in a session of its own is not asked" {
	for i in 1 2 3 4 5; do
		rm -f "$T/up" "$T/mark" "$T/lease"
		lease_start -- sh -c "trap 'setsid -w sh -c \"sleep 0.3; echo ok >$T/mark\"; exit 0' TERM; echo >$T/up; while :; do sleep 0.05; done"
		within 5 test -e "$T/up"
		lease_drop
		lease_wait
		is "ok $i" "$(cat "$T/mark") $i"
	done
}

@test "a storm of orphans that ignores TERM is gone, with nobody named in error" {
	run timeout 50 python3 - "$L" "$P" <<-'PY'
		import subprocess, sys, time
		lease, probe = sys.argv[1:]
		start = time.time()
		p = subprocess.run([lease, "-n", "--timeout", "1", "-k", "500ms", "--",
		    "sh", "-c", f"trap '' TERM; while :; do {probe} orphans 1000; done"],
		    capture_output=True, text=True)
		print(p.returncode, p.stderr == "", time.time() - start < 20)
	PY
	is "124 True True" "$output"
}

@test "a leftover whose first thread has exited is ended all the same" {
	cat >"$T/z.c" <<-'EOF'
		#include <pthread.h>
		#include <unistd.h>
		static void *rest(void *arg) { for (;;) pause(); return arg; }
		int main(void) { pthread_t t; pthread_create(&t, 0, rest, 0); pthread_exit(0); }
	EOF
	gcc -pthread -o "$T/z" "$T/z.c"
	start=$(now_ms)
	lease_start -- sh -c "$T/z & sleep 0.3; exit 3"
	lease_wait
	lease_drop
	is 3 "$status"
	[ $(($(now_ms) - start)) -lt 3000 ]
	! pgrep -x z
}

@test "a parent that is PID 1, or dies, is no evidence: no guess from ppid" {
	mkfifo "$T/lease"
	sh -c "$L -- sleep 99 <$T/lease 2>$T/err & echo \$! >$T/pid" 3>&-
	exec 7>"$T/lease"
	LPID=$(cat "$T/pid")
	within 5 pgrep -x -f "sleep 99"
	sleep 0.5
	alive "$LPID"
	pgrep -x -f "sleep 99"
	lease_drop
	within 5 dead "$LPID"
	! pgrep -x -f "sleep 99"
}

@test "killed from outside: 137, never 0, whether the command or lease is" {
	lease_start -- sh -c "echo \$\$ >$T/pid; exec sleep 99"
	within 5 test -s "$T/pid"
	kill -KILL -"$(cat "$T/pid")"
	lease_wait
	is 137 "$status"
	lease_drop
	rm "$T/lease" "$T/pid"
	lease_start -- sh -c "echo \$\$ >$T/pid; exec sleep 99"
	within 5 test -s "$T/pid"
	kill -KILL "$LPID"
	lease_wait
	is 137 "$status"
	within 5 dead "$(cat "$T/pid")"
	lease_drop
}

@test "a timeout, a lost lease and a kill from outside are told apart" {
	"$L" -n --timeout 100ms -S "$T/a" -- sleep 9 || true
	lease_start -S "$T/b" -- sleep 9
	within 5 has started "$T/b"
	lease_drop
	lease_wait
	"$L" -n --timeout 9 -S "$T/c" -- sh -c 'kill -KILL $$' || true
	is "timeout lease-eof exited" "$(for f in a b c; do jq -r 'select(.event == "ended").reason' "$T/$f"; done | paste -sd' ')"
}
