#!/bin/sh
# Checks the code that nfa calls, linked modules and Go for known vulnerabilities.
#
#   .ci/vuln.sh                       uses https://vuln.go.dev
#   VULNDB=file:///DIR .ci/vuln.sh    uses a local copy of the database
#
# If the database is unreachable, the check prints SKIPPED and passes. With VULN_STRICT=1, which
# releases use, it fails.
set -eu
cd "$(dirname "$0")/.."
output=$(mktemp)
trap 'rm -f "$output"' EXIT
status=0
${GO:-go} run "${GOVULNCHECK:-golang.org/x/vuln/cmd/govulncheck@v1.8.0}" ${VULNDB:+-db "$VULNDB"} ./... >"$output" 2>&1 || status=$?
cat "$output"
[ "$status" -ne 0 ] || exit 0
# Skip only if the database did not respond and no vulnerability was listed.
if grep -q 'fetching vulnerabilities' "$output" && ! grep -q '^Vulnerability #' "$output" && [ -z "${VULN_STRICT:-}" ]; then
	echo "SKIPPED: the vulnerability database did not respond; nothing was checked"
	exit 0
fi
exit "$status"
