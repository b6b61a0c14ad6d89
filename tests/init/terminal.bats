# Who has the terminal's foreground, before, during and after.
load ../lib
bats_require_minimum_version 1.5.0

# shell CODE ARG...: python code, as the session leader of a fresh terminal, which
# is descriptors 0 to 2.  job(ARG...) there runs a job in the foreground as a
# shell does, and returns its PID; end(PID) waits for its end, or None.
shell() {
	cat >"$T/shell.py" <<-'PY'
		import os, signal, sys, time
		signal.signal(signal.SIGTTOU, signal.SIG_IGN)
		me = os.getpgrp()
		def job(*argv):
		    pid = os.fork()
		    if pid == 0:
		        os.setpgid(0, 0)
		        os.tcsetpgrp(0, os.getpid())
		        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
		        os.execvp(argv[0], argv)
		    return pid
		def end(pid, seconds=3):
		    for _ in range(int(seconds * 20)):
		        got, status = os.waitpid(pid, os.WNOHANG)
		        if got:
		            return os.waitstatus_to_exitcode(status)
		        time.sleep(0.05)
		    os.killpg(pid, signal.SIGKILL)
	PY
	printf '%s\n' "$1" >>"$T/shell.py"
	shift
	run timeout -s KILL 30 script -qec "python3 $T/shell.py $*" /dev/null </dev/null
	output=$(tr -d '\r' <<<"$output")
}

as() {
	mkdir -p "$T/bin"
	ln -sf "$BUILD/lease" "$T/bin/$1"
	I=$T/bin/$1
}

@test "who is left in init's group and reads the terminal does not stop the program" {
	for name in lease-init tini catatonit podman-init; do
		as "$name"
		shell '
pid = job("sh", "-c", "(sleep .2; exec cat </dev/tty) & exec $0 sh -c \"sleep 1; echo done\" 2>/dev/null", sys.argv[1])
print("status", end(pid))' "$I"
		contains "$name: $output" done
		contains "$name: $output" "status 0"
	done
}

@test "in the background of a script it does not take the terminal" {
	for name in lease-init tini docker-init; do
		as "$name"
		shell '
pid = job("sh", "-c", "$0 -s -- sleep 2 & sleep .3; echo fg $(ps -o tpgid= -p $$) own $(ps -o pgid= -p $$); kill $!", sys.argv[1])
end(pid)' "$I"
		read -r _ fg _ own < <(grep '^fg' <<<"$output")
		is "$name $own" "$name $fg"
	done
}

@test "in a pipeline the reader of the terminal keeps it" {
	as tini
	shell '
pid = job("sh", "-c", "sleep 1 | $0 -s -- sh -c \"read l\" & sleep .3; echo fg $(ps -o tpgid= -p $$) own $(ps -o pgid= -p $$); wait", sys.argv[1])
end(pid)' "$I"
	read -r _ fg _ own < <(grep '^fg' <<<"$output")
	is "$own" "$fg"
}

@test "a foreground that a shell has taken back meanwhile stays with it" {
	for name in lease-init tini catatonit; do
		as "$name"
		shell '
pid = job(sys.argv[1], "sleep", "1")
time.sleep(0.3)
os.kill(pid, signal.SIGSTOP)
os.waitpid(pid, os.WUNTRACED)
os.tcsetpgrp(0, me)
os.killpg(pid, signal.SIGCONT)
end(pid)
print("ok" if os.tcgetpgrp(0) == me else "stolen")' "$I"
		contains "$name: $output" ok
	done
}

@test "as PID 1 in a group from outside, the foreground is left alone" {
	shell '
pid = job("unshare", "--pid", "--fork", "--mount-proc", "--kill-child", sys.argv[1], "sh", "-c", "read l; echo got $l")
time.sleep(0.5)
print("fg", os.tcgetpgrp(0) == pid)
os.killpg(pid, signal.SIGKILL)
end(pid)' "$I"
	contains "$output" "fg True"
}

@test "dumb-init: a terminal that is not ours yet becomes the program's" {
	as dumb-init
	run timeout -s KILL 20 python3 - "$I" <<-'PY'
		import os, sys
		m, s = os.openpty()
		pid = os.fork()
		if pid == 0:
		    os.setsid()	# a terminal on 0 to 2, and none that controls us
		    for fd in range(3):
		        os.dup2(s, fd)
		    os.execv(sys.argv[1], ["dumb-init", "sh", "-c", "ps -o tty= -p $$"])
		os.close(s)
		print(os.read(m, 100).decode().strip(), os.waitpid(pid, 0)[1])
	PY
	[[ $output =~ ^pts/[0-9]+\ 0$ ]] || fail "$output"
}

@test "dumb-init: the group is asked also when the program ends just as init looks" {
	as dumb-init
	timeout -s KILL 20 strace -qq -o "$T/strace" -e trace=waitid,wait4 \
		-e inject=waitid:delay_exit=300000 "$I" sh -c "
		sh -c 'trap \"echo asked >$T/mark; exit\" TERM; echo >$T/up; while :; do sleep 0.02; done' &
		until [ -e $T/up ]; do sleep 0.02; done; kill -WINCH \$PPID; sleep 0.1" 3>&- || true
	within 5 test -s "$T/mark"
}

@test "signals stay blocked while PATH is searched: one exec, no failing ones" {
	PATH=/none/1:/none/2:/none/3:$PATH timeout -s KILL 20 strace -f -qq -o "$T/strace" \
		-e trace=execve,vfork,rt_sigprocmask "$I" -k 0 -- true
	is 2 "$(grep -c 'execve(' "$T/strace")"
}
