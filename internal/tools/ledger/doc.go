// Package ledger has the tools that read and change the user's ledger: list, add and remove
// transactions, change portfolio settings, and import broker files.
//
// Every change is previewed and needs the user's approval. Only the approved change is written: if
// the ledger changed in the meantime, the change is checked again or refused. An import recognizes
// the format, resolves symbols, skips duplicates and writes all lines or none. Nothing is written
// while the clock is set back.
package ledger
