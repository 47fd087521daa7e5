package importer

import (
	"errors"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

func (r *ghostfolioReader) add(a ghostfolioActivity) {
	t, err := r.transaction(a)
	if err != nil {
		r.collector.Skip(err, a.row)
		return
	}
	r.collector.Add(t, a.id, a.row)
}

func (r *ghostfolioReader) transaction(a ghostfolioActivity) (portfolio.Transaction, error) {
	t := portfolio.Transaction{Account: r.accountOf(a), Note: Shorten(a.note)}
	if a.err != nil {
		return t, fmt.Errorf("it is not written as an activity: %w", a.err)
	}
	if a.draft {
		return t, IgnoreReason("a draft, which Ghostfolio does not count either")
	}
	var err error
	if t.Date, t.Time, err = r.day(a.date); err != nil {
		return t, err
	}
	n, err := a.numbers()
	if err != nil {
		return t, err
	}
	t.Currency = n.currency
	if n.quantity.IsZero() && n.price.IsZero() && n.fee.IsZero() {
		return t, IgnoreReason("nothing was bought, sold or paid")
	}
	return r.byType(t, a, n)
}

// byType makes a transaction of what the activity's type says.
func (r *ghostfolioReader) byType(t portfolio.Transaction, a ghostfolioActivity, n ghostfolioNumbers) (portfolio.Transaction, error) {
	// Far below any coin, and within the digits that a ledger takes.
	value := n.quantity.Mul(n.price).Round(12)
	switch a.kind {
	case "BUY", "SELL", "DIVIDEND":
		t.Kind = map[string]portfolio.Kind{"BUY": portfolio.KindBuy, "SELL": portfolio.KindSell, "DIVIDEND": portfolio.KindDividend}[a.kind]
		t.Amount, t.Fee = value, n.fee
		if a.kind != "DIVIDEND" {
			t.Quantity, t.Price = n.quantity, decimal.NewNullDecimal(n.price)
		}
		return t, r.setSecurity(a, &t)
	case "INTEREST":
		t.Kind, t.Amount, t.Fee = portfolio.KindInterest, value, n.fee
		r.setOptionalSecurity(a, &t)
		return t, nil
	case "FEE":
		t.Kind, t.Amount = portfolio.KindFee, n.fee
		if !value.IsZero() && !value.Equal(n.fee) {
			return t, fmt.Errorf("a fee of %s with a value of %s, of which Ghostfolio counts the fee alone; enter by hand what was paid", n.fee, value)
		}
		r.setOptionalSecurity(a, &t)
		return t, nil
	case "ITEM", "VALUABLE":
		return t, errors.New("a thing of value and not a security; enter it by hand under a symbol that no exchange uses")
	case "LIABILITY":
		return t, errors.New("debts are not kept in the book")
	default:
		return t, fmt.Errorf("%q is no type of activity that is known; enter it by hand", Shorten(a.kind))
	}
}

// accountOf calls accounts by the name that the file gives them, and else by their ID.
func (r *ghostfolioReader) accountOf(a ghostfolioActivity) string {
	if named := r.accounts[a.account]; named != "" {
		return r.collector.AccountFor(named)
	}
	return r.collector.AccountFor(a.account)
}

// ghostfolioNumbers are an activity's amounts, in whole units of a currency.
type ghostfolioNumbers struct {
	quantity, price, fee decimal.Decimal
	currency             string
}

func (a ghostfolioActivity) numbers() (ghostfolioNumbers, error) {
	n := ghostfolioNumbers{currency: a.currency}
	for _, field := range []struct {
		name, text string
		to         *decimal.Decimal
	}{{"quantity", a.quantity, &n.quantity}, {"unit price", a.price, &n.price}, {"fee", a.fee, &n.fee}} {
		if field.text == "" {
			return n, fmt.Errorf("the %s is missing; enter it by hand", field.name)
		}
		d, err := ParseNumber(field.text, DecimalPoint)
		if err != nil {
			return n, fmt.Errorf("%s: %w", field.name, err)
		}
		if d.IsNegative() {
			return n, fmt.Errorf("the %s is below zero, which Ghostfolio does not write; enter it by hand", field.name)
		}
		*field.to = d
	}
	if whole, places := market.MinorUnit(a.currency); whole != "" {
		n.currency, n.price, n.fee = whole, n.price.Shift(-places), n.fee.Shift(-places)
	}
	if !ValidCurrency(n.currency) {
		return n, fmt.Errorf("%q is no currency; enter it by hand with the right one", Shorten(a.currency))
	}
	return n, nil
}

// ghostfolioDayFirstLayouts are the layouts of a CSV that begin with the day.
func ghostfolioDayFirstLayouts() []string { return []string{"02-01-2006", "02/01/2006", "02.01.2006"} }

// ghostfolioLateHour is when no exchange trades any more: what is of that hour in UTC to the
// second is a day that was entered in Europe or to the east of it, by its midnight.
const ghostfolioLateHour = 21

// day reads the moments of exports, and days as Ghostfolio reads them in a CSV,
// where the day comes before the month. Midnight in UTC is a day that was entered
// without a time.
func (r *ghostfolioReader) day(text string) (market.Date, time.Time, error) {
	if d, err := ParseDay(text, append(ghostfolioDayFirstLayouts(), "2006-01-02", "2006/01/02", "2006.01.02", "20060102")...); err == nil {
		return d, time.Time{}, nil
	}
	instant, err := ParseTime(text, time.UTC, time.RFC3339Nano)
	if err != nil {
		return market.Date{}, time.Time{}, err
	}
	day := instant.Truncate(24 * time.Hour)
	if instant.Equal(day) {
		return day, time.Time{}, nil
	}
	if r.zone != nil {
		local := instant.In(r.zone)
		return DayOf(local), instant, nil
	}
	if instant.Hour() >= ghostfolioLateHour && instant.Equal(instant.Truncate(time.Hour)) {
		return market.Date{}, time.Time{}, fmt.Errorf("%w: %s is midnight where it was entered, and then of the day after: say the zone, as Europe/Berlin", ErrDay, Shorten(text))
	}
	return day, instant, nil
}
