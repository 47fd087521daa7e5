// Package wire reads what servers of market data write, where several of them
// write it alike: figures, lines of text, links, moments, daily bars, and the
// listings and hours of the United States. All of it is outside text: sizes are
// bounded, nothing panics, and what cannot be read is absent or ErrMalformed,
// never a guess.
package wire
