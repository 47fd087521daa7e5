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

// Ghostfolio returns the format of Ghostfolio's export. If the options name no account, each activity uses the account
// in the file.
func Ghostfolio() Format {
	return spec{
		name: "ghostfolio", title: "Ghostfolio, export (JSON or CSV)", recognizes: recognizesGhostfolio, open: openGhostfolio,
		date: "Date", action: "Type|Action", symbol: "Symbol|Code", security: ghostfolioName, id: "id", account: "Account|AccountId", currency: "Currency",
		quantity: "Quantity", price: "UnitPrice|Price", fee: "Fee",
		layouts: []string{"02-01-2006", "02/01/2006", "02.01.2006", "2006-01-02", "2006/01/02", "2006.01.02", "20060102"}, decimal: DecimalPoint,
		unknown: "unknown activity type %q; enter the transaction by hand",
		rules: []rule{
			{words: "buy", kind: portfolio.KindBuy},
			{words: "sell", kind: portfolio.KindSell},
			{words: "dividend", kind: portfolio.KindDividend},
			{words: "interest", kind: portfolio.KindInterest, book: bookGhostfolioCash},
			{words: "fee", kind: portfolio.KindFee, book: bookGhostfolioCash},
			{words: "item|valuable", kind: portfolio.KindTransferIn, book: bookGhostfolioValuable},
			{words: "liability", problem: "liabilities are not supported"},
		},
		when: whenGhostfolio, parse: parseGhostfolio, identify: identifyGhostfolio,
		complete: func(l *specLine, t portfolio.Transaction) ([]portfolio.Transaction, error) {
			t.Note = Shorten(l.cell(ghostfolioNote))
			return []portfolio.Transaction{t}, nil
		},
	}.format()
}

func recognizesGhostfolio(f File) bool {
	if isJSONObject(f) {
		return (strings.Contains(f.Text, `"activities"`) || strings.Contains(f.Text, `"orders"`)) &&
			(strings.Contains(f.Text, `"unitPrice"`) || strings.Contains(f.Text, `"meta"`))
	}
	return slices.ContainsFunc(ghostfolioHeaders(), func(columns []string) bool { return HasTable(f, columns...) })
}

// ghostfolioHeaders returns the columns documented by Ghostfolio. Its alternative names are not
// accepted, because brokers' own files use them.
func ghostfolioHeaders() [][]string {
	return [][]string{
		{"Date", "Code", "DataSource", "Currency", "Price", "Quantity", "Action", "Fee"},
		{"Date", "Code", "Currency", "Price", "Quantity", "Action", "Fee", "Note"},
		{"Date", "Symbol", "DataSource", "Currency", "UnitPrice", "Quantity", "Type", "Fee"},
	}
}

// Columns added to the table made from JSON.
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
	return Table{}, fmt.Errorf("%s: %w: the first line does not have Ghostfolio's columns", f.Name, ErrFormat)
}

// readGhostfolioJSON returns a row for each activity, including its account and security.
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
		return Table{}, errors.New("no list of activities")
	}
	return NewTable(Row{Cells: append(fields, ghostfolioProblem, ghostfolioName, ghostfolioISIN)}, rows), r.expect('}')
}

// jsonTexts returns fields of an object as text: strings, numbers and booleans.
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
			return nil, errors.New("expected text or a number, found a list or object")
		default:
			texts[i] = value
		}
	}
	return texts, nil
}

// ghostfolioLateHour is a UTC hour after all exchanges have closed. A time on the hour, at or after it, is
// a date entered in Europe or farther east and stored as local midnight.
const ghostfolioLateHour = 21

// whenGhostfolio reads the times of exports, and the dates that Ghostfolio accepts in a CSV, with the day
// before the month. Midnight UTC means a date without a time.
func whenGhostfolio(l *specLine) error {
	if problem := l.cell(ghostfolioProblem); problem != "" {
		return fmt.Errorf("not a valid activity: %s", problem)
	}
	if l.cell("isDraft") == "true" {
		return IgnoreReason("draft, which Ghostfolio does not count either")
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
		return fmt.Errorf("%w: %s looks like local midnight, so the date may be a day off: set the time zone, such as Europe/Berlin", ErrDay, Shorten(text))
	}
	l.time = at
	return nil
}

func parseGhostfolio(l *specLine) error {
	currency := l.currency
	major, places := market.MinorUnit(currency)
	for _, n := range []struct {
		name  string
		d     *decimal.NullDecimal
		shift int32
	}{{"quantity", &l.quantity, 0}, {"unit price", &l.price, -places}, {"fee", &l.fee, -places}} {
		if !n.d.Valid {
			return fmt.Errorf("missing %s; enter the activity by hand", n.name)
		}
		// In CSV files Ghostfolio ignores signs; only the action decides the direction.
		if n.d.Decimal.IsNegative() && l.row.Source != "" {
			return fmt.Errorf("negative %s, which Ghostfolio does not write; enter the activity by hand", n.name)
		}
		n.d.Decimal = n.d.Decimal.Abs().Shift(n.shift)
	}
	if l.currency = cmp.Or(major, currency); !ValidCurrency(l.currency) {
		return fmt.Errorf("%q is not a currency; enter the activity by hand", Shorten(currency))
	}
	if l.quantity.Decimal.IsZero() && l.price.Decimal.IsZero() && l.fee.Decimal.IsZero() {
		return IgnoreReason("quantity and amount are zero")
	}
	// Twelve decimals are finer than any currency and within the ledger's limits.
	l.amount = decimal.NewNullDecimal(l.quantity.Decimal.Mul(l.price.Decimal).Round(12))
	return nil
}

// bookGhostfolioCash books payments that may have no security. The user's name for a fee is kept as
// a note.
func bookGhostfolioCash(l *specLine) ([]portfolio.Transaction, error) {
	t := portfolio.Transaction{
		Date: l.date, Time: l.time, Account: l.account, Kind: l.rule().kind, Currency: l.currency, Amount: l.amount.Decimal, Fee: l.fee.Decimal,
		Note: Shorten(l.cell(ghostfolioNote)),
	}
	if t.Kind == portfolio.KindFee {
		if !t.Amount.IsZero() && !t.Amount.Equal(t.Fee) {
			return nil, fmt.Errorf("fee of %s with a value of %s; Ghostfolio counts only the fee, so enter the amount paid by hand", t.Fee, t.Amount)
		}
		t.Amount, t.Fee = t.Fee, decimal.Zero
	}
	symbol, isin, err := identifyGhostfolio(l)
	if source := l.cell("DataSource"); source != "" && !strings.EqualFold(source, "MANUAL") && err == nil {
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

// manualSymbol returns the symbol of an asset whose price the user enters by hand. Its suffix is
// not one of an exchange, because its name may be the ticker of another security.
func manualSymbol(name string) market.Symbol {
	if isUUID(name) {
		name = name[:8]
	}
	name = strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToUpper(name))
	return market.Symbol(cmp.Or(name[:min(len(name), 16)], "ASSET") + ".MANUAL")
}

// bookGhostfolioValuable books a valuable as transferred in, at the value that the user entered.
func bookGhostfolioValuable(l *specLine) ([]portfolio.Transaction, error) {
	name := cmp.Or(l.cell(ghostfolioName), l.symbol)
	return []portfolio.Transaction{{
		Date: l.date, Time: l.time, Account: l.account, Kind: portfolio.KindTransferIn, Symbol: manualSymbol(name), Name: Shorten(name),
		Quantity: l.quantity.Decimal, Price: l.price, Currency: l.currency, Amount: l.amount.Decimal, Note: Shorten(l.cell(ghostfolioNote)),
	}}, nil
}

// isUUID reports whether s looks like the ID of a user-defined asset.
func isUUID(s string) bool { return len(s) == 36 && strings.Count(s, "-") == 4 }

func identifyGhostfolio(l *specLine) (market.Symbol, string, error) {
	isin, ticker := l.cell(ghostfolioISIN), l.symbol
	if !ValidISIN(isin) {
		isin = ""
	}
	source := strings.ToUpper(l.cell("DataSource"))
	switch coin, known := ghostfolioCoins()[strings.ToLower(ticker)]; {
	case source == "MANUAL":
		if name := l.cell(ghostfolioName); isUUID(ticker) && name != "" {
			ticker = name
		}
		return manualSymbol(ticker), isin, nil
	case source == "COINGECKO" && !known:
		return "", "", fmt.Errorf("unknown CoinGecko coin %q; enter the transaction by hand, such as BTC-USD for bitcoin", Shorten(ticker))
	case source == "COINGECKO":
		return market.Symbol(coin + "-USD"), isin, nil
	}
	if upper := strings.ToUpper(ticker); ValidISIN(upper) {
		isin = upper
	}
	// Ghostfolio removes the dash from Yahoo's coin pairs, which are always in dollars.
	if base, ok := strings.CutSuffix(ticker, "USD"); ok && source == "YAHOO" && slices.Contains(slices.Collect(maps.Values(ghostfolioCoins())), base) {
		ticker = base + "-USD"
	}
	symbol, err := ParseTicker(ticker)
	return symbol, isin, err
}

// ghostfolioCoins maps CoinGecko's names of the most common coins to their codes.
func ghostfolioCoins() map[string]string {
	return map[string]string{
		"bitcoin": "BTC", "ethereum": "ETH", "tether": "USDT", "ripple": "XRP", "binancecoin": "BNB", "solana": "SOL", "usd-coin": "USDC",
		"dogecoin": "DOGE", "cardano": "ADA", "tron": "TRX", "avalanche-2": "AVAX", "chainlink": "LINK", "polkadot": "DOT", "stellar": "XLM",
		"litecoin": "LTC", "bitcoin-cash": "BCH", "uniswap": "UNI", "cosmos": "ATOM", "monero": "XMR", "ethereum-classic": "ETC",
		"algorand": "ALGO", "tezos": "XTZ", "filecoin": "FIL", "aave": "AAVE", "near": "NEAR", "matic-network": "MATIC",
	}
}
