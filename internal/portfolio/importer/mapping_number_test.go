package importer_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio/importer"
)

// Two fills of one order may have the same quantity and price: neither may be lost, and a duplicate
// line may not count twice.
func TestMapped_ANumberThatStandsTwiceIsAsked(t *testing.T) {
	m := plainMapping()
	m.Columns.ID = "id"
	text := "d,k,s,q,p,a,c,f,fc,id\n2024-01-02,buy,ACM,3,7.5,-22.5,USD,,,A1\n2024-01-02,buy,ACM,3,7.5,-22.5,USD,,,A1\n2024-01-02,buy,ACM,2,7.5,-15,USD,,,A1\n2024-01-02,buy,ACM,3,7.5,-22.5,USD,,,\n"
	s := readMapped(t, text, m, importer.Options{Account: "a"})
	if len(s.Entries) != 2 || len(s.Ignored) != 0 || len(s.Problems) != 2 || s.Problems[0].Line != 3 || s.Problems[1].Line != 4 || !strings.Contains(s.Problems[0].Reason, "number A1 as line 2") {
		t.Errorf("entries %v, problems %v, ignored %v; want the lines 3 and 4 asked about", formatAllMapped(s), s.Problems, s.Ignored)
	}
}

func TestGuess_NumbersOfOrdersAreNotThoseOfLines(t *testing.T) {
	const header = "Datum;Typ;ISIN;Anzahl;Kurs;Betrag;Währung;Ordernummer\n"
	const fill = "15.01.2024;Kauf;US00000ACM14;10;1.020,50;-10.205,00;EUR;A1\n"
	for _, c := range []struct{ name, lines, want string }{
		{"each its own", fill + strings.Replace(fill, "A1", "A2", 1), "Ordernummer"},
		{"fills of one order", fill + strings.ReplaceAll(strings.Replace(fill, "10.205,00", "2.041,00", 1), ";10;", ";2;"), ""},
		{"one line twice", fill + fill, "Ordernummer"},
	} {
		if m, _ := importer.GuessMapping(mappedFile(header+c.lines), importer.Corrections{}); m.Columns.ID != c.want {
			t.Errorf("%s: columns.id = %q, want %q", c.name, m.Columns.ID, c.want)
		}
	}
}

// A mapping by name cannot choose between two columns of that name.
func TestMapped_ColumnsOfOneNameMustSayTheSame(t *testing.T) {
	text := "d,k,s,q,p,c,a,c,f,fc\n2024-01-02,div,ACM,,,USD,9,EUR,,\n2024-01-03,div,ACM,,,USD,9,USD,,\n2024-01-04,div,ACM,,,USD,9,,,\n"
	s := readMapped(t, text, plainMapping(), importer.Options{Account: "a"})
	want := []string{"2024-01-03 a dividend ACM USD amount=9", "2024-01-04 a dividend ACM USD amount=9"}
	if diff := cmp.Diff(want, formatAllMapped(s)); diff != "" || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, `"USD" and "EUR"`) {
		t.Errorf("problems %v, entries (-want +got):\n%s", s.Problems, diff)
	}
}

func TestMapped_PenceBecomePoundsWhereTheLineProvesThem(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"price and amount in pence", "2024-01-02,buy,BP,10,546,-5460,GBX,,", "2024-01-02 a buy BP.L GBP quantity=10 amount=54.6"},
		{"by the name of the London exchange", "2024-01-02,buy,BP,10,546,-5460,GBp,,", "2024-01-02 a buy BP.L GBP quantity=10 amount=54.6"},
		{"no amount", "2024-01-02,buy,BP,10,546,,GBX,,", "2024-01-02 a buy BP.L GBP quantity=10 amount=54.6"},
		{"the amount in pounds", "2024-01-02,buy,BP,10,546,-54.60,GBX,,", ""},
		{"an amount alone", "2024-01-02,div,BP,,,54,GBX,,", ""},
		{"a fee that may be in pounds", "2024-01-02,buy,BP,10,546,-5460,GBX,5,", ""},
		{"a fee that says it is in pounds", "2024-01-02,buy,BP,10,546,-5460,GBX,5,GBP", "2024-01-02 a buy BP.L GBP quantity=10 amount=54.6 fee=5"},
		{"a fee that says it is in pence", "2024-01-02,buy,BP,10,546,-5460,GBX,500,GBX", ""},
		{"a fee in dollars", "2024-01-02,buy,BP,10,546,-5460,GBX,5,USD", "2024-01-02 a buy BP.L GBP quantity=10 amount=54.6; 2024-01-02 a fee BP.L USD amount=5"},
		{"a fee in pounds that proves nothing", "2024-01-02,buy,BP,10,546,-5960,GBX,5,GBP", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := readMapped(t, "d,k,s,q,p,a,c,f,fc\n"+c.line+"\n", plainMapping(), importer.Options{Account: "a"})
			if got := strings.Join(formatAllMapped(s), "; "); got != c.want || (c.want == "") != (len(s.Problems) == 1 && strings.Contains(s.Problems[0].Reason, "enter the line by hand in GBP")) {
				t.Errorf("%s = %q, problems %v; want %q", c.line, got, s.Problems, c.want)
			}
		})
	}
}

// A mapping's date and number formats apply to the whole file, or the file is rejected.
func TestMapped_AFileWrittenOtherwiseThanTheMappingSaysIsRefused(t *testing.T) {
	m := plainMapping()
	m.Date = "DD/MM/YYYY"
	for text, want := range map[string]string{
		"04/05/2024,pay,,,,9,USD,,\n04/13/2024,pay,,,,9,USD,,\n":               "04/13/2024",
		"04/05/2024,pay,,,,\"1,234\",USD,,\n05/05/2024,pay,,,,\"9,5\",USD,,\n": "9,5",
	} {
		s, err := importer.ReadMapped(mappedFile("d,k,s,q,p,a,c,f,fc\n"+text), m, importer.Options{Account: "a"})
		if !errors.Is(err, importer.ErrFormat) || !strings.Contains(err.Error(), want) {
			t.Errorf("Read = %v, %v; want ErrFormat that names %s", formatAllMapped(s), err, want)
		}
	}
}

// The amount before a fee or tax is higher than after it, for any kind of payment; otherwise the
// cost is deducted twice.
func TestMapped_AmountsAfterCostsAreOfAllKinds(t *testing.T) {
	m := plainMapping()
	m.Totals, m.Kinds["interest"], m.Kinds["out"] = importer.TotalsNet, "interest", "withdrawal"
	s := readMapped(t, "d,k,s,q,p,a,c,f,fc\n2024-01-02,interest,,,,9,USD,1,\n2024-01-03,pay,,,,99,USD,1,\n2024-01-04,out,,,,-51,USD,1,\n2024-01-05,div,ACM,,,9,USD,1,\n", m, importer.Options{Account: "a"})
	want := []string{
		"2024-01-02 a interest USD amount=10 fee=1", "2024-01-03 a deposit USD amount=100 fee=1",
		"2024-01-04 a withdrawal USD amount=50 fee=1", "2024-01-05 a dividend ACM USD amount=10 fee=1",
	}
	if diff := cmp.Diff(want, formatAllMapped(s)); diff != "" {
		t.Errorf("problems %v, entries (-want +got):\n%s", s.Problems, diff)
	}
}
