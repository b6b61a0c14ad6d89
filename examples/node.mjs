#!/usr/bin/env node
// Runs a command in a container under a lease, and cancels it on demand.
//
//	node examples/node.mjs BOX COMMAND [ARG...]
//
// Prints the command's output and, on stderr, its exit status.  CANCEL_AFTER=2
// in the environment cancels it after two seconds.  If this program dies, by
// SIGKILL too, the command in the container is ended all the same.
import { spawn } from "node:child_process";
import { constants } from "node:os";

const [box, ...command] = process.argv.slice(2);
if (command.length === 0) {
	console.error("usage: node.mjs BOX COMMAND [ARG...]");
	process.exit(2);
}

// spawn, not spawnSync: that closes stdin at once, and the lease would be lost
// before it began.  The pipe at stdin is the lease; we write nothing to it.
const client = spawn(
	"docker", ["exec", "-i", box, "lease", "--", ...command],
	{ stdio: ["pipe", "pipe", "inherit"] });

// To cancel, close the pipe: the command is asked, then forced.  Do not kill the
// client: its output and its exit status would be lost.
const after = process.env.CANCEL_AFTER;
const timer = after && setTimeout(() => client.stdin.end(), after * 1000);

// Read on to the end: what the command says as it cleans up comes too.
client.stdout.pipe(process.stdout);

// "close", not "exit": all output has been read by then.
client.on("close", (code, signal) => {
	clearTimeout(timer);
	const status = code ?? 128 + constants.signals[signal];
	console.error(`exit status ${status}`);
	process.exitCode = status;
});
