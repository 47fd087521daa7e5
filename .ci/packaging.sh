#!/bin/sh
# Makes what a release holds beside the program, in packaging/: manual pages, shell
# completions and the licences of all that is linked. The folder ignores itself, so
# that a release is made of a clean tree. Needs the modules of all six platforms.
set -eu
cd "$(dirname "$0")/.."
out=packaging
rm -rf "$out"
mkdir -p "$out/completions" "$out/licences"
echo '*' >"$out/.gitignore"

# The version that the pages name is that of the release, where this is one.
go build -trimpath -buildvcs=true -ldflags "-X main.version=${1:-}" -o "$out/nfa" ./cmd/nfa
nfa="$(pwd)/$out/nfa"

"$nfa" version man "$out/man"
gzip -9 -n "$out"/man/*.1

for shell in bash zsh fish powershell; do
	"$nfa" completion "$shell" >"$out/completions/nfa.$shell"
done

# What is linked differs by platform: what one of them needs, all archives have.
for os in linux darwin windows; do
	for arch in amd64 arm64; do
		GOOS=$os GOARCH=$arch CGO_ENABLED=0 go list -deps \
			-f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' ./cmd/nfa
	done
done | sort -u >"$out/modules"
copy() { # copy FOLDER NAME
	mkdir -p "$out/licences/$2"
	find "$1" -maxdepth 1 \( -iname 'LICEN[CS]E*' -o -iname 'COPYING*' -o -iname 'NOTICE*' -o -iname 'PATENTS*' \
		-o -iname 'UNLICENSE*' -o -iname 'AUTHORS*' -o -iname 'THIRD_PARTY*' \) -exec cp -R {} "$out/licences/$2/" \;
	chmod -R u+w "$out/licences/$2"
	[ -n "$(ls "$out/licences/$2")" ] || { echo "$2 has no licence in $1" >&2; exit 1; }
}
while read -r module folder; do
	copy "$folder" "$module"
done <"$out/modules"
copy "$(go env GOROOT)" go
cp internal/market/feed/data/NOTICE.md "$out/licences/sample-data.md"
