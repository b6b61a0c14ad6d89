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
    # close it at once, and the lease would be lost before it began.  Python
    # hands neither end to other children, which would keep the lease alive.
    lease, owner = os.pipe()
    with open(owner, "wb") as held:
        client = subprocess.Popen(
            ["docker", "exec", "-i", box, "lease", "--", *command],
            stdin=lease, stdout=subprocess.PIPE)
        os.close(lease)
        # To cancel, close our end: the command is asked, then forced.  Do not
        # kill the client: its output and its exit status would be lost.
        timer = None
        if cancel_after is not None:
            timer = threading.Timer(cancel_after, held.close)
            timer.daemon = True
            timer.start()
        # Read on to the end: what the command says as it cleans up comes too.
        for line in client.stdout:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        status = client.wait()
        if timer:
            timer.cancel()
    return status


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: python.py BOX COMMAND [ARG...]")
    after = os.environ.get("CANCEL_AFTER")
    code = run(sys.argv[1], sys.argv[2:], float(after) if after else None)
    print(f"exit status {code}", file=sys.stderr)
    sys.exit(code if code >= 0 else 128 - code)
