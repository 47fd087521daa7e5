package importer

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// EToro returns the format of eToro's account activity. The file has no prices, the units column has had two names,
// and combined files may use two number formats.
func EToro() Format {
	return spec{
		name: "etoro", title: "eToro, account activity (CSV)",
		header: []string{"Date", "Type", "Details", "Amount", etoroChange, "Position ID", "Asset type"}, blanks: []string{"-"},
		date: "Date", action: "Type", symbol: "Details", quantity: "Units|Units / Contracts", amount: "Amount", others: []string{etoroChange},
		layouts: []string{"02/01/2006 15:04:05"}, utc: true, guessed: true,
		rules: []rule{
			{words: "open position", kind: portfolio.KindBuy},
			{words: "position closed", kind: portfolio.KindSell},
			{words: "dividend", in: portfolio.KindDividend, note: "net of withheld tax, which is not in the file"},
			{words: "interest payment|interest", in: portfolio.KindInterest},
			{words: "overnight refund", in: portfolio.KindInterest, note: "Overnight refund"},
			{words: "overnight fee", in: portfolio.KindInterest, out: portfolio.KindInterestDue, note: "Overnight fee"},
			{words: "rollover fee", in: portfolio.KindInterest, out: portfolio.KindInterestDue, note: "Rollover fee"},
			{words: "deposit", in: portfolio.KindDeposit},
			{words: "withdraw request", out: portfolio.KindWithdrawal},
			{words: "withdraw fee|withdraw fee charged|withdrawal conversion fee|deposit conversion fee|fee|commission", in: portfolio.KindFeeRefund, out: portfolio.KindFee},
			{words: "sdrt|sdrt charge|stamp duty", in: portfolio.KindTaxRefund, out: portfolio.KindTax},
			{words: "start copy|stop copy|pause copy|account balance to mirror|mirror balance to account|edit stop loss|add funds|remove funds",
				ignore: "move between own and copied positions"},
		},
		parse: parseEToro, join: joinEToro, check: checkEToro, identify: identifyEToro,
		complete: func(l *specLine, t portfolio.Transaction) ([]portfolio.Transaction, error) {
			if t.Note == "" && t.Quantity.IsZero() && !t.Amount.IsZero() && l.etoroCharge() {
				t.Note = Shorten(l.word)
			}
			return []portfolio.Transaction{t}, nil
		},
		fingerprint: func(l *specLine) []string {
			if l.action == etoroSplit {
				return []string{l.etoroSplitKey()} // independent of the order of positions
			}
			amount, _, _ := l.number("Amount")
			cells := []string{l.time.UTC().Format(time.RFC3339), strings.ToLower(l.word), l.cell("Details"), l.cell("Position ID")}
			return append(cells, plain(amount, l.quantity)...)
		},
	}.format()
}

const (
	etoroSplit  = "corp action: split"
	etoroChange = "Realized Equity Change"
)

func parseEToro(l *specLine) error {
	l.currency = cmp.Or(l.options.Currency, "USD")
	return nil
}

// joinEToro records each split once, although the file repeats it for every position, and finds the
// securities of old dividend lines, which name only the position.
func joinEToro(r *specReader, lines []*specLine) {
	positions := map[string]string{}
	for _, l := range lines {
		if position := l.cell("Position ID"); strings.Contains(l.symbol, "/") && positions[position] == "" {
			positions[position] = l.symbol
		}
	}
	splits := map[string]bool{}
	for _, l := range lines {
		switch {
		case l.action == "rollover fee" && strings.Contains(strings.ToLower(l.symbol), "dividend"):
			l.action, l.symbol = "dividend", positions[l.cell("Position ID")]
		case l.action != etoroSplit:
		case splits[l.etoroSplitKey()] && l.etoroAsset() != "cfd":
			r.collector.Ignore(l.row, "split of another position in the same security; already recorded")
		default:
			t, err := l.etoroSplit()
			if err != nil {
				r.collector.Skip(err, l.row)
				continue
			}
			splits[l.etoroSplitKey()] = true
			r.add([]portfolio.Transaction{t}, l)
		}
	}
}

// etoroSplitPattern matches the end of "NVDA/USD 10:1": ten new shares for one old share.
var etoroSplitPattern = lazyregexp.New(`^(\S+/\S+) ([0-9]{1,6}):([0-9]{1,6})$`)

func (l *specLine) etoroSplit() (portfolio.Transaction, error) {
	match := etoroSplitPattern().FindStringSubmatch(l.symbol)
	switch {
	case l.etoroAsset() == "cfd":
		return portfolio.Transaction{}, IgnoreReason("split of a contract for difference; no shares are held")
	case match == nil:
		return portfolio.Transaction{}, fmt.Errorf("no split ratio in %q: enter the split by hand", Shorten(l.symbol))
	}
	t := portfolio.Transaction{Date: l.date, Time: l.time, New: decimal.RequireFromString(match[2]), Old: decimal.RequireFromString(match[3])}
	t.Kind = splitKind(t.New, t.Old)
	var err error
	t.Symbol, t.ISIN, err = identifyEToro(&specLine{specReader: l.specReader, row: l.row, symbol: match[1]})
	return t, err
}

// etoroSplitKey returns a key that is equal for all lines of one split.
func (l *specLine) etoroSplitKey() string {
	return l.time.UTC().Format(time.DateOnly) + " " + l.cell("Details")
}

func (l *specLine) etoroAsset() string { return strings.ToLower(l.cell("Asset type")) }

// etoroCharge reports whether the line is a fee or tax.
func (l *specLine) etoroCharge() bool {
	r := l.rule()
	return r.out == portfolio.KindFee || r.out == portfolio.KindTax
}

// checkEToro makes payments negative and refunds positive. Exports write their sign in several ways; only a
// refund increases equity.
func checkEToro(l *specLine) error {
	change := l.others[etoroChange]
	r := l.rule()
	if r.kind != "" {
		return checkEToroTrade(l, r.kind, change.Decimal)
	}
	if r.out == portfolio.KindFee && change.Valid && change.Decimal.IsZero() && !l.amount.Decimal.IsZero() {
		return IgnoreReason("part of an adjacent payment; equity is unchanged")
	}
	if r.out != "" {
		l.amount.Decimal = l.amount.Decimal.Abs()
		if !change.Decimal.IsPositive() {
			l.amount.Decimal = l.amount.Decimal.Neg()
		}
	}
	return nil
}

func checkEToroTrade(l *specLine, kind portfolio.Kind, change decimal.Decimal) error {
	switch l.etoroAsset() {
	case "stocks", "stock", "etf", "etfs", "crypto":
	case "cfd":
		if kind == portfolio.KindBuy && change.IsZero() {
			return IgnoreReason("contract for difference opened; no shares were bought and equity is unchanged")
		}
		return fmt.Errorf("contract for difference on %s, not a position: enter its gain or loss by hand, %s %s in this line",
			Shorten(l.symbol), change, l.currency)
	default:
		return fmt.Errorf("unknown asset type %q: if shares were traded, enter the trade by hand", Shorten(l.cell("Asset type")))
	}
	if !l.quantity.Decimal.IsPositive() || !l.amount.Decimal.IsPositive() {
		return errors.New("missing or non-positive units or amount: enter the trade by hand")
	}
	return nil
}

// identifyEToro returns the part before the slash of "NKE/USD"; the part after it is the quote
// currency. Interest belongs to the account, not to a security.
func identifyEToro(l *specLine) (market.Symbol, string, error) {
	ticker, quoted, ok := strings.Cut(l.symbol, "/")
	if r := l.rule(); !ok || r.in == portfolio.KindInterest {
		return "", "", nil
	}
	if l.etoroAsset() == "crypto" {
		symbol, err := CoinSymbol(ticker)
		return symbol, "", err
	}
	return l.collector.Identify(Listing{Ticker: ticker, Currency: quoted})
}
