#!/bin/sh
# Writes the other files of a release to packaging/: manual pages, shell completions and the
# licenses of linked modules. The folder has its own .gitignore, so that the tree stays clean.
# Needs the modules of all six platforms.
set -eu
cd "$(dirname "$0")/.."
out=packaging
rm -rf "$out"
mkdir -p "$out/completions" "$out/licenses"
echo '*' >"$out/.gitignore"

# The manual pages name the version of the release.
go build -trimpath -buildvcs=true -ldflags "-X main.version=${1:-}" -o "$out/nfa" ./cmd/nfa
nfa="$(pwd)/$out/nfa"

"$nfa" version man "$out/man"
gzip -9 -n "$out"/man/*.1

for shell in bash zsh fish powershell; do
	"$nfa" completion "$shell" >"$out/completions/nfa.$shell"
done

# Linked modules differ by platform; every archive has the licenses of all.
for os in linux darwin windows; do
	for arch in amd64 arm64; do
		GOOS=$os GOARCH=$arch CGO_ENABLED=0 go list -deps \
			-f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' ./cmd/nfa
	done
done | sort -u >"$out/modules"
copy() { # copy FOLDER NAME
	mkdir -p "$out/licenses/$2"
	find "$1" -maxdepth 1 \( -iname 'LICEN[CS]E*' -o -iname 'COPYING*' -o -iname 'NOTICE*' -o -iname 'PATENTS*' \
		-o -iname 'UNLICENSE*' -o -iname 'AUTHORS*' -o -iname 'THIRD_PARTY*' \) -exec cp -R {} "$out/licenses/$2/" \;
	chmod -R u+w "$out/licenses/$2"
	[ -n "$(ls "$out/licenses/$2")" ] || { echo "no license for $2 in $1" >&2; exit 1; }
}
while read -r module folder; do
	copy "$folder" "$module"
done <"$out/modules"
copy "$(go env GOROOT)" go
cp internal/market/feed/data/NOTICE.md "$out/licenses/sample-data.md"
cp internal/llm/catalog/NOTICE.md "$out/licenses/model-catalog.md"
