package etoro

import (
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/pattern"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// trade is a position of shares, funds or coins. The file has no price, and none is
// worked out: the amount is what counts.
func (r *reader) trade(l line, kind portfolio.Kind) (portfolio.Transaction, error) {
	switch l.asset {
	case "stocks", "stock", "etf", "etfs", "crypto":
	case "cfd":
		if kind == portfolio.KindBuy && l.change.Decimal.IsZero() {
			return portfolio.Transaction{}, broker.LeftOut("a contract for difference was opened: no security came in, and the equity does not change by it")
		}
		return portfolio.Transaction{}, fmt.Errorf("a contract for difference on %s, which is no holding: record what it earned or lost, %s %s in this line, by hand",
			sheet.Shorten(l.details), l.change.Decimal, r.currency)
	default:
		return portfolio.Transaction{}, fmt.Errorf("the asset type %q is not known: if the security itself was traded, record the trade by hand", sheet.Shorten(l.asset))
	}
	t := l.of(kind)
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

// ratio matches the end of "NVDA/USD 10:1": ten new shares for an old one.
var ratio = pattern.Lazy(`^(\S+/\S+) ([0-9]{1,6}):([0-9]{1,6})$`)

// shareSplit is written once for each position and holds for all.
func (r *reader) shareSplit(l line) (portfolio.Transaction, error) {
	if l.asset == "cfd" {
		return portfolio.Transaction{}, broker.LeftOut("the split of a contract for difference, of which no security is held")
	}
	match := ratio().FindStringSubmatch(l.details)
	if match == nil {
		return portfolio.Transaction{}, fmt.Errorf("the ratio of the split is not in %q: record new shares for old ones by hand", sheet.Shorten(l.details))
	}
	added, held := decimal.RequireFromString(match[2]), decimal.RequireFromString(match[3])
	kind := portfolio.KindSplit
	if added.LessThan(held) {
		kind = portfolio.KindReverseSplit
	}
	if r.split[l.occasion()] {
		return portfolio.Transaction{}, broker.LeftOut("the split of another position of the same security, which is recorded for all")
	}
	r.split[l.occasion()] = true
	t := l.of(kind)
	t.New, t.Old = added, held
	l.details = match[1]
	var err error
	t.Symbol, err = l.symbol()
	return t, err
}

// occasion is equal for all lines of one split.
func (l line) occasion() string { return l.moment.UTC().Format(time.DateOnly) + " " + l.details }
