package importer_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio/importer"
)

func TestRows_CellsAndLines(t *testing.T) {
	row := func(line int, cells ...string) importer.Row { return importer.Row{Line: line, Cells: cells} }
	for _, c := range []struct {
		name, text string
		want       []importer.Row
	}{
		{"plain", "a,b\n1,2\n", []importer.Row{row(1, "a", "b"), row(2, "1", "2")}},
		{"no newline at the end", "a,b\n1,2", []importer.Row{row(1, "a", "b"), row(2, "1", "2")}},
		{"Windows' line ends", "a,b\r\n1,2\r\n", []importer.Row{row(1, "a", "b"), row(2, "1", "2")}},
		{"line ends of old Macs", "a,b\r1,2\r", []importer.Row{row(1, "a", "b"), row(2, "1", "2")}},
		{"ragged", "a\n1,2,3\n", []importer.Row{row(1, "a"), row(2, "1", "2", "3")}},
		{"blank lines do not count and are counted", "a,b\n\n \n1,2\n", []importer.Row{row(1, "a", "b"), row(4, "1", "2")}},
		{"empty cells are a row", ",,\n", []importer.Row{row(1, "", "", "")}},
		{"quoted", `"a,b","c ""d"""` + "\n", []importer.Row{row(1, "a,b", `c "d"`)}},
		{"a newline in quotes", "\"a\r\nb\",c\nd\n", []importer.Row{row(1, "a\nb", "c"), row(3, "d")}},
		{"blanks around quotes", ` "a" , "b"` + "\n", []importer.Row{row(1, "a", "b")}},
		{"an empty quoted cell", `"",x` + "\n", []importer.Row{row(1, "", "x")}},
		{"a mark within a plain cell", `5" pipe,x` + "\n", []importer.Row{row(1, `5" pipe`, "x")}},
		{"text after a closing mark", "\"Date downloaded\" 12/31/2021,x\n", []importer.Row{row(1, "Date downloaded 12/31/2021", "x")}},
		{"the separator is said in the first line", "sep=;\na;b,c\n", []importer.Row{row(2, "a", "b,c")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			comma := ','
			if strings.HasPrefix(c.text, "sep=") {
				comma = 0
			}
			got, err := importer.File{Text: c.text}.Rows(comma)
			if d := cmp.Diff(c.want, got); d != "" || err != nil {
				t.Errorf("Rows(%q), %v (-want +got):\n%s", c.text, err, d)
			}
		})
	}
}

func TestRows_MarksThatDoNotMatchNameTheirLine(t *testing.T) {
	for _, text := range []string{"a\nb\n\"c,d\ne\n", "a\nb\n\"c\" d\",e\n"} {
		_, err := importer.File{Name: "x.csv", Text: text}.Rows(',')
		if !errors.Is(err, importer.ErrQuote) || !strings.Contains(err.Error(), "x.csv, line 3") {
			t.Errorf("Rows(%q) = %v, want ErrQuote of line 3", text, err)
		}
	}
	rows, err := importer.File{Text: `"the "big" one",x` + "\n"}.RowsWith(importer.TableOptions{Comma: ',', Lazy: true})
	if err != nil || len(rows) != 1 || rows[0].Cells[0] != `the "big" one` {
		t.Errorf("lazily: %v, %v; want the marks within as text", rows, err)
	}
}

func TestRows_SizesAreBounded(t *testing.T) {
	for name, text := range map[string]string{
		"cells": strings.Repeat(",", 5000), "row": strings.Repeat("a", 1<<20) + ",b\n" + "x", "quote": `"` + strings.Repeat("a", 2<<20),
	} {
		if _, err := (importer.File{Text: text}).Rows(','); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := (importer.File{Text: "a"}).Rows('"'); err == nil {
		t.Error("separated by quotation marks: no error")
	}
}

func TestSeparator_IsThatOfTheTable(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       rune
	}{
		{"commas", "a,b,c\n1,2,3\n", ','},
		{"decimal commas", "Datum;Betrag;Kurs\n01.01.2024;1,50;2,50\n02.01.2024;1,51;2,52\n", ';'},
		{"as many decimal commas", "a;b\n1,5;2\n3,5;4\n", ';'},
		{"prose above", "Account of A, B and C\nas of today, noon\na;b;c;d\n1;2;3;4\n", ';'},
		{"tabs", "a\tb,c\n1\t2,5\n", '\t'},
		{"bars", "a|b\n1|2\n", '|'},
		{"within quotes", "\"a;b;c;d\",\"e\"\n\"1;2;3;4\",\"5\"\n", ','},
		{"an inch", "5\" pipe;2;3\n1;2;3\n", ';'},
		{"one column", "a\n1\n", ','},
		{"said", "sep=|\na,b,c\n", '|'},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (importer.File{Text: c.text}).Separator(); got != c.want {
				t.Errorf("Separator() = %q, want %q", got, c.want)
			}
		})
	}
}

func TestFind_TheHeaderIsTheFirstRowWithAllColumns(t *testing.T) {
	rows, err := importer.File{Text: "My account,Date\n\n\uFEFFDate , AMOUNT,Name,Amount,\n2024,5,x,6\n1\n"}.Rows(',')
	if err != nil {
		t.Fatal(err)
	}
	table, found := importer.FindTable(rows, "date", "amount")
	if !found || table.Header.Line != 3 || len(table.Preamble) != 1 || len(table.Rows) != 2 {
		t.Fatalf("Find = %+v, %v; want the header in line 3", table, found)
	}
	first, second := table.Rows[0], table.Rows[1]
	for _, c := range []struct{ what, got, want string }{
		{"Amount", table.Cell(first, "Amount"), "5"}, {"amount, second", table.CellAt(first, "amount", 1), "6"},
		{"amount, third", table.CellAt(first, "amount", 2), ""}, {"date of a short row", table.Cell(second, "date"), "1"},
		{"name of a short row", table.Cell(second, "name"), ""}, {"no such column", table.Cell(first, "isin"), ""},
	} {
		if c.got != c.want {
			t.Errorf("%s = %q, want %q", c.what, c.got, c.want)
		}
	}
	if table.Has("isin") || !table.Has("NAME") || table.Index("name") != 2 || table.Index("isin") != -1 {
		t.Error("Has and Place do not say what the header has")
	}
	if _, found := importer.FindTable(rows, "date", "isin"); found {
		t.Error("Find of a column that there is not = true")
	}
}

func TestRow_TextIsForPeople(t *testing.T) {
	got := importer.Row{Cells: []string{"a\x1b[31m", "b\n\n\tc", "\u202Ed", strings.Repeat("é", 200)}}.Text()
	if n := len([]rune(got)); n != 120 || !strings.HasPrefix(got, "a [31m, b c, d, é") || !strings.HasSuffix(got, "é…") {
		t.Errorf("Text() = %q of %d characters", got, n)
	}
}

// A row takes more memory than its text, and no export has a million rows.
func TestRows_MoreThanAnyBrokerWritesAreRefused(t *testing.T) {
	const most = importer.MaxRows
	f := importer.File{Name: "many.csv", Text: strings.Repeat("a,b\n", most)}
	if rows, err := f.Rows(','); err != nil || len(rows) != most {
		t.Errorf("Rows of %d lines = %d rows, %v", most, len(rows), err)
	}
	f.Text += "a,b\n"
	if _, err := f.Rows(','); !errors.Is(err, importer.ErrTooLarge) || !strings.Contains(err.Error(), "line 1048577") {
		t.Errorf("Rows of one line more: %v, want ErrTooLarge with the line", err)
	}
	f.Text = strings.Repeat("\r\n\r", most) + "a,b"
	rows, err := f.Rows(',')
	if err != nil || len(rows) != 1 || rows[0].Line != 2*most+1 {
		t.Errorf("Rows below %d blank lines = %v, %v; want the one row", 2*most, rows, err)
	}
}

func TestCounter_EqualLinesHaveNumbersOfTheirOwn(t *testing.T) {
	var c importer.FingerprintCounter
	a, b, other := c.ID([]string{"x", "yz"}), c.ID([]string{" x", "yz "}), c.ID([]string{"xy", "z"})
	if a == other || b != a+"-2" || len(a) != 16 {
		t.Errorf("IDs %s, %s, %s; want one, the same with -2, and another", a, b, other)
	}
	if again := new(importer.FingerprintCounter).ID([]string{"x", "yz"}); again != a {
		t.Errorf("another file gives %s, want %s", again, a)
	}
}

func FuzzRows(f *testing.F) {
	for _, text := range []string{"a,b\n\"c\nd\",e\r\n", "sep=;\na;b", "\"a\" ,\"b\"\"c\"\n", "\"", ",\n", "a|b\r"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, lazy := range []bool{false, true} {
			rows, err := importer.File{Text: text}.RowsWith(importer.TableOptions{Lazy: lazy})
			if err != nil {
				continue
			}
			lines := 1 + strings.Count(strings.ReplaceAll(text, "\r\n", "\n"), "\n") + strings.Count(text, "\r") - strings.Count(text, "\r\n")
			last := 0
			for _, row := range rows {
				if row.Line <= last || row.Line > lines || len(row.Cells) == 0 {
					t.Fatalf("row %+v after line %d of %d", row, last, lines)
				}
				last = row.Line
			}
			importer.FindTable(rows, "a", "b")
		}
	})
}

// The table is as wide as brokers' tables; time must grow linearly with n.
func BenchmarkRows(b *testing.B) {
	for _, mb := range []int{4, 8, 16} {
		b.Run(fmt.Sprintf("%dMB", mb), func(b *testing.B) {
			line := "2024-01-05,buy,ACM,US00000ACM14,\"ACME CORP, COMMON\",100,10.54,\"1,054.00\",USD,1.00,trade-1234567\n"
			text := strings.Repeat(line, mb<<20/len(line))
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				rows, err := importer.File{Text: text}.Rows(0)
				if err != nil || len(rows) == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestFind_LooksAtTheFirstHundredRowsOnly(t *testing.T) {
	for above, want := range map[int]bool{0: true, 99: true, 100: false} {
		rows := append(make([]importer.Row, above), importer.Row{Line: above + 1, Cells: []string{"Date", "Amount"}})
		if _, got := importer.FindTable(rows, "date", "amount"); got != want {
			t.Errorf("Find of a header below %d rows = %v, want %v", above, got, want)
		}
	}
}
