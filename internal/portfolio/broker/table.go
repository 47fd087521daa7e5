package broker

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// Table finds the table of a file by columns that it has to have. The error of a file
// without it wraps ErrFormat and names them.
func Table(f sheet.File, columns ...string) (sheet.Table, error) {
	rows, err := f.Rows(0)
	if err != nil {
		return sheet.Table{}, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	t, ok := sheet.Find(rows, columns...)
	if !ok {
		return sheet.Table{}, fmt.Errorf("%s: %w: no line has the columns %q", f.Name, ErrFormat, columns)
	}
	return t, nil
}

// mostHead is more than what stands above any header, in bytes.
const mostHead = 64 << 10

// Heads reports whether Table would find the columns, and of a large file reads no
// more than its beginning.
func Heads(f sheet.File, columns ...string) bool {
	head := f
	if len(f.Text) > mostHead {
		// What follows the last newline may be half of a line.
		head.Text = f.Text[:strings.LastIndexAny(f.Text[:mostHead], "\r\n")+1]
	}
	_, err := Table(head, columns...)
	if errors.Is(err, sheet.ErrQuote) && len(head.Text) < len(f.Text) {
		_, err = Table(f, columns...) // the cut was within a quoted cell
	}
	return err == nil
}
