// Benchtui measures the chat in a pseudo-terminal of 120 by 40 cells, with a fake model server on
// loopback. It prints the median of several runs per row:
//
//	make bench-tui
//
// It needs Linux and an idle machine.
package main
