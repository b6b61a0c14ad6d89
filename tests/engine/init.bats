# lease-init as the init that an engine brings: docker's and podman's --init, and
# the pause process of a pod.  scripts/engine has set dockerd's --init-path.
load ../lib
load box
bats_require_minimum_version 1.5.0

# A program that leaves a child which needs a second to clean up.
LEAVES='sh -c "trap \"sleep 1; echo cleaned; exit\" TERM; echo up; while :; do sleep 0.1; done" & trap "exit 4" TERM; while :; do sleep 0.1; done'

@test "dockerd's --init-path: info and version show our version and commit, without a warning" {
	[[ $(docker info --format '{{.InitBinary}}') == */docker-init ]] ||
		fail "this engine was not started by scripts/engine"
	version=$("$I" --version)
	[[ $version =~ ^lease-init\ ([0-9.]+)\ -\ git\.([0-9a-z]+)$ ]]
	contains "$(docker info 2>&1)" "init version: ${BASH_REMATCH[2]}"
	[[ $(docker version) =~ docker-init:[[:space:]]+Version:[[:space:]]+"${BASH_REMATCH[1]}"[[:space:]]+GitCommit:[[:space:]]+"${BASH_REMATCH[2]}" ]]
	! docker info 2>&1 | grep -i "warning.*init"
	! grep -E "(parse|retrieve).*docker-init" "$ROOT/build/engine/log"
}

@test "docker run --init: docker stop asks what the program leaves, and waits for it" {
	EXTRA=lease-extra-$$
	docker run -d --init --name "$EXTRA" --entrypoint "" lease-test sh -c "$LEAVES" >/dev/null
	within 5 eval 'docker logs "$EXTRA" | grep -q up'
	docker stop "$EXTRA" >/dev/null
	contains "$(docker logs "$EXTRA")" cleaned
	is 4 "$(docker inspect -f '{{.State.ExitCode}}' "$EXTRA")"
}

@test "docker run --init: /sbin/docker-init lease is a lease, with no change to the image" {
	EXTRA=lease-extra-$$
	docker run -d --init --name "$EXTRA" --entrypoint "" lease-test sleep 86400 >/dev/null
	mkfifo "$T/lease"
	docker exec -i "$EXTRA" /sbin/docker-init lease -- sh -c 'setsid sleep 77 & exec yes' <"$T/lease" >/dev/null 2>"$T/err" 3>&- &
	CLIENT=$!
	exec 7>"$T/lease"
	inside() { docker exec "$EXTRA" ps -o args; }
	within 5 eval 'inside | grep -q "^sleep 77"'
	within 5 eval 'inside | grep -q "^{yes}"'
	kill -KILL "$CLIENT"
	within 5 eval '! inside | grep -qE "sleep 77|exec yes"'
	lease_drop
	run -3 docker exec "$EXTRA" /sbin/docker-init lease -n --timeout 5 -- sh -c 'exit 3'
	run -0 docker exec "$EXTRA" /sbin/docker-init --version
	contains "$output" "tini version"
}

@test "podman run --init --init-path: stop drains, /run/podman-init lease is a lease" {
	podman_start
	"${pm[@]}" run -d --name c --init --init-path "$I" --network none "$image" /busybox sh -c "
		/busybox sh -c 'trap \"/busybox sleep 1; echo cleaned; exit\" TERM; echo up; while :; do /busybox sleep 0.1; done' &
		trap 'exit 4' TERM; while :; do /busybox sleep 0.1; done" >/dev/null
	within 5 eval '"${pm[@]}" logs c 2>/dev/null | grep -q up'
	podman_lease /run/podman-init lease
	"${pm[@]}" stop c >/dev/null
	contains "$("${pm[@]}" logs c)" cleaned
	is 4 "$("${pm[@]}" inspect c --format '{{.State.ExitCode}}')"
}

@test "podman: the pause process of a pod reaps, and drains who is left at its stop" {
	podman_start
	"${pm[@]}" pod create --name p --share pid --network none --infra-image "$image" --infra-command "/lease-init -P" >/dev/null
	"${pm[@]}" run -d --pod p --name m "$image" /busybox sleep 86400 >/dev/null
	contains "$("${pm[@]}" exec m /busybox ps -o pid,args)" "1 /lease-init -P"
	# An orphan of another container of the pod is the pause process's to reap.
	"${pm[@]}" exec m /busybox sh -c '(/busybox sleep 0.2 &)'
	within 5 eval '! "${pm[@]}" exec m /busybox ps -o stat,args | grep "sleep 0.2"'
	! "${pm[@]}" exec m /busybox ps -o stat,args | grep "^Z"
	"${pm[@]}" pod stop p >/dev/null
	is 0 "$("${pm[@]}" ps -a --filter name=infra --format '{{.ExitCode}}')"
}
