package importer

import (
	"errors"
	"fmt"
	"strings"
)

// ReadTable finds the table of a file by columns that it has to have. The error of a file
// without it wraps ErrFormat and names them.
func ReadTable(f File, columns ...string) (Table, error) {
	rows, err := f.Rows(0)
	if err != nil {
		return Table{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	t, ok := FindTable(rows, columns...)
	if !ok {
		return Table{}, fmt.Errorf("%s: %w: no line has the columns %q", f.Name, ErrFormat, columns)
	}
	return t, nil
}

// maxHeader is more than what stands above any header, in bytes.
const maxHeader = 64 << 10

// HasTable reports whether Table would find the columns, and of a large file reads no
// more than its beginning.
func HasTable(f File, columns ...string) bool {
	head := f.head()
	_, err := ReadTable(head, columns...)
	if errors.Is(err, ErrQuote) && len(head.Text) < len(f.Text) {
		_, err = ReadTable(f, columns...) // the cut was within a quoted cell
	}
	return err == nil
}

// head is the beginning of a large file, in whole lines.
func (f File) head() File {
	if len(f.Text) > maxHeader {
		f.Text = f.Text[:strings.LastIndexAny(f.Text[:maxHeader], "\r\n")+1]
	}
	return f
}
