#!/bin/sh
# Prints the packages with concurrency: those whose code, without tests, starts goroutines or
# shares memory under a lock. The race detector has nothing to find in the others, nor in those
# that only compute a value once. cmd/nfa only wires these packages together, and its tests take
# minutes under the detector.
set -eu
grep -lrE '^[[:space:]]*go (func|[a-z])|sync\.(Mutex|RWMutex|WaitGroup|Map|Cond|Pool)|"sync/atomic"|crash\.(Group|WaitGroup)' --include='*.go' internal |
	grep -v '_test\.go$' | xargs -n1 dirname | sort -u | sed 's#^#./#' |
	grep -vE 'test$'
