package importer

import (
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// trade is a position of shares, funds or coins. The file has no price, and none is
// worked out: the amount is what counts.
func (r *etoroReader) trade(l etoroRow, kind portfolio.Kind) (portfolio.Transaction, error) {
	switch l.asset {
	case "stocks", "stock", "etf", "etfs", "crypto":
	case "cfd":
		if kind == portfolio.KindBuy && l.change.Decimal.IsZero() {
			return portfolio.Transaction{}, IgnoreReason("a contract for difference was opened: no security came in, and the equity does not change by it")
		}
		return portfolio.Transaction{}, fmt.Errorf("a contract for difference on %s, which is no holding: record what it earned or lost, %s %s in this line, by hand",
			Shorten(l.details), l.change.Decimal, r.currency)
	default:
		return portfolio.Transaction{}, fmt.Errorf("the asset type %q is not known: if the security itself was traded, record the trade by hand", Shorten(l.asset))
	}
	t := l.newTransaction(kind)
	var err error
	if t.Symbol, err = l.symbol(); err != nil {
		return t, err
	}
	if !l.units.Decimal.IsPositive() || !l.amount.Decimal.IsPositive() {
		return t, fmt.Errorf("units or amount are missing or not above zero: record the trade by hand")
	}
	t.Quantity, t.Currency, t.Amount = l.units.Decimal, r.currency, l.amount.Decimal
	return t, nil
}

// etoroSplitPattern matches the end of "NVDA/USD 10:1": ten new shares for an old one.
var etoroSplitPattern = lazyregexp.New(`^(\S+/\S+) ([0-9]{1,6}):([0-9]{1,6})$`)

// shareSplit is written once for each position and holds for all.
func (r *etoroReader) shareSplit(l etoroRow) (portfolio.Transaction, error) {
	if l.asset == "cfd" {
		return portfolio.Transaction{}, IgnoreReason("the split of a contract for difference, of which no security is held")
	}
	match := etoroSplitPattern().FindStringSubmatch(l.details)
	if match == nil {
		return portfolio.Transaction{}, fmt.Errorf("the ratio of the split is not in %q: record new shares for old ones by hand", Shorten(l.details))
	}
	added, held := decimal.RequireFromString(match[2]), decimal.RequireFromString(match[3])
	kind := portfolio.KindSplit
	if added.LessThan(held) {
		kind = portfolio.KindReverseSplit
	}
	if r.split[l.splitKey()] {
		return portfolio.Transaction{}, IgnoreReason("the split of another position of the same security, which is recorded for all")
	}
	r.split[l.splitKey()] = true
	t := l.newTransaction(kind)
	t.New, t.Old = added, held
	l.details = match[1]
	var err error
	t.Symbol, err = l.symbol()
	return t, err
}

// splitKey is equal for all lines of one split.
func (l etoroRow) splitKey() string { return l.moment.UTC().Format(time.DateOnly) + " " + l.details }
