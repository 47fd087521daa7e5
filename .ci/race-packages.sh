#!/bin/sh
# Prints the packages for the race detector: those whose code, without tests, starts goroutines or
# uses locks or atomics. Packages that only use sync.Once are left out. So is cmd/nfa, which only
# wires packages together and whose tests take minutes under the detector.
set -eu
grep -lrE '^[[:space:]]*go (func|[a-z])|sync\.(Mutex|RWMutex|WaitGroup|Map|Cond|Pool)|"sync/atomic"|crash\.(Group|WaitGroup)' --include='*.go' internal |
	grep -v '_test\.go$' | xargs -n1 dirname | sort -u | sed 's#^#./#' |
	grep -vE 'test$'
