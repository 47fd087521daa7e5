// Package fetch asks the servers of market data politely: at the pace each of
// them bears, from one process or several, keeping what it was given on the
// user's disk for as long as it stays true, and saying what an error means.
//
// Client is the plumbing of the program, Source one server's tap. A provider
// gives a Policy and then asks with Get; the answer is bytes, an age, and whether
// they came from the disk. Parsed asks for what a parser makes of them, and keeps
// nothing that does not parse. Every error is a *market.SourceError.
package fetch
