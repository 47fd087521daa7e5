package broker

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// InOrder refuses rows whose days are written in the other order of day and month than
// the layouts say, as where a spreadsheet of another country saved a file anew. One day
// above the twelfth shows it for all. The error wraps ErrFormat.
func InOrder(f sheet.File, rows []sheet.Row, day func(sheet.Row) string, layouts ...string) error {
	for _, row := range rows {
		for _, layout := range layouts {
			cell := day(row)
			if !sheet.Swapped(cell, layout) {
				continue
			}
			return fmt.Errorf("%s, line %d: %w: the date %q has day and month the other way round than they are read, so that no date of the file is sure: export it again, and do not save it with a spreadsheet",
				f.Name, row.Line, ErrFormat, sheet.Shorten(cell))
		}
	}
	return nil
}

// InSign refuses a table in which a number of the columns can be read with the other
// decimal sign alone: then 1,234 is not a thousand anywhere in it. The error wraps
// ErrFormat.
func InSign(f sheet.File, t sheet.Table, sign sheet.Sign, columns ...string) error {
	for _, row := range t.Rows {
		for _, column := range columns {
			text := t.Cell(row, column)
			// Most numbers have one sign, or none, and prove nothing.
			if !strings.ContainsRune(text, rune(sign.Other())) && strings.Count(text, string(sign)) < 2 {
				continue
			}
			if _, _, err := sheet.Money(text, sign); err == nil {
				continue
			}
			if _, _, err := sheet.Money(text, sign.Other()); err == nil {
				return fmt.Errorf("%s, line %d: %w: the number %q has a decimal %q, and numbers are read with the other sign, so that none of the file is sure: export it again, and do not save it with a spreadsheet",
					f.Name, row.Line, ErrFormat, sheet.Shorten(text), rune(sign.Other()))
			}
		}
	}
	return nil
}
