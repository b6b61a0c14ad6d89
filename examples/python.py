#!/usr/bin/env python3
"""Runs a command in a container under a lease, and cancels it on demand.

	python3 examples/python.py BOX COMMAND [ARG...]

Prints the command's output and, on stderr, its exit status.  CANCEL_AFTER=2 in
the environment cancels it after two seconds.  If this program dies, by SIGKILL
too, the command in the container is ended all the same.
"""
import os
import subprocess
import sys
import threading


def run(box, command, cancel_after=None):
    # A pipe of our own.  With stdin=PIPE, communicate() and the with statement
    # close it at once, and the lease would be lost before it began.
    lease, owner = os.pipe()
    client = subprocess.Popen(
        ["docker", "exec", "-i", box, "lease", "--", *command],
        stdin=lease, stdout=subprocess.PIPE)
    os.close(lease)
    # To cancel, close our end: the command is asked, then forced.  Do not kill
    # the client: its output and its exit status would be lost.
    held = [owner]
    timer = threading.Timer(cancel_after or 0, lambda: os.close(held.pop()))
    if cancel_after is not None:
        timer.start()
    # Go on reading to the end: what the command says while it cleans up comes.
    for line in client.stdout:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
    status = client.wait()
    timer.cancel()
    if held:
        os.close(held.pop())
    return status


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: python.py BOX COMMAND [ARG...]")
    after = os.environ.get("CANCEL_AFTER")
    code = run(sys.argv[1], sys.argv[2:], float(after) if after else None)
    print(f"exit status {code}", file=sys.stderr)
    sys.exit(code)
