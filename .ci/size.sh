#!/bin/sh
# size.sh FILE...: a program over 45 MB (45,000,000 bytes) is refused, so that what
# makes it larger is seen in the change that does.
set -eu
most=45000000
for file; do
	bytes=$(wc -c <"$file")
	echo "$file: $((bytes)) bytes, $((most - bytes)) under the limit"
	[ "$bytes" -le "$most" ] || { echo "$file is over $most bytes" >&2; exit 1; }
done
