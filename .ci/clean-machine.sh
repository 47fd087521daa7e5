#!/usr/bin/env bash
# Runs the commands of the README on a machine that has only Go:
#
#   .ci/clean-machine.sh            the strictest environment available here
#   .ci/clean-machine.sh debian     a fresh Debian (needs root, debootstrap and its archive)
#   .ci/clean-machine.sh chroot     a root with only Go and a C loader (needs root or user namespaces)
#   .ci/clean-machine.sh empty      this system with an empty home and only Go in PATH
#
# Modules come from GOPROXY, or with NFA_MODULES=DIR from the download folder of a module cache.
# CI does not run this script, because it needs root or the network.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
question='How has the S&P 500 done since 2008, and how bad did it get?'
work=$(mktemp -d)
trap 'chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

say() { printf '== %s\n' "$*"; }

# Clones the committed source, so that a file missing from the commit is noticed.
source_into() { git clone --quiet --no-hardlinks "$root" "$1"; }

# Copies NFA_MODULES to a folder that serves as GOPROXY.
proxy_into() {
	[ -n "${NFA_MODULES:-}" ] || return 0
	mkdir -p "$1"
	cp -R "$NFA_MODULES/." "$1/"
}

# The commands to run: one question, then the tests.
cat >"$work/commands" <<EOF
set -eu
cd "\$NFA_SOURCE"
[ -z "\$(ls -A "\$HOME")" ] || { echo "the home is not empty"; exit 1; }
go version
start=\$SECONDS
answer=\$(go run ./cmd/nfa ask "$question")
echo "\$answer"
case \$answer in *SAMPLE* | *since* | *rose*) ;; *) echo "unexpected answer"; exit 1 ;; esac
echo "== first answer after \$((SECONDS - start)) s"
start=\$SECONDS
go test ./...
echo "== tests took \$((SECONDS - start)) s"
EOF

# into ROOT installs Go, the source and an empty home.
into() {
	mkdir -p "$1/home/newcomer" "$1/tmp" "$1/usr/local"
	cp -R "$(go env GOROOT)" "$1/usr/local/go"
	source_into "$1/nfa"
	proxy_into "$1/modules"
	cp "$work/commands" "$1/commands"
}

variables() { # variables PREFIX prints the complete environment
	local proxy=${GOPROXY:-https://proxy.golang.org,direct} sums=${GOSUMDB:-sum.golang.org}
	[ -z "${NFA_MODULES:-}" ] || { proxy="file://$1/modules"; sums=off; }
	printf '%s\n' "HOME=$1/home/newcomer" "PATH=$1/usr/local/go/bin$2" "TMPDIR=$1/tmp" "NFA_SOURCE=$1/nfa" \
		"GOPROXY=$proxy" "GOSUMDB=$sums" "GOTOOLCHAIN=local" "LANG=C.UTF-8"
}

debian() {
	say "fresh Debian"
	debootstrap --variant=minbase --include=ca-certificates,git stable "$work/root"
	into "$work/root"
	cp /etc/resolv.conf "$work/root/etc/resolv.conf"
	mapfile -t env < <(variables "" :/usr/bin:/bin)
	chroot "$work/root" /usr/bin/env -i "${env[@]}" /bin/bash /commands
}

# bare installs a shell and the tools that the tests call, with their libraries.
bare() {
	local root=$1 tool lib
	mkdir -p "$root"/{bin,etc,dev,proc,usr/bin}
	for tool in bash sh ls cat git env; do
		cp -L "$(command -v "$tool")" "$root/bin/"
		ldd "$(command -v "$tool")" 2>/dev/null | grep -o '/[^ ]*' | while read -r lib; do
			mkdir -p "$root$(dirname "$lib")" && cp -Ln "$lib" "$root$lib" 2>/dev/null || true
		done
	done
	echo 'newcomer:x:0:0::/home/newcomer:/bin/sh' >"$root/etc/passwd"
	for f in /etc/resolv.conf /etc/hosts /etc/nsswitch.conf /etc/ssl/certs/ca-certificates.crt; do
		[ ! -e "$f" ] || { mkdir -p "$root$(dirname "$f")" && cp -L "$f" "$root$f"; }
	done
}

chrooted() {
	say "chroot with Go and a shell"
	into "$work/root"
	bare "$work/root"
	mapfile -t env < <(variables "" :/bin)
	unshare --map-root-user --mount --pid --fork bash -c '
		set -eu
		mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev"
		exec chroot "$0" /bin/env -i "${@}" /bin/bash /commands' "$work/root" "${env[@]}"
}

empty() {
	say "empty home and only Go in PATH"
	into "$work/root"
	mkdir -p "$work/root/bin"
	# Go calls git for version information; the tests need basic Unix tools.
	for tool in bash sh ls cat git env; do ln -s "$(command -v "$tool")" "$work/root/bin/$tool"; done
	mapfile -t env < <(variables "$work/root" ":$work/root/bin")
	env -i "${env[@]}" bash "$work/root/commands"
}

case ${1:-best} in
debian) debian ;;
chroot) chrooted ;;
empty) empty ;;
best)
	if [ "$(id -u)" = 0 ] && command -v debootstrap >/dev/null; then debian
	elif unshare --map-root-user --mount true 2>/dev/null; then chrooted
	else empty; fi
	;;
*) echo "usage: $0 [debian|chroot|empty]" >&2; exit 2 ;;
esac
say "1 passed, 0 failed"
