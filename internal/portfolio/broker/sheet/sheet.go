// Package sheet reads tables as brokers write them: in whatever encoding, with
// whatever separator, with prose above and totals below.
//
// It knows numbers, days and rows, and nothing of securities. What a text means is
// decided only where that is certain: the decimal sign and the order of day and
// month are said by the caller, and what can be told of them is told with whether
// it is sure.
package sheet

import (
	"errors"
	"strings"
)

// Most is the largest file that is read, in bytes.
const Most = 64 << 20

// MostRows is how many rows a file has at most, and how many elements a list of JSON:
// far above what any broker writes. Each takes more memory than its text, so that a
// file of the shortest ones would take a hundred times its size.
const MostRows = 1 << 20

// Bounds of one row.
const (
	mostCells = 4096
	mostRow   = 1 << 20 // bytes
)

// What the errors of reading a file mean.
var (
	ErrTooLarge  = errors.New("file too large")
	ErrBinary    = errors.New("not a text file")
	ErrTruncated = errors.New("file cut short")
	// ErrQuote means that a quotation mark is opened and never closed, or closed in
	// the middle of a cell.
	ErrQuote = errors.New("quotation marks do not match")
)

// File is a file as text.
type File struct {
	Name     string // without its folder
	Text     string // UTF-8, without a mark at its beginning
	Encoding string // what it was: "UTF-8", "UTF-16LE", "Windows-1252"
}

// Row is one record of a table.
type Row struct {
	Line  int // of its first character, counted from 1
	Cells []string
}

// Empty reports whether nothing is written in any cell.
func (r Row) Empty() bool {
	for _, cell := range r.Cells {
		if trim(cell) != "" {
			return false
		}
	}
	return true
}

// At is the cell of a column counted from 0, trimmed; empty where the row ends
// before it.
func (r Row) At(column int) string {
	if column < 0 || column >= len(r.Cells) {
		return ""
	}
	return trim(r.Cells[column])
}

// Text is the row on one line, shortened, for people to find it again.
func (r Row) Text() string { return Shorten(strings.Join(r.Cells, ", ")) }
