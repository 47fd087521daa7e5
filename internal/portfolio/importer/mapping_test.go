package importer_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
)

func mappedFile(text string) importer.File { return importer.File{Name: "own.csv", Text: text} }

// mappedGermanFile is a file as German banks write it: semicolons, decimal commas, negative costs,
// and amounts after costs.
const mappedGermanFile = `Kontoauszug; Depot 1

Datum;Typ;ISIN;Bezeichnung;Anzahl;Kurs;Betrag;Währung;Gebühr;Steuer;Ordernummer
15.01.2024;Kauf;US00000ACM14;ACME CORP;10;1.020,50;-10.206,90;EUR;-1,90;;A1
20.02.2024;Verkauf;US00000ACM14;ACME CORP;-4;1.100,00;4.350,00;EUR;-10,00;-40,00;A2
01.03.2024;Dividende;US00000ACM14;ACME CORP;6;0,50;2,25;EUR;;-0,75;A3
02.03.2024;Einzahlung;;;;;500,00;EUR;;;A4
03.03.2024;Depotgebühr;;;;;-5,00;EUR;;;A5
`

// formatMapped formats a transaction on one line.
func formatMapped(x portfolio.Transaction) string {
	parts := []string{x.Date.Format(time.DateOnly), x.Account, string(x.Kind)}
	for _, word := range []string{string(x.Symbol), x.Currency} {
		if word != "" {
			parts = append(parts, word)
		}
	}
	for _, n := range []struct {
		label string
		value decimal.Decimal
	}{{"quantity", x.Quantity}, {"amount", x.Amount}, {"fee", x.Fee}, {"tax", x.Tax}} {
		if !n.value.IsZero() {
			parts = append(parts, n.label+"="+n.value.String())
		}
	}
	if x.CostUnknown {
		parts = append(parts, "cost-unknown")
	}
	return strings.Join(parts, " ")
}

func readMapped(t testing.TB, text string, m importer.Mapping, o importer.Options) importer.Statement {
	t.Helper()
	s, err := importer.ReadMapped(mappedFile(text), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func formatAllMapped(s importer.Statement) []string {
	var out []string
	for _, e := range s.Entries {
		out = append(out, formatMapped(e.Transaction))
	}
	return out
}

// Before costs: 10206.90 - 1.90 = 10205 = 10 x 1020.50; 4350 + 10 + 40 = 4400 =
// 4 x 1100; 2.25 + 0.75 = 3 = 6 x 0.50.
func TestGuess_AFileThatProvesEverythingIsReadAtOnce(t *testing.T) {
	m, doubts := importer.GuessMapping(mappedFile(mappedGermanFile), importer.Corrections{})
	if len(doubts) != 0 {
		t.Fatalf("doubts %q, want none", doubts)
	}
	want := importer.Mapping{
		Separator: ";", Skip: 2, Decimal: ",", Date: "DD.MM.YYYY",
		Columns:    importer.MappingColumns{Date: "Datum", Kind: "Typ", ISIN: "ISIN", Name: "Bezeichnung", Quantity: "Anzahl", Price: "Kurs", Amount: "Betrag", Currency: "Währung", Fee: "Gebühr", Tax: "Steuer", ID: "Ordernummer"},
		Kinds:      map[string]string{"Kauf": "buy", "Verkauf": "sell", "Dividende": "dividend", "Einzahlung": "deposit", "Depotgebühr": "fee"},
		Quantities: importer.NumbersSigned, Amounts: importer.NumbersSigned, Costs: importer.CostsNegative, Totals: importer.TotalsNet,
	}
	if d := cmp.Diff(want, m); d != "" {
		t.Errorf("mapping (-want +got):\n%s", d)
	}
	m.Name = "mybank"
	s := readMapped(t, mappedGermanFile, m, importer.Options{Account: "a"})
	entries := []string{
		"2024-01-15 a buy US00000ACM14 EUR quantity=10 amount=10205 fee=1.9",
		"2024-02-20 a sell US00000ACM14 EUR quantity=4 amount=4400 fee=10 tax=40",
		"2024-03-01 a dividend US00000ACM14 EUR amount=3 tax=0.75",
		"2024-03-02 a deposit EUR amount=500",
		"2024-03-03 a fee EUR amount=5",
	}
	if d := cmp.Diff(entries, formatAllMapped(s)); d != "" || len(s.Problems) != 0 {
		t.Errorf("problems %v, entries (-want +got):\n%s", s.Problems, d)
	}
	if x := s.Entries[0].Transaction; x.Source != "mybank" || x.SourceID != "A1" {
		t.Errorf("source %s, number %s; want mybank, A1", x.Source, x.SourceID)
	}
}

func TestGuess_WhatIsNotProvenStaysOpen(t *testing.T) {
	text := "Date,Type,Symbol,Quantity,Price,Amount,Fee\n01/02/2024,Buy,ACM,10,5,50,1\n03/04/2024,Frobnicate,ACM,1,5,5,1\n"
	m, doubts := importer.GuessMapping(mappedFile(text), importer.Corrections{})
	for _, want := range []string{"date:", "decimal:", `kinds: the meaning of "Frobnicate"`} {
		found := false
		for _, doubt := range doubts {
			found = found || strings.HasPrefix(doubt, want)
		}
		if !found {
			t.Errorf("no doubt begins %q: %q", want, doubts)
		}
	}
	m.Name = "own"
	if _, err := importer.ReadMapped(mappedFile(text), m, importer.Options{Account: "a"}); err == nil || !strings.Contains(err.Error(), "set ") {
		t.Errorf("read with open doubts: %v, want them named", err)
	}
	m.Date, m.Decimal, m.Quantities, m.Amounts, m.Costs, m.Totals = "DD/MM/YYYY", ".", importer.NumbersUnsigned, importer.NumbersUnsigned, importer.CostsPositive, importer.TotalsGross
	m.Kinds["Frobnicate"] = importer.MeaningIgnore
	s := readMapped(t, text, m, importer.Options{Account: "a", Currency: "USD"})
	if d := cmp.Diff([]string{"2024-02-01 a buy ACM USD quantity=10 amount=50 fee=1"}, formatAllMapped(s)); d != "" || len(s.Ignored) != 1 {
		t.Errorf("ignored %v, entries (-want +got):\n%s", s.Ignored, d)
	}
}

func TestGuess_SignedAmountsWithoutADecimalSeparator(t *testing.T) {
	f := mappedFile("Date,Type,Symbol,Quantity,Price,Amount\n2024-01-02,Grant,AAPL,1,\"1,234\",\"1,234\"\n")
	m, questions := importer.GuessMapping(f, importer.Corrections{Fields: map[string]string{"amounts": importer.NumbersSigned}})
	if m.Decimal != "" || len(questions) == 0 {
		t.Errorf("decimal %q, questions %q", m.Decimal, questions)
	}
}

func TestGuess_DatesWithTimes(t *testing.T) {
	for cell, want := range map[string]string{
		"2024-01-31 09:30:00": "YYYY-MM-DD HH:mm:ss", "2024-01-31T09:30:00Z": "YYYY-MM-DDTHH:mm:ssZ", "31.01.2024 09:30": "DD.MM.YYYY HH:mm",
		"1/31/2024": "MM/DD/YYYY", "20240131": "YYYYMMDD", "2024-01-31T09:30:00.123+02:00": "YYYY-MM-DDTHH:mm:ssZ",
	} {
		m, _ := importer.GuessMapping(mappedFile("Date;Type;Amount\n"+cell+";Deposit;1.50\n"), importer.Corrections{})
		if m.Date != want {
			t.Errorf("dates like %s are %q, want %q", cell, m.Date, want)
		}
	}
}

func TestMapping_SurvivesJSON(t *testing.T) {
	m, _ := importer.GuessMapping(mappedFile(mappedGermanFile), importer.Corrections{})
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var again importer.Mapping
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(m, again); d != "" {
		t.Errorf("after JSON (-want +got):\n%s", d)
	}
}

// plainMapping returns a mapping for the small tables below.
func plainMapping() importer.Mapping {
	return importer.Mapping{
		Name: "own", Separator: ",", Decimal: ".", Date: "YYYY-MM-DD",
		Columns: importer.MappingColumns{Date: "d", Kind: "k", Symbol: "s", Quantity: "q", Price: "p", Amount: "a", Currency: "c", Fee: "f", FeeCurrency: "fc"},
		Kinds: map[string]string{
			"buy": "buy", "sell": "sell", "in": "transfer_in", "out": "transfer_out", "div": "dividend", "move": importer.MeaningTrade, "pay": importer.MeaningCash,
			"cost": importer.MeaningCharge, "levy": importer.MeaningLevy, "waived": "fee_refund", "charge": "fee",
		},
		Quantities: importer.NumbersSigned, Amounts: importer.NumbersSigned, Costs: importer.CostsPositive, Totals: importer.TotalsGross,
	}
}

func TestMapped_LineByLine(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"the amount is reckoned where the file has none", "2024-01-02,buy,ACM,3,7.5,,USD,1,", "2024-01-02 a buy ACM USD quantity=3 amount=22.5 fee=1"},
		{"a fee in another currency stands alone", "2024-01-02,buy,ACM,3,7.5,-22.50,USD,1,CHF", "2024-01-02 a buy ACM USD quantity=3 amount=22.5; 2024-01-02 a fee ACM CHF amount=1"},
		{"a trade by the sign of its quantity", "2024-01-02,move,ACM,-3,7.5,22.5,USD,,", "2024-01-02 a sell ACM USD quantity=3 amount=22.5"},
		{"a payment by its sign", "2024-01-02,pay,,,,-9,USD,,", "2024-01-02 a withdrawal USD amount=9"},
		{"a fee by its sign", "2024-01-02,cost,,,,-9,USD,,", "2024-01-02 a fee USD amount=9"},
		{"a fee given back, by its sign", "2024-01-02,cost,,,,9,USD,,", "2024-01-02 a fee_refund USD amount=9"},
		{"a tax by its sign", "2024-01-02,levy,ACM,,,-1.5,USD,,", "2024-01-02 a tax ACM USD amount=1.5"},
		{"a fee of no sign", "2024-01-02,cost,,,,,USD,,", "! cannot tell deposits from withdrawals"},
		{"a fee that brought money", "2024-01-02,charge,,,,9,USD,,", "! fee with an amount of 9"},
		{"a tax of a security that was given back", "2024-01-02,levy,ACM,,,1.5,USD,,", "2024-01-02 a tax_refund ACM USD amount=1.5"},
		{"a word for what was given back", "2024-01-02,waived,,,,9,USD,,", "2024-01-02 a fee_refund USD amount=9"},
		{"what was given back goes the other way", "2024-01-02,waived,,,,-9,USD,,", "! fee_refund with an amount of -9"},
		{"a fee in another currency that cannot be", "2024-01-02,buy,ACM,3,7.5,-22.50,USD,0.0000000000000000001,CHF", "! amount has an exponent"},
		{"a dividend a share", "2024-01-02,div,ACM,10,0.24,,USD,,", "2024-01-02 a dividend ACM USD amount=2.4"},
		{"shares whose cost nobody says", "2024-01-02,in,ACM,10,,,USD,,", "2024-01-02 a transfer_in ACM quantity=10 cost-unknown"},
		{"shares that left", "2024-01-02,out,ACM,-10,5,,USD,,", "2024-01-02 a transfer_out ACM quantity=10"},
		{"a rounded amount", "2024-01-02,buy,ACM,0.333333,30.00,-10.00,USD,,", "2024-01-02 a buy ACM USD quantity=0.333333 amount=10"},
		{"an amount without cents", "2024-01-02,buy,ACM,3,333.4,-1000,JPY,,", "2024-01-02 a buy ACM.T JPY quantity=3 amount=1000"},
		{"a currency sign in a cell", "2024-01-02,pay,,,,€9.50,,,", "2024-01-02 a deposit EUR amount=9.5"},
		{"numbers that contradict", "2024-01-02,buy,ACM,3,7.5,-23.50,USD,,", "! 3 at 7.5 is 22.5, not 23.5"},
		{"a purchase with a negative quantity", "2024-01-02,buy,ACM,-3,7.5,-22.5,USD,,", "! buy with a quantity of -3"},
		{"a purchase that brought money", "2024-01-02,buy,ACM,3,7.5,22.5,USD,,", "! buy with an amount of 22.5"},
		{"a dividend taken back", "2024-01-02,div,ACM,,,-5,USD,,", "! dividend with an amount of -5"},
		{"a fee that was paid back", "2024-01-02,buy,ACM,3,7.5,-22.5,USD,-1,", "! cost of -1"},
		{"no currency", "2024-01-02,buy,ACM,3,7.5,-22.5,,,", "! no currency"},
		{"two currencies", "2024-01-02,pay,,,,€9.50,USD,,", "! a is in EUR, but the line is in USD"},
		{"a date of another form", "02.01.2024,pay,,,,9,USD,,", "! date"},
		{"a word nobody explained", "2024-01-02,bonus,,,,9,USD,,", `! "bonus" has no meaning`},
		{"a purchase of nothing", "2024-01-02,buy,,3,7.5,,USD,,", "! "},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := readMapped(t, "d,k,s,q,p,a,c,f,fc\n"+c.line+"\n", plainMapping(), importer.Options{Account: "a"})
			got := strings.Join(formatAllMapped(s), "; ")
			for _, p := range s.Problems {
				got += "! " + p.Reason
			}
			if want, problem := strings.CutPrefix(c.want, "! "); problem && (len(s.Entries) > 0 || !strings.Contains(got, want)) || !problem && got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.line, got, c.want)
			}
		})
	}
}

func TestMapped_EqualLinesAreTwoAndKeepTheirNumbers(t *testing.T) {
	text := "d,k,s,q,p,a,c,f,fc\n2024-01-02,pay,,,,9,USD,,\n2024-01-02,pay,,,,9,USD,,\n"
	first, again := readMapped(t, text, plainMapping(), importer.Options{Account: "a"}), readMapped(t, text, plainMapping(), importer.Options{Account: "a"})
	if len(first.Entries) != 2 || first.Entries[0].Transaction.SourceID == first.Entries[1].Transaction.SourceID {
		t.Fatalf("entries %+v, want two with numbers of their own", first.Entries)
	}
	if d := cmp.Diff(first, again); d != "" {
		t.Errorf("the second reading (-first +second):\n%s", d)
	}
}

// 23:30 in New York is the next day in Berlin.
func TestMapped_TheDayIsTheAccounts(t *testing.T) {
	m := plainMapping()
	m.Date, m.Zone = "YYYY-MM-DD HH:mm", "America/New_York"
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	s := readMapped(t, "d,k,s,q,p,a,c,f,fc\n2024-01-02 23:30,pay,,,,9,USD,,\n", m, importer.Options{Account: "a", Zone: berlin})
	x := s.Entries[0].Transaction
	if got, want := x.Date.Format(time.DateOnly), "2024-01-03"; got != want {
		t.Errorf("date %s, want %s", got, want)
	}
	if want := time.Date(2024, 1, 3, 4, 30, 0, 0, time.UTC); !x.Time.Equal(want) {
		t.Errorf("time %s, want %s", x.Time, want)
	}
}

func TestMapped_AFileWithoutItsColumnsIsOfAnotherFormat(t *testing.T) {
	_, err := importer.ReadMapped(mappedFile("date,amount\n2024-01-02,5\n"), plainMapping(), importer.Options{Account: "a"})
	if !errors.Is(err, importer.ErrFormat) || !strings.Contains(err.Error(), `"d"`) {
		t.Errorf("%v, want ErrFormat that names the column d", err)
	}
}

func TestMapped_TheAccountIsTheUsersOrTheFilesOrTheFixedOne(t *testing.T) {
	m := plainMapping()
	m.Columns.Account, m.Fixed = "acc", importer.MappingFixed{Account: "fixed", Kind: importer.MeaningCash, Currency: "CHF"}
	text := "d,k,s,q,p,a,c,f,fc,acc\n2024-01-02,,,,,9,,,,theirs\n2024-01-02,,,,,8,,,,\n"
	for _, c := range []struct {
		account string
		want    []string
	}{
		{"", []string{"2024-01-02 theirs deposit CHF amount=9", "2024-01-02 fixed deposit CHF amount=8"}},
		{"mine", []string{"2024-01-02 mine deposit CHF amount=9", "2024-01-02 mine deposit CHF amount=8"}},
	} {
		if d := cmp.Diff(c.want, formatAllMapped(readMapped(t, text, m, importer.Options{Account: c.account}))); d != "" {
			t.Errorf("with the account %q (-want +got):\n%s", c.account, d)
		}
	}
}

func TestMapped_DirectionsThatNothingTells(t *testing.T) {
	m := plainMapping()
	m.Quantities, m.Amounts = importer.NumbersUnsigned, importer.NumbersUnsigned
	s := readMapped(t, "d,k,s,q,p,a,c,f,fc\n2024-01-02,move,ACM,3,7.5,22.5,USD,,\n2024-01-02,pay,,,,9,USD,,\n", m, importer.Options{Account: "a"})
	if len(s.Entries) != 0 || len(s.Problems) != 2 {
		t.Errorf("entries %v, problems %v; want two problems", formatAllMapped(s), s.Problems)
	}
	m.Amounts = importer.NumbersSigned
	s = readMapped(t, "d,k,s,q,p,a,c,f,fc\n2024-01-02,move,ACM,3,7.5,-22.5,USD,,\n", m, importer.Options{Account: "a"})
	if d := cmp.Diff([]string{"2024-01-02 a buy ACM USD quantity=3 amount=22.5"}, formatAllMapped(s)); d != "" {
		t.Errorf("by the sign of the amount (-want +got):\n%s", d)
	}
}

func TestMapped_ReadsButTakesNoFileForItsOwn(t *testing.T) {
	f := importer.MappedFormat(plainMapping())
	text := mappedFile("d\tk\ts\tq\tp\ta\tc\tf\tfc\n2024-01-02\tpay\t\t\t\t9\tUSD\t\t\n")
	if f.Name != "own" || f.Recognizes(text) {
		t.Errorf("%s recognizes a file, want own and none", f.Name)
	}
	if _, err := f.Read(text, importer.Options{Account: "a"}); !errors.Is(err, importer.ErrFormat) {
		t.Errorf("tabs read as commas: %v, want ErrFormat", err)
	}
	m := plainMapping()
	m.Separator = "tab"
	s, err := importer.MappedFormat(m).Read(text, importer.Options{Account: "a"})
	if err != nil || len(s.Entries) != 1 {
		t.Errorf("%+v, %v; want one entry", s, err)
	}
}

func TestGuess_AFileWithoutATable(t *testing.T) {
	for _, text := range []string{"", "hello\n", "\"a\n"} {
		if _, doubts := importer.GuessMapping(mappedFile(text), importer.Corrections{}); len(doubts) == 0 {
			t.Errorf("Guess(%q) has no doubts", text)
		}
	}
}

func TestMapping_WrongValuesAreAllNamed(t *testing.T) {
	m := plainMapping()
	m.Name, m.Decimal, m.Date, m.Zone, m.Separator, m.Costs = " ", ";", "YYYY-QQ", "Atlantis/City", "::", "maybe"
	m.Kinds["split"] = "split"
	m.Fixed.Currency = "euro"
	err := m.Validate()
	for _, want := range []string{"name", "decimal", "YYYY-QQ", "Atlantis", "separator", "costs", "kinds.split", "fixed.currency"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want it to name %s", err, want)
		}
	}
}

func TestPreview_ShowsLinesBesideWhatTheyBecome(t *testing.T) {
	m, _ := importer.GuessMapping(mappedFile(mappedGermanFile), importer.Corrections{})
	m.Name = "mybank"
	delete(m.Kinds, "Verkauf")
	got, err := importer.PreviewMapped(mappedFile(mappedGermanFile), m, importer.Options{Account: "a"}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || len(got[0].Entries) != 1 || got[0].Row.Line != 4 || got[1].Problem == "" || len(got[1].Entries) != 0 || len(got[2].Entries) != 1 {
		t.Errorf("preview %+v, want an entry, a problem and an entry from line 4", got)
	}
}

func FuzzMapped(f *testing.F) {
	f.Add(mappedGermanFile)
	f.Add("d,k,s,q,p,a,c,f,fc\n2024-01-02,buy,ACM,3,7.5,-22.5,USD,1,CHF\n")
	f.Add("sep=;\nDate;Type;Amount\n1/31/2024;Deposit;1.5e9\n")
	f.Fuzz(func(t *testing.T, text string) {
		guessed, _ := importer.GuessMapping(mappedFile(text), importer.Corrections{})
		guessed.Name = "fuzz"
		for _, m := range []importer.Mapping{guessed, plainMapping()} {
			s, err := importer.ReadMapped(mappedFile(text), m, importer.Options{Account: "a", Currency: "USD"})
			if err != nil {
				continue
			}
			rows, _ := mappedFile(text).Rows(map[string]rune{"tab": '\t', ";": ';', "|": '|', ",": ','}[m.Separator])
			below := 0
			for _, row := range rows {
				if row.Line > m.Skip && !row.Empty() {
					below++
				}
			}
			named := map[int]bool{}
			for _, e := range s.Entries {
				named[e.Lines[0]] = true
				x := e.Transaction
				x.ID = "1"
				if err := x.Validate(); err != nil {
					t.Errorf("line %v: %v", e.Lines, err)
				}
			}
			for _, r := range append(s.Problems, s.Ignored...) {
				named[r.Line] = true
			}
			if len(named) < below-1 {
				t.Errorf("%d of %d lines are named", len(named), below-1)
			}
		}
	})
}

// C37: layouts of public samples, with values of our own.
func TestGuess_LayoutsOfPublicSamples(t *testing.T) {
	for _, tc := range []struct {
		name, text  string
		corrections map[string]string
		want        []string
		questions   int
	}{
		{name: "ISINs by their cells, and a similar word", text: `Transaction Time (CET),Transaction Type,Transaction Amount,Transaction Currency,Asset Id,Asset Name,Asset Quantity,Asset Price
2023-03-20 10:00:00.000000,Sepa Deposit,600,EUR,,,,
2023-03-21 13:37:29.383000,Buy Trade,-542.92,EUR,NL0011821202,ING,49,11.08
2023-05-05 11:38:06.646000,Cash Dividend,16.4,EUR,NL0011821202,ING,,
`, want: []string{"2023-03-20 a deposit EUR amount=600", "2023-03-21 a buy NL0011821202 EUR quantity=49 amount=542.92", "2023-05-05 a dividend NL0011821202 EUR amount=16.4"}},
		{name: "a word that a sign contradicts", text: `Data operazione,Tipo operazione,Isin,Quantità,Importo euro,Divisa
27-12-2024,Provento etf,IE00B2NPKV68,0,20.95,EUR
27-12-2024,Rit.provento etf,IE00B2NPKV68,0,-3.57,EUR
`, questions: 1},
		{name: "the currency of a column name, ISIN in a name, orders that were not executed", corrections: map[string]string{"date_format": "DD/MM/YY HH:mm:ss"}, text: `Security / ISIN,Transaction Type,Quantity,Share Price,Total Trade Value (GBP),Trade Date/Time,Status
Vanguard FTSE All-World / ISIN IE00BK5BQT80,Buy,2.5,£110.80,£277.00,23/12/24 15:18:12,Executed
Vanguard FTSE All-World / ISIN IE00BK5BQT80,Buy,2.5,£110.80,£277.00,24/12/24 15:18:12,Cancelled
`, want: []string{"2024-12-23 a buy IE00BK5BQT80 GBP quantity=2.5 amount=277"}},
		{name: "German, with a sum below the table", text: `Buchungsdatum;Transaktionsart;Wertpapier;ISIN;Stück;Kurs;Betrag;Gebühren;Währung
15.01.2024;Kauf;Acme;US00000ACM14;10;1.172,50;-11.730,00;5,00;EUR
20.02.2024;Verkauf;Acme;US00000ACM14;-4;185,75;738,00;5,00;EUR
05.03.2024;Einzahlung;;;;;5.000,00;;EUR
Summe;;;;;;-5.992,00;;
`, want: []string{"2024-01-15 a buy US00000ACM14 EUR quantity=10 amount=11725 fee=5", "2024-02-20 a sell US00000ACM14 EUR quantity=4 amount=743 fee=5", "2024-03-05 a deposit EUR amount=5000"}},
		{name: "French without accents, where only withdrawals have a sign", text: `Releve de compte
Date d'operation;Operation;ISIN;Libelle;Quantite;Cours;Montant;Frais;Devise
15/01/2024;Achat;US00000ACM14;Acme;25;172,50;"4.312,50";0,99;EUR
05/03/2024;Retrait;;;;;"-1.200,00";;EUR
10/04/2024;Dividende;US00000ACM14;Acme;;;54,10;;EUR
Total mouvements: "13.754,20"
`, want: []string{"2024-01-15 a buy US00000ACM14 EUR quantity=25 amount=4312.5 fee=0.99", "2024-03-05 a withdrawal EUR amount=1200", "2024-04-10 a dividend US00000ACM14 EUR amount=54.1"}},
		{name: "Spanish", text: "Fecha;Operación;Valor;ISIN;Títulos;Precio;Importe;Comisión;Divisa\n15/01/2024;Compra;ACME;US00000ACM14;100;3,75;375,00;4,50;EUR\n20/02/2024;Venta;ACME;US00000ACM14;40;4,00;160,00;4,50;EUR\n",
			want: []string{"2024-01-15 a buy US00000ACM14 EUR quantity=100 amount=375 fee=4.5", "2024-02-20 a sell US00000ACM14 EUR quantity=40 amount=160 fee=4.5"}},
		{name: "Portuguese: valor is the amount", text: "Data;Tipo;Ativo;Quantidade;Preço;Valor;Corretagem;Moeda\n15/01/2024;Compra;ACME3;100;36,50;3.650,00;4,90;BRL\n20/02/2024;Venda;ACME3;40;38,00;1.520,00;4,90;BRL\n",
			want: []string{"2024-01-15 a buy ACME3.BRL BRL quantity=100 amount=3650 fee=4.9", "2024-02-20 a sell ACME3.BRL BRL quantity=40 amount=1520 fee=4.9"}},
		{name: "Polish", text: "Data;Typ;Walor;Liczba;Kurs;Wartość;Prowizja;Waluta\n2024-01-15;Kupno;ACM;100;48,50;4850,00;18,92;PLN\n2024-02-20;Sprzedaż;ACM;40;52,00;2080,00;8,11;PLN\n",
			want: []string{"2024-01-15 a buy ACM.WA PLN quantity=100 amount=4850 fee=18.92", "2024-02-20 a sell ACM.WA PLN quantity=40 amount=2080 fee=8.11"}},
		{name: "Chinese, with stamp duty", text: "成交日期,买卖标志,证券代码,证券名称,成交数量,成交价格,成交金额,手续费,印花税,币种\n2024-01-15,买入,600000,某公司,100,1650.00,165000.00,49.50,0.00,CNY\n2024-02-20,卖出,600000,某公司,100,1700.00,170000.00,51.00,85.00,CNY\n",
			want: []string{"2024-01-15 a buy 600000.CNY CNY quantity=100 amount=165000 fee=49.5", "2024-02-20 a sell 600000.CNY CNY quantity=100 amount=170000 fee=136"}},
		{name: "Japanese, grouped numbers", corrections: map[string]string{"decimal": "."}, text: "約定日,取引,銘柄コード,銘柄名,数量,単価,受渡金額,手数料,通貨\n2024/01/15,買付,7777,会社,100,\"2,850\",\"285,385\",385,JPY\n2024/02/20,売却,7777,会社,100,\"3,100\",\"309,615\",385,JPY\n",
			want: []string{"2024-01-15 a buy 7777.T JPY quantity=100 amount=285000 fee=385", "2024-02-20 a sell 7777.T JPY quantity=100 amount=310000 fee=385"}},
		{name: "payments received and made in two columns, types among descriptions", text: "Date,Description,Symbol,Quantity,Price,Debit,Credit,Balance,Currency\n2024-01-10,Deposit,,,,,5000.00,5000.00,USD\n2024-01-15,Buy,ACM,10,172.50,1725.00,,3275.00,USD\n2024-02-20,Sell,ACM,4,185.75,,743.00,4018.00,USD\n",
			want: []string{"2024-01-10 a deposit USD amount=5000", "2024-01-15 a buy ACM USD quantity=10 amount=1725", "2024-02-20 a sell ACM USD quantity=4 amount=743"}},
		{name: "values in the user's currency at a rate, prices and costs in that of the market", text: `Market,Code,Type,Date,Quantity,Price *,Brokerage *,Currency,Exchange Rate,Value
NASDAQ,ACM,Buy,20/09/2020,10,250,0,USD,1.3,1923.08
NASDAQ,ACM,Sell,21/11/2020,-5,300,0,USD,1.4,-1071.43
`, want: []string{"2020-09-20 a buy ACM GBP quantity=10 amount=1923.08", "2020-11-21 a sell ACM GBP quantity=5 amount=1071.43"}},
		{name: "several columns of costs", text: `Date,Type,Symbol,Quantity,Price,Amount,Currency,Commission,REG FEE,Withholding Tax
2021-10-25,Sell,COST,5,490.05,2449.24,USD,1.00,0.01,
2021-10-20,Buy,COST,5,400.00,-2001.00,USD,1.00,0.00,
2021-11-25,Dividend,BP,,,8.50,USD,,,1.50
`, want: []string{"2021-10-25 a sell COST USD quantity=5 amount=2450.25 fee=1.01", "2021-10-20 a buy COST USD quantity=5 amount=2000 fee=1", "2021-11-25 a dividend BP USD amount=10 tax=1.5"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, questions := importer.GuessMapping(mappedFile(tc.text), importer.Corrections{Fields: tc.corrections})
			if len(questions) != tc.questions {
				t.Fatalf("questions %q, want %d", questions, tc.questions)
			}
			if m.Name = "own"; tc.questions > 0 {
				return
			}
			s := readMapped(t, tc.text, m, importer.Options{Account: "a", Currency: "GBP"})
			if diff := cmp.Diff(tc.want, formatAllMapped(s)); diff != "" || len(s.Problems) > 0 {
				t.Errorf("problems %v, entries (-want +got):\n%s", s.Problems, diff)
			}
		})
	}
}

// C37: the currency next to a price and a rate is not used for amounts that are converted.
func TestGuess_ThePricesCurrencyIsNotThatOfConvertedAmounts(t *testing.T) {
	m, _ := importer.GuessMapping(mappedFile("Date,Type,Code,Quantity,Price,Currency,Exchange Rate,Value\n2020-09-20,Buy,ACM,10,250,USD,1.3,1923.08\n"), importer.Corrections{})
	if m.Columns.Rate == "" || m.Columns.Currency != "" {
		t.Errorf("columns = %+v, want the rate and no currency", m.Columns)
	}
}

func TestDecode_ChineseAndJapaneseTables(t *testing.T) {
	for name, tc := range map[string]struct {
		encoding encoding.Encoding
		text     string
	}{
		"GB18030":   {simplifiedchinese.GBK, "成交日期,买卖标志,证券代码,成交数量\n2024-01-15,买入,600000,100\n"},
		"Shift_JIS": {japanese.ShiftJIS, "約定日,取引,銘柄コード,数量\n2024/01/15,買付,7777,100\n"},
	} {
		raw, err := tc.encoding.NewEncoder().Bytes([]byte(tc.text))
		if err != nil {
			t.Fatal(err)
		}
		if f, err := importer.Decode("own.csv", raw); err != nil || f.Encoding != name || f.Text != tc.text {
			t.Errorf("%s is read as %s, %q, %v", name, f.Encoding, f.Text, err)
		}
	}
}
