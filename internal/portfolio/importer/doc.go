// Package importer reads the files that brokers export and returns their transactions.
//
// A File is decoded text; ReadTable finds its header and returns a Table. Each broker has one
// Format (Schwab, IBKR, DEGIRO, ...) in files named for the broker. Most are a spec: the columns of
// a table, its date and number formats, the meaning of the broker's words, and functions for the
// rest. IBKR, OFX and DEGIRO are code, because their lines depend on one another. Detect picks the
// only Format that recognizes a file. Native reads nfa's own exports. Tables of other brokers are
// read with a user-defined Mapping, which is converted to a spec: GuessMapping proposes one and
// ReadMapped applies it.
//
// Formats never guess. A Collector records each line as a transaction, as ignored with a reason, or
// as a problem with a reason; no line is lost. Reading a file again gives the same SourceIDs, so
// that duplicates are recognized. A file that mixes day orders or decimal separators is rejected
// with ErrFormat.
package importer
