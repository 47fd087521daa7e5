// Benchtui measures the chat in a pseudo-terminal of 120 by 40 that answers no
// query, against a model server on loopback, and prints one row of figures, each the
// median of several runs:
//
//	make bench-tui
//
// Timed tests lie on a busy machine; this is for a quiet one, and for comparing.
// Linux alone.
package main
