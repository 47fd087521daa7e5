#!/usr/bin/env bash
# The two commands of the README on a machine that has nothing but Go:
#
#   .ci/clean-machine.sh            as strict a machine as can be had here
#   .ci/clean-machine.sh debian     a fresh Debian (needs root, debootstrap and its archive)
#   .ci/clean-machine.sh chroot     a root of its own: Go, a C library's loader, nothing else (needs root or user namespaces)
#   .ci/clean-machine.sh empty      an empty home and a PATH of Go alone, in this system
#
# The modules come from where Go gets them (GOPROXY), or with NFA_MODULES=DIR from
# the download cache of a module cache. It is no part of CI: it wants root or the
# network, and CI has a clean clone with an empty home already.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
question='How has the S&P 500 done since 2008, and how bad did it get?'
work=$(mktemp -d)
trap 'chmod -R u+w "$work" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

say() { printf '== %s\n' "$*"; }

# The source is what is committed: a file that was forgotten is missed here.
source_into() { git clone --quiet --no-hardlinks "$root" "$1"; }

# The modules of the folder NFA_MODULES, as a proxy that is a folder.
proxy_into() {
	[ -n "${NFA_MODULES:-}" ] || return 0
	mkdir -p "$1"
	cp -R "$NFA_MODULES/." "$1/"
}

# commands is run inside: an answer from the source, then the tests.
cat >"$work/commands" <<EOF
set -eu
cd "\$NFA_SOURCE"
[ -z "\$(ls -A "\$HOME")" ] || { echo "the home is not empty"; exit 1; }
go version
start=\$SECONDS
answer=\$(go run ./cmd/nfa ask "$question")
echo "\$answer"
case \$answer in *SAMPLE* | *since* | *rose*) ;; *) echo "that is no answer"; exit 1 ;; esac
echo "== the first answer came after \$((SECONDS - start)) s"
start=\$SECONDS
go test ./...
echo "== the tests took \$((SECONDS - start)) s"
EOF

# into ROOT lays out Go, the source and an empty home there.
into() {
	mkdir -p "$1/home/newcomer" "$1/tmp" "$1/usr/local"
	cp -R "$(go env GOROOT)" "$1/usr/local/go"
	source_into "$1/nfa"
	proxy_into "$1/modules"
	cp "$work/commands" "$1/commands"
}

variables() { # variables PREFIX: the whole environment
	local proxy=${GOPROXY:-https://proxy.golang.org,direct} sums=${GOSUMDB:-sum.golang.org}
	[ -z "${NFA_MODULES:-}" ] || { proxy="file://$1/modules"; sums=off; }
	printf '%s\n' "HOME=$1/home/newcomer" "PATH=$1/usr/local/go/bin$2" "TMPDIR=$1/tmp" "NFA_SOURCE=$1/nfa" \
		"GOPROXY=$proxy" "GOSUMDB=$sums" "GOTOOLCHAIN=local" "LANG=C.UTF-8"
}

debian() {
	say "a fresh Debian"
	debootstrap --variant=minbase --include=ca-certificates,git stable "$work/root"
	into "$work/root"
	cp /etc/resolv.conf "$work/root/etc/resolv.conf"
	mapfile -t env < <(variables "" :/usr/bin:/bin)
	chroot "$work/root" /usr/bin/env -i "${env[@]}" /bin/bash /commands
}

# bare puts a shell and the few tools that the tests call into a root, with the
# libraries that those need.
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
	say "a root of its own, with Go and a shell"
	into "$work/root"
	bare "$work/root"
	mapfile -t env < <(variables "" :/bin)
	unshare --map-root-user --mount --pid --fork bash -c '
		set -eu
		mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev"
		exec chroot "$0" /bin/env -i "${@}" /bin/bash /commands' "$work/root" "${env[@]}"
}

empty() {
	say "an empty home and a PATH of Go alone"
	into "$work/root"
	mkdir -p "$work/root/bin"
	# Go asks git what a clone is of; the tests, what every Unix has.
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
