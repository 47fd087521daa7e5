package importer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Ghostfolio is Ghostfolio's export. Where the options name no account, each activity is
// of the one that the file gives it.
func Ghostfolio() Format {
	f := spec{
		name: "ghostfolio", title: "Ghostfolio, export (JSON or CSV)", open: openGhostfolio,
		date: "Date", action: "Type|Action", symbol: "Symbol|Code", security: ghostfolioName, id: "id", account: "Account|AccountId", currency: "Currency",
		quantity: "Quantity", price: "UnitPrice|Price", fee: "Fee",
		layouts: []string{"02-01-2006", "02/01/2006", "02.01.2006", "2006-01-02", "2006/01/02", "2006.01.02", "20060102"}, decimal: DecimalPoint,
		unknown: "%q is no type of activity that is known; enter it by hand",
		rules: []rule{
			{words: "buy", kind: portfolio.KindBuy},
			{words: "sell", kind: portfolio.KindSell},
			{words: "dividend", kind: portfolio.KindDividend},
			{words: "interest", kind: portfolio.KindInterest, book: bookGhostfolioCash},
			{words: "fee", kind: portfolio.KindFee, book: bookGhostfolioCash},
			{words: "item|valuable", problem: "a thing of value and not a security; enter it by hand under a symbol that no exchange uses"},
			{words: "liability", problem: "debts are not kept in the book"},
		},
		when: whenGhostfolio, parse: parseGhostfolio, identify: identifyGhostfolio,
		complete: func(l *specLine, t portfolio.Transaction) ([]portfolio.Transaction, error) {
			t.Note = Shorten(l.cell(ghostfolioNote))
			return []portfolio.Transaction{t}, nil
		},
	}.format()
	f.Recognizes = func(f File) bool {
		if isJSONObject(f) {
			return (strings.Contains(f.Text, `"activities"`) || strings.Contains(f.Text, `"orders"`)) &&
				(strings.Contains(f.Text, `"unitPrice"`) || strings.Contains(f.Text, `"meta"`))
		}
		return slices.ContainsFunc(ghostfolioHeaders(), func(columns []string) bool { return HasTable(f, columns...) })
	}
	return f
}

// ghostfolioHeaders are the columns of Ghostfolio's documentation. Of its many other names for
// them, which are those of brokers' own files, none are taken.
func ghostfolioHeaders() [][]string {
	return [][]string{
		{"Date", "Code", "DataSource", "Currency", "Price", "Quantity", "Action", "Fee"},
		{"Date", "Code", "Currency", "Price", "Quantity", "Action", "Fee", "Note"},
		{"Date", "Symbol", "DataSource", "Currency", "UnitPrice", "Quantity", "Type", "Fee"},
	}
}

// Columns of the table that is made of JSON, besides the fields of an activity.
const (
	ghostfolioName    = "name of the asset"
	ghostfolioISIN    = "ISIN of the asset"
	ghostfolioProblem = "problem"
	ghostfolioNote    = "Note|Comment"
)

func openGhostfolio(s *spec, f File) (Table, error) {
	if isJSONObject(f) {
		t, err := readGhostfolioJSON(f)
		if err != nil {
			return Table{}, fmt.Errorf("%s: %w: %w", f.Name, ErrFormat, err)
		}
		return t, nil
	}
	for _, columns := range ghostfolioHeaders() {
		if t, err := ReadTable(f, columns...); err == nil {
			return t, nil
		}
	}
	return Table{}, fmt.Errorf("%s: %w: the first line has not the columns of Ghostfolio", f.Name, ErrFormat)
}

// readGhostfolioJSON makes a row of each activity, with what the file says elsewhere of its account
// and its security.
func readGhostfolioJSON(f File) (Table, error) {
	fields := []string{"id", "accountId", "comment", "fee", "quantity", "type", "unitPrice", "currency", "dataSource", "date", "symbol", "isDraft"}
	var rows []Row
	accounts, profiles := map[string]string{}, map[string][]string{}
	found := false
	r := newJSONReader(f.Text)
	if err := r.expect('{'); err != nil {
		return Table{}, err
	}
	for r.More() {
		name, err := r.Token()
		if err != nil {
			return Table{}, err
		}
		switch name {
		case "activities", "orders":
			found = true
			err = r.list(MaxRows, func(line int, raw json.RawMessage) error {
				cells, err := jsonTexts(raw, fields)
				problem := ""
				if err != nil {
					cells, problem = make([]string, len(fields)), err.Error()
				}
				rows = append(rows, Row{Line: line, Source: strings.Join(strings.Fields(string(raw)), " "), Cells: append(cells, problem)})
				return nil
			})
		case "accounts":
			err = r.list(MaxRows, func(_ int, raw json.RawMessage) error {
				a, err := jsonTexts(raw, []string{"id", "name"})
				if err == nil && a[1] != "" {
					accounts[a[0]] = a[1]
				}
				return err
			})
		case "assetProfiles":
			err = r.list(MaxRows, func(_ int, raw json.RawMessage) error {
				p, err := jsonTexts(raw, []string{"symbol", "name", "isin"})
				if err == nil {
					profiles[p[0]] = p[1:]
				}
				return err
			})
		default:
			err = r.Decode(new(json.RawMessage))
		}
		if err != nil {
			return Table{}, fmt.Errorf("%v: %w", name, err)
		}
	}
	for i, row := range rows {
		account, symbol := row.Cells[1], row.Cells[10]
		rows[i].Cells[1] = cmp.Or(accounts[account], account)
		rows[i].Cells = append(row.Cells, append(profiles[symbol], "", "")[:2]...)
	}
	if !found {
		return Table{}, errors.New("it has no list of activities")
	}
	return NewTable(Row{Cells: append(fields, ghostfolioProblem, ghostfolioName, ghostfolioISIN)}, rows), r.expect('}')
}

// jsonTexts are fields of an object as they are written: texts, numbers and truth values.
func jsonTexts(raw json.RawMessage, fields []string) ([]string, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	texts := make([]string, len(fields))
	for i, field := range fields {
		switch value := string(object[field]); {
		case value == "" || value == "null":
		case value[0] == '"':
			if err := json.Unmarshal(object[field], &texts[i]); err != nil {
				return nil, err
			}
			texts[i] = strings.TrimSpace(texts[i])
		case value[0] == '{' || value[0] == '[':
			return nil, errors.New("a list or object where a text or number belongs")
		default:
			texts[i] = value
		}
	}
	return texts, nil
}

// ghostfolioLateHour is when no exchange trades any more: what is of that hour in UTC to the
// second is a day that was entered in Europe or to the east of it, by its midnight.
const ghostfolioLateHour = 21

// whenGhostfolio reads the moments of exports, and days as Ghostfolio reads them in a CSV,
// where the day comes before the month. Midnight in UTC is a day that was entered
// without a time.
func whenGhostfolio(l *specLine) error {
	if problem := l.cell(ghostfolioProblem); problem != "" {
		return fmt.Errorf("it is not written as an activity: %s", problem)
	}
	if l.cell("isDraft") == "true" {
		return IgnoreReason("a draft, which Ghostfolio does not count either")
	}
	text := l.cell("Date")
	var err error
	if l.date, err = ParseDay(text, l.layouts...); err == nil {
		return nil
	}
	at, err := ParseTime(text, time.UTC, time.RFC3339Nano)
	if err != nil {
		return err
	}
	l.date = at.Truncate(24 * time.Hour)
	switch zone := l.options.Zone; {
	case at.Equal(l.date):
		return nil
	case zone != nil:
		l.date = DayOf(at.In(zone))
	case at.Hour() >= ghostfolioLateHour && at.Equal(at.Truncate(time.Hour)):
		return fmt.Errorf("%w: %s is midnight where it was entered, and then of the day after: say the zone, as Europe/Berlin", ErrDay, Shorten(text))
	}
	l.time = at
	return nil
}

func parseGhostfolio(l *specLine) error {
	currency := l.currency
	whole, places := market.MinorUnit(currency)
	for _, n := range []struct {
		name  string
		d     *decimal.NullDecimal
		shift int32
	}{{"quantity", &l.quantity, 0}, {"unit price", &l.price, -places}, {"fee", &l.fee, -places}} {
		if !n.d.Valid {
			return fmt.Errorf("the %s is missing; enter it by hand", n.name)
		}
		// In its CSV Ghostfolio does not look at signs, and the action alone says what came and went.
		if n.d.Decimal.IsNegative() && l.row.Source != "" {
			return fmt.Errorf("the %s is below zero, which Ghostfolio does not write; enter it by hand", n.name)
		}
		n.d.Decimal = n.d.Decimal.Abs().Shift(n.shift)
	}
	if l.currency = cmp.Or(whole, currency); !ValidCurrency(l.currency) {
		return fmt.Errorf("%q is no currency; enter it by hand with the right one", Shorten(currency))
	}
	if l.quantity.Decimal.IsZero() && l.price.Decimal.IsZero() && l.fee.Decimal.IsZero() {
		return IgnoreReason("nothing was bought, sold or paid")
	}
	// Far below any coin, and within the digits that a ledger takes.
	l.amount = decimal.NewNullDecimal(l.quantity.Decimal.Mul(l.price.Decimal).Round(12))
	return nil
}

// bookGhostfolioCash books what need not be of a security. The name that the user gave a fee is kept
// as a note.
func bookGhostfolioCash(l *specLine) ([]portfolio.Transaction, error) {
	t := portfolio.Transaction{
		Date: l.date, Time: l.time, Account: l.account, Kind: l.rule().kind, Currency: l.currency, Amount: l.amount.Decimal, Fee: l.fee.Decimal,
		Note: Shorten(l.cell(ghostfolioNote)),
	}
	if t.Kind == portfolio.KindFee {
		if !t.Amount.IsZero() && !t.Amount.Equal(t.Fee) {
			return nil, fmt.Errorf("a fee of %s with a value of %s, of which Ghostfolio counts the fee alone; enter by hand what was paid", t.Fee, t.Amount)
		}
		t.Amount, t.Fee = t.Fee, decimal.Zero
	}
	symbol, isin, err := identifyGhostfolio(l)
	if l.cell("DataSource") != "" && err == nil {
		t.Symbol, t.ISIN, t.Name = symbol, isin, Shorten(l.cell(ghostfolioName))
		return []portfolio.Transaction{t}, nil
	}
	name := l.cell(ghostfolioName)
	if name == "" && !isUUID(l.symbol) {
		name = l.symbol
	}
	t.Note = Shorten(joinNotes(name, t.Note))
	return []portfolio.Transaction{t}, nil
}

// isUUID tells the numbers that Ghostfolio gives to what its user made up.
func isUUID(s string) bool { return len(s) == 36 && strings.Count(s, "-") == 4 }

func identifyGhostfolio(l *specLine) (market.Symbol, string, error) {
	isin, ticker := l.cell(ghostfolioISIN), l.symbol
	if !ValidISIN(isin) {
		isin = ""
	}
	source := strings.ToUpper(l.cell("DataSource"))
	switch coin, known := ghostfolioCoins()[strings.ToLower(ticker)]; {
	case source == "MANUAL":
		// Its name may be the ticker of something else, at a price of its own.
		if isUUID(ticker) {
			ticker = cmp.Or(l.cell(ghostfolioName), ticker)
		}
		return "", "", fmt.Errorf("%q is priced by hand in Ghostfolio; enter it under a symbol that no exchange uses", Shorten(joinNotes(l.cell(ghostfolioName), ticker)))
	case source == "COINGECKO" && !known:
		return "", "", fmt.Errorf("which coin CoinGecko calls %q is not known here; enter it by hand, as BTC-USD for bitcoin", Shorten(ticker))
	case source == "COINGECKO":
		return market.Symbol(coin + "-USD"), isin, nil
	}
	if upper := strings.ToUpper(ticker); ValidISIN(upper) {
		isin = upper
	}
	// Yahoo's pairs of coins lose their dash in Ghostfolio, and are in dollars always.
	if base, ok := strings.CutSuffix(ticker, "USD"); ok && source == "YAHOO" && slices.Contains(slices.Collect(maps.Values(ghostfolioCoins())), base) {
		ticker = base + "-USD"
	}
	symbol, err := ParseTicker(ticker)
	return symbol, isin, err
}

// ghostfolioCoins lead from CoinGecko's names of the coins that are held most to their codes.
func ghostfolioCoins() map[string]string {
	return map[string]string{
		"bitcoin": "BTC", "ethereum": "ETH", "tether": "USDT", "ripple": "XRP", "binancecoin": "BNB", "solana": "SOL", "usd-coin": "USDC",
		"dogecoin": "DOGE", "cardano": "ADA", "tron": "TRX", "avalanche-2": "AVAX", "chainlink": "LINK", "polkadot": "DOT", "stellar": "XLM",
		"litecoin": "LTC", "bitcoin-cash": "BCH", "uniswap": "UNI", "cosmos": "ATOM", "monero": "XMR", "ethereum-classic": "ETC",
		"algorand": "ALGO", "tezos": "XTZ", "filecoin": "FIL", "aave": "AAVE", "near": "NEAR", "matic-network": "MATIC",
	}
}
