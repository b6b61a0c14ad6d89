#!/usr/bin/env node
// Runs a command in a container under a lease, and cancels it on demand.
//
//	node examples/node.mjs BOX COMMAND [ARG...]
//
// Prints the command's output and, on stderr, its exit status.  CANCEL_AFTER=2
// in the environment cancels it after two seconds.  If this program dies, by
// SIGKILL too, the command in the container is ended all the same.
import { spawn } from "node:child_process";

const [box, ...command] = process.argv.slice(2);
if (command.length === 0) {
	console.error("usage: node.mjs BOX COMMAND [ARG...]");
	process.exit(2);
}

// spawn, not spawnSync: that closes stdin at once, and the lease would be lost
// before it began.  The pipe at stdin is the lease; we write nothing to it.
const client = spawn(
	"docker", ["exec", "-i", box, "lease", "--", ...command],
	{ stdio: ["pipe", "inherit", "inherit"] });

// When the command exits by itself, the client closes its end first.
client.stdin.on("error", () => {});

// To cancel, close the pipe: the command is asked, then forced.  Do not kill the
// client: its output and its exit status would be lost.
const after = process.env.CANCEL_AFTER;
const timer = after && setTimeout(() => client.stdin.end(), after * 1000);

client.on("close", (code) => {
	clearTimeout(timer);
	console.error(`exit status ${code}`);
	process.exit(code);
});
