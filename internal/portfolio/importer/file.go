package importer

import (
	"errors"
	"strings"
)

// MaxFileSize is the largest file that is read, in bytes.
const MaxFileSize = 64 << 20

// MaxRows is how many rows a file has at most, and how many elements a list of JSON:
// far above what any broker writes. Each takes more memory than its text, so that a
// file of the shortest ones would take a hundred times its size.
const MaxRows = 1 << 20

// Bounds of one row.
const (
	maxCells   = 4096
	maxRowSize = 1 << 20 // bytes
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
	// Source is how it is written in a file that is no table; empty for rows of tables.
	Source string `json:"-"`
}

// Empty reports whether nothing is written in any cell.
func (r Row) Empty() bool {
	if r.Source != "" {
		return false
	}
	for _, cell := range r.Cells {
		if trimCell(cell) != "" {
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
	return trimCell(r.Cells[column])
}

// Text is the row on one line, shortened, for people to find it again.
func (r Row) Text() string {
	if r.Source != "" {
		return Shorten(r.Source)
	}
	return Shorten(strings.Join(r.Cells, ", "))
}

// identity is what tells a row without a number from others.
func (r Row) identity() []string {
	if r.Source != "" {
		return []string{r.Source}
	}
	return r.Cells
}
