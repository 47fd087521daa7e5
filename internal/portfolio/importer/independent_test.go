package importer_test

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/recordings"
)

// cashLayout names the columns of a broker's table with the date and with the change in cash and shares, so
// that lines can be checked without the code under test.
type cashLayout struct {
	date, cash, quantity, action string
	currency                     string   // a column, or the code itself
	paid                         []string // words of the action whose amounts have no sign but are payments
	before                       []string // columns with costs that the cash column does not include, as they are written
	ticker, isin                 string
}

var cashLayouts = map[string]cashLayout{
	"schwab":               {date: "Date", cash: "Amount", quantity: "Quantity", currency: "USD", ticker: "Symbol"},
	"swissquote":           {date: "Date", cash: "Net Amount", quantity: "Quantity", currency: "Currency", paid: []string{"Custody Fees"}, action: "Transaction", ticker: "Symbol", isin: "ISIN"},
	"trading212":           {date: "Time|Time (UTC)", cash: "Total", quantity: "No. of shares", currency: "Currency (Total)", action: "Action", paid: []string{"Market buy", "Limit buy"}, ticker: "Ticker", isin: "ISIN"},
	"revolut":              {date: "Date", cash: "Total Amount", quantity: "Quantity", currency: "Currency", action: "Type", paid: []string{"BUY - MARKET", "BUY - LIMIT", "BUY"}, ticker: "Ticker"},
	"fidelity":             {date: "Run Date", cash: "Amount ($)|Amount", quantity: "Quantity", currency: "USD", ticker: "Symbol"},
	"freetrade":            {date: "Timestamp", cash: "Total Amount", quantity: "Quantity", currency: "Account Currency", action: "Buy / Sell|Type", paid: []string{"BUY", "WITHDRAWAL"}, ticker: "Ticker", isin: "ISIN"},
	"saxo":                 {date: "Trade Date", cash: "Amount|Booked Amount", currency: "Instrument currency", ticker: "Instrument Symbol", isin: "Instrument ISIN"},
	"xtb":                  {date: "Time", cash: "Amount", currency: "EUR", ticker: "Symbol|Ticker"},
	"traderepublic":        {date: "datetime|Datum", cash: "amount|Waarde (netto)", quantity: "shares|Aantal", currency: "EUR", before: []string{"fee", "tax"}, isin: "symbol|ISIN"},
	"vanguard":             {date: "Trade Date", cash: "Net Amount", quantity: "Shares", currency: "USD", ticker: "Symbol"},
	"degiro":               {date: "Datum", cash: "Mutatie+1", currency: "Mutatie", isin: "ISIN"},
	"robinhood":            {date: "Activity Date", cash: "Amount", quantity: "Quantity", currency: "USD", ticker: "Instrument"},
	"portfolioperformance": {date: "Datum", cash: "Wert", quantity: "Stück", currency: "Buchungswährung", action: "Typ", paid: []string{"Kauf"}, ticker: "Ticker-Symbol", isin: "ISIN"},
	"etoro":                {date: "Date", cash: "Amount", quantity: "Units", currency: "USD", action: "Type", paid: []string{"Open Position"}, ticker: "Details"},
}

// C37: the cash, shares and security of every line of every file are those of its columns. The files are the
// recorded ones and those of TestFormats_LayoutsOfPublicSamples; the reader below shares nothing
// with the package.
func TestFormats_EveryLineMovesTheCashOfItsColumns(t *testing.T) {
	files := map[string]importer.File{}
	for _, tc := range publicLayouts() {
		files[tc.name] = importer.File{Name: tc.name, Text: strings.Join(tc.file, "\n") + "\n"}
	}
	if root := os.Getenv("NFA_FIXTURES"); root != "" {
		paths, err := filepath.Glob(filepath.Join(recordings.Path(t, "market", "broker"), "*.csv"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if files[filepath.Base(path)], err = importer.Decode(path, raw); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, f := range files {
		format, err := importer.Detect([]importer.Format{
			importer.Schwab(), importer.Swissquote(), importer.Trading212(), importer.Revolut(), importer.Fidelity(), importer.Freetrade(), importer.Saxo(), importer.XTB(),
			importer.TradeRepublic(), importer.Vanguard(), importer.DEGIRO(), importer.EToro(), importer.Robinhood(), importer.PortfolioPerformance(),
		}, f)
		layout, known := cashLayouts[format.Name]
		if err != nil || !known {
			continue // its amounts are not in one column
		}
		t.Run(name, func(t *testing.T) {
			s, err := format.Read(f, importer.Options{Account: "a", Currency: map[bool]string{true: "EUR"}[format.Name == "xtb" || format.Name == "saxo"]})
			if err != nil {
				t.Fatal(err)
			}
			checkLines(t, layout, f, s)
		})
	}
}

func checkLines(t *testing.T, layout cashLayout, f importer.File, s importer.Statement) {
	t.Helper()
	rows := readIndependently(t, layout, f)
	groups := map[string][]importer.Entry{}
	for _, e := range s.Entries {
		groups[fmt.Sprint(e.Lines)] = append(groups[fmt.Sprint(e.Lines)], e)
	}
	for key, entries := range groups {
		want, got := map[string]decimal.Decimal{}, map[string]decimal.Decimal{}
		var days []string
		var shares decimal.Decimal
		for _, line := range entries[0].Lines {
			row := rows[line]
			want[row.currency] = want[row.currency].Add(row.cash)
			days = append(days, row.date)
			shares = row.quantity.Abs()
		}
		moves := false
		for _, e := range entries {
			x := e.Transaction
			checkSecurity(t, key, x, rows[e.Lines[0]])
			for currency, cash := range cashOf(x) {
				got[currency] = got[currency].Add(cash)
			}
			moves = moves || x.Kind == portfolio.KindBuy || x.Kind == portfolio.KindSell
			if !slices.ContainsFunc(days, func(day string) bool { return sameDay(day, x.Date.Format("2006 01 02")) }) {
				t.Errorf("lines %s: %s on %s, the file has %q", key, x.Kind, x.Date.Format("2006-01-02"), days)
			}
			if len(entries) == 1 && moves && layout.quantity != "" && len(e.Lines) == 1 && !x.Quantity.Equal(shares) {
				t.Errorf("lines %s: %s shares, the file has %s", key, x.Quantity, shares)
			}
		}
		if len(got) == 0 { // a split, for example
			continue
		}
		for currency, cash := range want {
			if !cash.Equal(got[currency]) {
				t.Errorf("lines %s: %v, the file has %v", key, got, want)
			}
		}
		for currency, cash := range got {
			if _, named := want[currency]; !named && !cash.IsZero() {
				t.Errorf("lines %s: %v, the file has %v", key, got, want)
			}
		}
	}
}

// checkSecurity compares a transaction's ISIN with the file's, and its symbol with the ticker up to the
// suffix of an exchange. A symbol that is an ISIN is not compared with the ticker.
func checkSecurity(t *testing.T, lines string, x portfolio.Transaction, row independentRow) {
	t.Helper()
	if x.Symbol == "" || x.ToSymbol != "" {
		return
	}
	if row.isin != "" && len(row.isin) == 12 && x.ISIN != row.isin && string(x.Symbol) != row.isin && !strings.HasSuffix(string(x.Symbol), "-USD") {
		t.Errorf("lines %s: %s %s, the file has the ISIN %s", lines, x.Symbol, x.ISIN, row.isin)
	}
	root := func(symbol string) string {
		symbol = strings.TrimLeft(strings.FieldsFunc(symbol+" ", func(r rune) bool { return strings.ContainsRune(" .:/-", r) })[0], "0")
		return strings.ToUpper(symbol)
	}
	if row.ticker != "" && string(x.Symbol) != x.ISIN && root(string(x.Symbol)) != root(row.ticker) {
		t.Errorf("lines %s: %s, the file has %s", lines, x.Symbol, row.ticker)
	}
}

// sameDay reports whether a text has year, month and day in any order and notation.
func sameDay(text, day string) bool {
	months := strings.NewReplacer("jan", "01", "feb", "02", "mar", "03", "mrt", "03", "apr", "04", "may", "05", "mei", "05", "jun", "06", "jul", "07", "aug", "08", "sep", "09", "oct", "10", "okt", "10", "nov", "11", "dec", "12")
	digits := strings.FieldsFunc(months.Replace(strings.ToLower(text)), func(r rune) bool { return r < '0' || r > '9' })
	for _, part := range strings.Fields(day) {
		if !slices.Contains(digits, part) && !slices.Contains(digits, strings.TrimPrefix(part, "0")) {
			return false
		}
	}
	return true
}

// cashOf returns the change in cash by a transaction.
func cashOf(x portfolio.Transaction) map[string]decimal.Decimal {
	costs := x.Fee.Add(x.Tax)
	switch x.Kind {
	case portfolio.KindBuy, portfolio.KindWithdrawal, portfolio.KindFee, portfolio.KindTax, portfolio.KindInterestDue:
		return map[string]decimal.Decimal{x.Currency: x.Amount.Add(costs).Neg()}
	case portfolio.KindExchange:
		return map[string]decimal.Decimal{x.Currency: x.Amount.Add(costs).Neg(), x.ToCurrency: x.ToAmount}
	case portfolio.KindTransferIn, portfolio.KindTransferOut, portfolio.KindReinvest, portfolio.KindSplit, portfolio.KindReverseSplit, portfolio.KindMerger:
		return nil
	}
	return map[string]decimal.Decimal{x.Currency: x.Amount.Sub(costs)}
}

type independentRow struct {
	date, currency, ticker, isin string

	cash, quantity decimal.Decimal
}

// readIndependently returns the rows below the header by their line.
func readIndependently(t *testing.T, layout cashLayout, f importer.File) map[int]independentRow {
	t.Helper()
	r := csv.NewReader(strings.NewReader(f.Text))
	r.LazyQuotes, r.FieldsPerRecord = true, -1
	if strings.Count(f.Text, ";") > strings.Count(f.Text, ",") {
		r.Comma = ';'
	}
	number := func(text string) decimal.Decimal {
		negative := strings.Contains(text, "-") || strings.HasPrefix(text, "(")
		text = strings.TrimSuffix(text, ")")
		if i := strings.LastIndexByte(text, ','); i > strings.LastIndexByte(text, '.') && (len(text)-i != len(",000") || r.Comma == ';') {
			text = strings.ReplaceAll(strings.ReplaceAll(text, ".", ""), ",", ".")
		}
		text = strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' || r == '.' {
				return r
			}
			return -1
		}, text)
		d, err := decimal.NewFromString(text)
		if err == nil && negative {
			d = d.Neg()
		}
		return d
	}
	rows := map[int]independentRow{}
	var header []string
	column := func(record []string, names string) string {
		for name := range strings.SplitSeq(names, "|") {
			name, next := strings.CutSuffix(name, "+1")
			i := slices.IndexFunc(header, func(cell string) bool { return strings.EqualFold(strings.TrimSpace(cell), name) })
			if next {
				i++
			}
			if i >= 0 && i < len(record) && name != "" && strings.TrimSpace(record[i]) != "" {
				return strings.TrimSpace(record[i])
			}
		}
		return ""
	}
	for {
		record, err := r.Read()
		if err == io.EOF {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		line, _ := r.FieldPos(0)
		if header == nil || column(record, layout.date) != "" && strings.EqualFold(column(record, layout.date), strings.Split(layout.date, "|")[0]) {
			if slices.ContainsFunc(record, func(cell string) bool {
				return strings.EqualFold(strings.TrimSpace(cell), strings.Split(layout.date, "|")[0])
			}) || slices.Contains(record, "Time (UTC)") || slices.Contains(record, "Datum") {
				header = record
			}
			continue
		}
		row := independentRow{date: column(record, layout.date), currency: layout.currency, cash: number(column(record, layout.cash)), quantity: number(column(record, layout.quantity))}
		if code := column(record, layout.currency); code != "" {
			row.currency = code
		}
		if slices.Contains(layout.paid, column(record, layout.action)) {
			row.cash = row.cash.Abs().Neg()
		}
		for _, costs := range layout.before {
			row.cash = row.cash.Add(number(column(record, costs)))
		}
		row.ticker, row.isin = column(record, layout.ticker), column(record, layout.isin)
		rows[line] = row
	}
}
