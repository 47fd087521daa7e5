// Package tuitest gives tests and benchmarks a pseudo-terminal that answers no queries. It works
// only on Linux.
package tuitest
