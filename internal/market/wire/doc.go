// Package wire reads what servers of market data write, where several of them
// write it alike: figures, lines of text, links, moments, daily bars, splits,
// rates crossed through the euro, and the listings, days and hours of the United States. All of it is outside text: sizes are
// bounded, nothing panics, and what cannot be read is absent or ErrMalformed,
// never a guess.
package wire
