package importer_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/portfolio/importer"
)

// Three digits after a separator are thousands or decimals: another number of the file decides.
func TestInSign_OneNumberShowsTheSignOfAll(t *testing.T) {
	for _, c := range []struct {
		sign  importer.DecimalSeparator
		cells []string
		wrong string
	}{
		{importer.DecimalPoint, []string{"1,234", "0.5", "$1,234.50", "-", "", "n/a"}, ""},
		{importer.DecimalPoint, []string{"1,234", "0,5"}, "0,5"},
		{importer.DecimalPoint, []string{"1,234", "1.234.567"}, "1.234.567"},
		{importer.DecimalComma, []string{"1.234", "0,5", "1.234,50 EUR"}, ""},
		{importer.DecimalComma, []string{"1.234", "€1.50"}, "€1.50"},
	} {
		var rows []importer.Row
		for i, text := range c.cells {
			rows = append(rows, row(i+2, text))
		}
		err := importer.CheckDecimalSeparator(importer.File{Name: "my.csv"}, rows, c.sign, 0, 7)
		if (err == nil) != (c.wrong == "") || err != nil && (!errors.Is(err, importer.ErrFormat) || !strings.Contains(err.Error(), fmt.Sprintf("%q", c.wrong))) {
			t.Errorf("InSign(%q, %q) = %v, want an error that names %q", c.cells, rune(c.sign), err, c.wrong)
		}
	}
}

// A day above 12 shows the order of day and month of the whole file; the error names its line.
func TestInOrder_OneDayShowsTheOrderOfAll(t *testing.T) {
	for _, c := range []struct {
		layouts []string
		cells   []string
		line    string
	}{
		{[]string{"02/01/2006"}, []string{"04/05/2024", "13/05/2024", "total"}, ""},
		{[]string{"02/01/2006"}, []string{"04/05/2024", "05/13/2024"}, "line 3"},
		{[]string{"02-01-2006", "02.01.2006"}, []string{"04-05-2024", "05.05.2024", "05.13.2024"}, "line 4"},
		{nil, []string{"05/13/2024"}, ""},
	} {
		var rows []importer.Row
		for i, text := range c.cells {
			rows = append(rows, row(i+2, text))
		}
		err := importer.CheckDayOrder(importer.File{Name: "my.csv"}, rows, func(r importer.Row) string { return r.At(0) }, c.layouts...)
		if (err == nil) != (c.line == "") || err != nil && (!errors.Is(err, importer.ErrFormat) || !strings.Contains(err.Error(), "my.csv, "+c.line)) {
			t.Errorf("InOrder(%q, %q) = %v, want an error of %q", c.layouts, c.cells, err, c.line)
		}
	}
}
