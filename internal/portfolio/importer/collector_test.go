package importer_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
)

func row(line int, cells ...string) importer.Row { return importer.Row{Line: line, Cells: cells} }

func deposit(amount int64) portfolio.Transaction {
	return portfolio.Transaction{
		Kind: portfolio.KindDeposit, Date: time.Date(2024, 1, 2, 0, 0, 0, 0, time.UTC), Currency: "USD", Amount: decimal.NewFromInt(amount),
	}
}

func TestCollector_NoLineDisappears(t *testing.T) {
	rows := []importer.Row{row(2, "a", "5"), row(3, "total", "5"), row(4, "forgotten"), row(5, "", " "), row(6, "odd")}
	c := importer.NewCollector("x", importer.Options{Account: "mine"})
	c.Problem(rows[4], "what is %s", "this")
	c.Ignore(rows[1], "a total")
	c.Add(deposit(5), "n1", rows[0])
	s := c.Statement(rows)
	want := importer.Statement{
		Format:   "x",
		Entries:  s.Entries,
		Problems: []importer.SkippedLine{{Line: 4, Text: "forgotten", Reason: "not understood"}, {Line: 6, Text: "odd", Reason: "what is this"}},
		Ignored:  []importer.SkippedLine{{Line: 3, Text: "total, 5", Reason: "a total"}},
	}
	if d := cmp.Diff(want, s); d != "" {
		t.Errorf("statement (-want +got):\n%s", d)
	}
	if x := s.Entries[0].Transaction; len(s.Entries) != 1 || x.Account != "mine" || x.Source != "x" || x.SourceID != "n1" || x.ID != "" {
		t.Errorf("entries %+v, want one of mine with the number n1", s.Entries)
	}
}

func TestCollector_ANumberCountsOnce(t *testing.T) {
	c := importer.NewCollector("x", importer.Options{Account: "mine"})
	c.Add(deposit(5), "n1", row(2))
	c.Add(deposit(5), "n1", row(3))
	c.Add(deposit(6), "n1", row(4))
	s := c.Statement(nil)
	if len(s.Entries) != 1 || s.Entries[0].Transaction.SourceID != "n1" {
		t.Errorf("entries %+v, want one", s.Entries)
	}
	if len(s.Ignored) != 1 || s.Ignored[0].Line != 3 || !strings.Contains(s.Ignored[0].Reason, "line 2") {
		t.Errorf("ignored %+v, want line 3 as the same as line 2", s.Ignored)
	}
	if len(s.Problems) != 1 || s.Problems[0].Line != 4 {
		t.Errorf("problems %+v, want line 4, which says something else", s.Problems)
	}
}

// Fills of one order may have its number, and equal quantities and amounts.
func TestCollector_TheSameAtAnotherTimeIsNotTheSame(t *testing.T) {
	at := func(minute int) portfolio.Transaction {
		x := deposit(5)
		x.Time = x.Date.Add(time.Duration(minute) * time.Minute)
		return x
	}
	c := importer.NewCollector("x", importer.Options{Account: "mine"})
	c.Add(at(1), "n1", row(2))
	c.Add(at(2), "n1", row(3))
	if s := c.Statement(nil); len(s.Entries) != 1 || len(s.Problems) != 1 || s.Problems[0].Line != 3 {
		t.Errorf("entries %+v, problems %+v; want line 3 to be a problem and not silently the same as line 2", s.Entries, s.Problems)
	}
}

func TestCollector_NumbersAreOfAnAccount(t *testing.T) {
	of := func(account string) portfolio.Transaction {
		x := deposit(5)
		x.Account = account
		return x
	}
	c := importer.NewCollector("x", importer.Options{})
	c.Add(of("mine"), "n1", row(2))
	c.Add(of("hers"), "n1", row(3))
	if s := c.Statement(nil); len(s.Entries) != 2 || len(s.Problems)+len(s.Ignored) != 0 {
		t.Errorf("entries %+v, problems %+v, ignored %+v; want one of each account", s.Entries, s.Problems, s.Ignored)
	}
}

func TestCollector_PenceAreNoCurrency(t *testing.T) {
	for _, code := range []string{"GBX", "ZAC", "ILA", "KWF"} {
		in := deposit(5)
		in.Currency = code
		to := deposit(5)
		to.Kind, to.ToCurrency, to.ToAmount = portfolio.KindExchange, code, decimal.NewFromInt(4)
		c := importer.NewCollector("x", importer.Options{Account: "mine"})
		c.Add(in, "n1", row(2))
		c.Add(to, "n2", row(3))
		if s := c.Statement(nil); len(s.Entries) != 0 || len(s.Problems) != 2 || !strings.Contains(s.Problems[0].Reason, code) {
			t.Errorf("entries %+v, problems %+v; want both lines refused for %s", s.Entries, s.Problems, code)
		}
	}
}

func TestCollector_WithoutNumbersEqualLinesAreTwo(t *testing.T) {
	c := importer.NewCollector("x", importer.Options{Account: "mine"})
	c.Add(deposit(5), "", row(2, "5"))
	c.Add(deposit(5), "", row(3, "5"))
	s := c.Statement(nil)
	if len(s.Entries) != 2 || s.Entries[0].Transaction.SourceID == s.Entries[1].Transaction.SourceID {
		t.Errorf("entries %+v, want two with numbers of their own", s.Entries)
	}
}

func TestCollector_WhatTheLedgerRefusesIsAProblem(t *testing.T) {
	c := importer.NewCollector("x", importer.Options{Account: "mine"})
	c.Add(deposit(0), "n1", row(2), row(3))
	s := c.Statement(nil)
	if len(s.Entries) != 0 || len(s.Problems) != 2 || !strings.Contains(s.Problems[0].Reason, "amount") || !c.Reported(row(3)) {
		t.Errorf("entries %+v, problems %+v; want both lines refused for the amount", s.Entries, s.Problems)
	}
}

// depositWithID returns one of several deposits on a line.
func depositWithID(name string, amount int64) portfolio.Transaction {
	t := deposit(amount)
	t.SourceID = name
	return t
}

func TestCollector_TransactionsOfOneLineAreAllOrNone(t *testing.T) {
	whole := []portfolio.Transaction{depositWithID("", 5), depositWithID("/tax", 6)}
	for _, c := range []struct {
		name              string
		made              [][]portfolio.Transaction
		entries           string
		problems, ignored int
	}{
		{"both", [][]portfolio.Transaction{whole}, "n1 n1/tax", 0, 0},
		{"the second is none", [][]portfolio.Transaction{{depositWithID("", 5), depositWithID("/tax", 0)}}, "", 1, 0},
		{"two of one name", [][]portfolio.Transaction{{depositWithID("/tax", 5), depositWithID("/tax", 6)}}, "", 1, 0},
		{"the same line twice", [][]portfolio.Transaction{whole, whole}, "n1 n1/tax", 0, 1},
		{"one of them says something else", [][]portfolio.Transaction{whole, {depositWithID("", 5), depositWithID("/tax", 7)}}, "n1 n1/tax", 1, 0},
		{"the first of them says something else", [][]portfolio.Transaction{whole, {depositWithID("", 7), depositWithID("/tax", 6)}}, "n1 n1/tax", 1, 0},
		{"one of them is new", [][]portfolio.Transaction{whole[:1], whole}, "n1", 1, 0},
		{"one of them is there", [][]portfolio.Transaction{whole, {depositWithID("/tax", 6), depositWithID("/fee", 1)}}, "n1 n1/tax", 1, 0},
		{"nothing", [][]portfolio.Transaction{nil}, "", 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			collector := importer.NewCollector("x", importer.Options{Account: "mine"})
			var rows []importer.Row
			for i, made := range c.made {
				rows = append(rows, row(i+2, "a"))
				collector.AddAll(made, "n1", rows[i])
			}
			s := collector.Statement(rows)
			var ids []string
			for _, e := range s.Entries {
				ids = append(ids, e.Transaction.SourceID)
			}
			if strings.Join(ids, " ") != c.entries || len(s.Problems) != c.problems || len(s.Ignored) != c.ignored {
				t.Errorf("entries %q, problems %v, ignored %v; want %q, %d and %d", ids, s.Problems, s.Ignored, c.entries, c.problems, c.ignored)
			}
		})
	}
	if whole[1].SourceID != "/tax" {
		t.Errorf("AddAll changed what it was given to %q", whole[1].SourceID)
	}
}

func TestCollector_WhatIsLeftOutIsIgnoredAndTheRestAProblem(t *testing.T) {
	c := importer.NewCollector("x", importer.Options{Account: "mine"})
	c.Skip(fmt.Errorf("line: %w", importer.IgnoreReason("a total")), row(2), row(3))
	c.Skip(errors.New("odd %s"), row(4), row(5))
	s := c.Statement(nil)
	want := importer.Statement{
		Format:   "x",
		Ignored:  []importer.SkippedLine{{Line: 2, Reason: "a total"}, {Line: 3, Reason: "a total"}},
		Problems: []importer.SkippedLine{{Line: 4, Reason: "odd %s"}, {Line: 5, Reason: "odd %s"}},
	}
	if d := cmp.Diff(want, s); d != "" {
		t.Errorf("statement (-want +got):\n%s", d)
	}
}

func TestTable_IsFoundByItsColumnsOrNamesThem(t *testing.T) {
	f := importer.File{Name: "my.csv", Text: "My account\nDate,Amount\n2024-01-01,5\n"}
	table, err := importer.ReadTable(f, "date", "amount")
	if err != nil || len(table.Rows) != 1 || !importer.HasTable(f, "amount") {
		t.Errorf("Table = %+v, %v; want one row, and Heads the same", table, err)
	}
	_, err = importer.ReadTable(f, "Date", "Price")
	if !errors.Is(err, importer.ErrFormat) || !strings.Contains(err.Error(), "Price") || !strings.Contains(err.Error(), "my.csv") || importer.HasTable(f, "Price") {
		t.Errorf("Table = %v, want ErrFormat that names the file and Price", err)
	}
	f.Text = "Date,\"Amount\n"
	if _, err = importer.ReadTable(f, "Date"); !errors.Is(err, importer.ErrFormat) || !errors.Is(err, importer.ErrQuote) {
		t.Errorf("Table = %v, want ErrFormat and ErrQuote", err)
	}
}

// Wherever the beginning of a large file is cut (within a line, within a quoted cell, or without
// any line at all), HasTable agrees with ReadTable.
func TestHasTable_OfALargeFileIsAsOfAll(t *testing.T) {
	for name, rest := range map[string]string{
		"lines":                 strings.Repeat("2024-01-01,5\n", 20_000),
		"one cell of many":      "2024-01-01,\"" + strings.Repeat("a line\n", 20_000) + "\"\n",
		"a line without an end": strings.Repeat("x", 200_000),
		"lines of old files":    strings.Repeat("2024-01-01,5\r", 20_000),
	} {
		for _, header := range []string{"Date,Amount\n", "Day,Amount\n"} {
			f := importer.File{Name: "large.csv", Text: header + rest}
			if name == "lines of old files" {
				f.Text = strings.ReplaceAll(f.Text, "\n", "\r")
			}
			_, err := importer.ReadTable(f, "Date", "Amount")
			if got := importer.HasTable(f, "Date", "Amount"); got != (err == nil) || got != strings.HasPrefix(header, "Date") {
				t.Errorf("%s below %q: Heads = %v, Table = %v; want the same", name, header, got, err)
			}
		}
	}
}

func TestCoin_IsItsPairWithTheDollar(t *testing.T) {
	for code, want := range map[string]string{"BTC": "BTC-USD", " eth ": "ETH-USD", "B-C": "", "": "", "BTC/EUR": "", "EUR": "", "usd": ""} {
		got, err := importer.CoinSymbol(code)
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("Coin(%q) = %q, %v; want %q", code, got, err, want)
		}
	}
}

func TestCollector_TextsCannotSteerATerminal(t *testing.T) {
	x := deposit(5)
	x.Note = "\x1b[2Jgone" + strings.Repeat("x", 5000)
	c := importer.NewCollector("x", importer.Options{Account: "mine"})
	c.Add(x, "n1", row(2))
	s := c.Statement(nil)
	if len(s.Entries) != 1 || strings.ContainsRune(s.Entries[0].Transaction.Note, '\x1b') {
		t.Errorf("%+v, want one entry with a quiet note", s)
	}
}

func TestDetect_OneFormatOrAnError(t *testing.T) {
	begins := func(name, with string) importer.Format {
		return importer.Format{Name: name, Recognizes: func(f importer.File) bool { return strings.HasPrefix(f.Text, with) }}
	}
	formats := []importer.Format{begins("first", "a"), begins("second", "ab"), begins("third", "c")}
	if got, err := importer.Detect(formats, importer.File{Text: "cd"}); err != nil || got.Name != "third" {
		t.Errorf("Detect = %q, %v; want third", got.Name, err)
	}
	for text, wants := range map[string][]string{"x": {"first", "second", "third"}, "ab": {"first", "second", "matches several formats"}} {
		_, err := importer.Detect(formats, importer.File{Name: "my.csv", Text: text})
		if !errors.Is(err, importer.ErrFormat) {
			t.Errorf("Detect(%q) = %v, want ErrFormat", text, err)
			continue
		}
		for _, want := range append(wants, "my.csv") {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("Detect(%q) = %v, want it to name %s", text, err, want)
			}
		}
	}
	if got, err := importer.FindFormat(formats, " Second"); err != nil || got.Name != "second" {
		t.Errorf("Named = %q, %v; want second", got.Name, err)
	}
	if _, err := importer.FindFormat(formats, "fourth"); err == nil || !strings.Contains(err.Error(), "first, second, third") {
		t.Errorf("Named = %v, want those that there are", err)
	}
}

func TestSecurity_TickersAndNumbers(t *testing.T) {
	for _, c := range []struct{ ticker, isin, symbol, number, wrong string }{
		{ticker: "brk b", symbol: "BRK.B"},
		{ticker: "VT", isin: "us9220427424", symbol: "VT", number: "US9220427424"},
		{isin: "US9220427424", symbol: "US9220427424", number: "US9220427424"},
		{ticker: "VT", isin: "US9220427425", wrong: "wrong check digit"},
		{wrong: "missing security"},
		{ticker: "a/b/c:d", wrong: "invalid symbol"},
		{ticker: "AAPL  240119C00150000", wrong: "options are not supported"},
		{ticker: "spy240119p00450000", wrong: "options are not supported"},
	} {
		symbol, isin, err := importer.ParseSecurity(c.ticker, c.isin)
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("Security(%q, %q) = %v, want an error that says %q", c.ticker, c.isin, err, c.wrong)
			}
			continue
		}
		if err != nil || string(symbol) != c.symbol || isin != c.number {
			t.Errorf("Security(%q, %q) = %s, %s, %v; want %s, %s", c.ticker, c.isin, symbol, isin, err, c.symbol, c.number)
		}
	}
}

// The valid ones are of listed securities, including one with many letters.
func TestValidISIN_ByItsCheckDigit(t *testing.T) {
	for _, isin := range []string{"US0378331005", "US9220427424", "CH0111762537", "JP3546800008", "GB0002634946", "IE00B3RBWM25", "AU0000XVGZA3"} {
		if !importer.ValidISIN(isin) {
			t.Errorf("ValidISIN(%s) = false", isin)
		}
		wrong := isin[:11] + string('0'+(isin[11]-'0'+1)%10)
		if importer.ValidISIN(wrong) {
			t.Errorf("ValidISIN(%s) = true", wrong)
		}
	}
	for _, text := range []string{"", "US037833100", "us0378331005", "USO37833100", "1S0378331005", "US03783310\u00e95", "NLFLATEXACNT"} {
		if importer.ValidISIN(text) {
			t.Errorf("ValidISIN(%q) = true", text)
		}
	}
	if !importer.ValidCurrency("CHF") || importer.ValidCurrency("chf") || importer.ValidCurrency("CHFR") {
		t.Error("ValidCurrency does not want three capital letters")
	}
}

func TestCollector_AccountsOfAFileAreNamedAndKeptApartWhereAsked(t *testing.T) {
	for _, c := range []struct {
		o    importer.Options
		want string
	}{
		{importer.Options{}, "U2 U1 "}, {importer.Options{Account: "mine"}, "mine mine mine"}, {importer.Options{Account: "mine", SeparateAccounts: true}, "U2 U1 mine"},
	} {
		collector := importer.NewCollector("x", c.o)
		got := collector.AccountFor("U2") + " " + collector.AccountFor("U1") + " " + collector.AccountFor("")
		collector.AccountFor("U2")
		if s := collector.Statement(nil); got != c.want || strings.Join(s.Accounts, " ") != "U1 U2" {
			t.Errorf("%+v: accounts %q, of the file %q; want %q and U1 U2", c.o, got, s.Accounts, c.want)
		}
	}
}
