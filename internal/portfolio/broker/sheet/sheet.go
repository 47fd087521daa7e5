// Package sheet reads tables as brokers write them: in whatever encoding, with
// whatever separator, with prose above and totals below.
package sheet

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
