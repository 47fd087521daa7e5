// Package sqlite stores nfa's data in three SQLite files: sessions and stored skills (DB), the
// portfolio with journal, watchlist, profile and documents (PortfolioStore), and price history
// (Bars).
//
// A damaged file of sessions or prices is set aside and a new one is created. The portfolio file is
// never replaced. It is backed up on each day that it changes, damage is reported with the way to
// restore it, and it opens read-only if it is not writable. Price history may be deleted at any
// time, because it can be fetched again. A file of a newer version is refused with ErrNewer.
//
// The stores are safe for concurrent use, also by several processes. The driver is pure Go. Values
// are checked when writing and when reading, because a person may edit the file.
package sqlite
