#!/bin/sh
# size.sh FILE... fails if a program is over 52,250,000 bytes. The limit is tight so that a change
# that adds much shows up: for example, one library that looks up methods by name makes the linker
# keep all methods, which adds 5 MB.
set -eu
most=52250000
for file; do
	bytes=$(wc -c <"$file")
	echo "$file: $((bytes)) bytes, $((most - bytes)) under the limit"
	[ "$bytes" -le "$most" ] || { echo "$file is over $most bytes" >&2; exit 1; }
done
