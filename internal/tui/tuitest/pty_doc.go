// Package terminaltest gives tests and measurements a terminal that answers no query,
// as a window that nobody looks at. Linux alone has one.
package tuitest
