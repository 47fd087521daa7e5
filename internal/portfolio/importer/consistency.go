package importer

import (
	"fmt"
	"strings"
)

// CheckDayOrder refuses rows whose days are written in the other order of day and month than
// the layouts say, as where a spreadsheet of another country saved a file anew. One day
// above the twelfth shows it for all. The error wraps ErrFormat.
func CheckDayOrder(f File, rows []Row, day func(Row) string, layouts ...string) error {
	for _, row := range rows {
		for _, layout := range layouts {
			cell := day(row)
			if !HasSwappedDayOrder(cell, layout) {
				continue
			}
			return fmt.Errorf("%s, line %d: %w: the date %q has day and month the other way round than they are read, so that no date of the file is sure: export it again, and do not save it with a spreadsheet",
				f.Name, row.Line, ErrFormat, Shorten(cell))
		}
	}
	return nil
}

// checkDecimalSeparator refuses a file with a number that can be read with the other decimal sign
// alone: then 1,234 is not a thousand anywhere in it. The error wraps ErrFormat.
func checkDecimalSeparator(f File, line int, text string, sign DecimalSeparator) error {
	// Most numbers have one sign, or none, and prove nothing.
	if !strings.ContainsRune(text, rune(sign.Other())) && strings.Count(text, string(sign)) < 2 {
		return nil
	}
	if _, _, err := ParseMoney(text, sign); err == nil {
		return nil
	}
	if _, _, err := ParseMoney(text, sign.Other()); err != nil {
		return nil
	}
	return fmt.Errorf("%s, line %d: %w: the number %q has a decimal %q, and numbers are read with the other sign, so that none of the file is sure: export it again, and do not save it with a spreadsheet",
		f.Name, line, ErrFormat, Shorten(text), rune(sign.Other()))
}

// CheckDecimalSeparator checks the columns of a table.
func CheckDecimalSeparator(f File, t Table, sign DecimalSeparator, columns ...string) error {
	for _, row := range t.Rows {
		for _, column := range columns {
			if err := checkDecimalSeparator(f, row.Line, t.Cell(row, column), sign); err != nil {
				return err
			}
		}
	}
	return nil
}
