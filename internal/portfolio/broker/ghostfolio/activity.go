package ghostfolio

import (
	"errors"
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

func (r *reader) add(a activity) {
	t, err := r.transaction(a)
	if err != nil {
		r.collector.Leave(err, a.row)
		return
	}
	r.collector.Add(t, a.id, a.row)
}

func (r *reader) transaction(a activity) (portfolio.Transaction, error) {
	t := portfolio.Transaction{Account: r.accountOf(a), Note: sheet.Shorten(a.note)}
	if a.broken != nil {
		return t, fmt.Errorf("it is not written as an activity: %w", a.broken)
	}
	if a.draft {
		return t, broker.LeftOut("a draft, which Ghostfolio does not count either")
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
		return t, broker.LeftOut("nothing was bought, sold or paid")
	}
	return r.booked(t, a, n)
}

// booked makes a transaction of what the activity's type says.
func (r *reader) booked(t portfolio.Transaction, a activity, n numbers) (portfolio.Transaction, error) {
	// Far below any coin, and within the digits that a book takes.
	value := n.quantity.Mul(n.price).Round(12)
	switch a.kind {
	case "BUY", "SELL", "DIVIDEND":
		t.Kind = map[string]portfolio.Kind{"BUY": portfolio.KindBuy, "SELL": portfolio.KindSell, "DIVIDEND": portfolio.KindDividend}[a.kind]
		t.Amount, t.Fee = value, n.fee
		if a.kind != "DIVIDEND" {
			t.Quantity, t.Price = n.quantity, decimal.NewNullDecimal(n.price)
		}
		return t, r.security(a, &t)
	case "INTEREST":
		t.Kind, t.Amount, t.Fee = portfolio.KindInterest, value, n.fee
		r.optional(a, &t)
		return t, nil
	case "FEE":
		t.Kind, t.Amount = portfolio.KindFee, n.fee
		if !value.IsZero() && !value.Equal(n.fee) {
			return t, fmt.Errorf("a fee of %s with a value of %s, of which Ghostfolio counts the fee alone; enter by hand what was paid", n.fee, value)
		}
		r.optional(a, &t)
		return t, nil
	case "ITEM", "VALUABLE":
		return t, errors.New("a thing of value and not a security; enter it by hand under a symbol that no exchange uses")
	case "LIABILITY":
		return t, errors.New("debts are not kept in the book")
	default:
		return t, fmt.Errorf("%q is no type of activity that is known; enter it by hand", sheet.Shorten(a.kind))
	}
}

// accountOf calls accounts by the name that the file gives them, and else by their ID.
func (r *reader) accountOf(a activity) string {
	if named := r.accounts[a.account]; named != "" {
		return r.collector.Account(named)
	}
	return r.collector.Account(a.account)
}

// numbers are an activity's amounts, in whole units of a currency.
type numbers struct {
	quantity, price, fee decimal.Decimal
	currency             string
}

func (a activity) numbers() (numbers, error) {
	n := numbers{currency: a.currency}
	for _, field := range []struct {
		name, text string
		to         *decimal.Decimal
	}{{"quantity", a.quantity, &n.quantity}, {"unit price", a.price, &n.price}, {"fee", a.fee, &n.fee}} {
		if field.text == "" {
			return n, fmt.Errorf("the %s is missing; enter it by hand", field.name)
		}
		d, err := sheet.Number(field.text, sheet.Point)
		if err != nil {
			return n, fmt.Errorf("%s: %w", field.name, err)
		}
		if d.IsNegative() {
			return n, fmt.Errorf("the %s is below zero, which Ghostfolio does not write; enter it by hand", field.name)
		}
		*field.to = d
	}
	if whole, places := market.Minor(a.currency); whole != "" {
		n.currency, n.price, n.fee = whole, n.price.Shift(-places), n.fee.Shift(-places)
	}
	if !broker.ValidCurrency(n.currency) {
		return n, fmt.Errorf("%q is no currency; enter it by hand with the right one", sheet.Shorten(a.currency))
	}
	return n, nil
}

// dayFirst are the layouts of a CSV that begin with the day.
func dayFirst() []string { return []string{"02-01-2006", "02/01/2006", "02.01.2006"} }

// lateHour is when no exchange trades any more: what is of that hour in UTC to the
// second is a day that was entered in Europe or to the east of it, by its midnight.
const lateHour = 21

// day reads the moments of exports, and days as Ghostfolio reads them in a CSV,
// where the day comes before the month. Midnight in UTC is a day that was entered
// without a time.
func (r *reader) day(text string) (market.Date, time.Time, error) {
	if d, err := sheet.Day(text, append(dayFirst(), "2006-01-02", "2006/01/02", "2006.01.02", "20060102")...); err == nil {
		return d, time.Time{}, nil
	}
	instant, err := sheet.Moment(text, time.UTC, time.RFC3339Nano)
	if err != nil {
		return market.Date{}, time.Time{}, err
	}
	day := instant.Truncate(24 * time.Hour)
	if instant.Equal(day) {
		return day, time.Time{}, nil
	}
	if r.zone != nil {
		local := instant.In(r.zone)
		return sheet.DayOf(local), instant, nil
	}
	if instant.Hour() >= lateHour && instant.Equal(instant.Truncate(time.Hour)) {
		return market.Date{}, time.Time{}, fmt.Errorf("%w: %s is midnight where it was entered, and then of the day after: say the zone, as Europe/Berlin", sheet.ErrDay, sheet.Shorten(text))
	}
	return day, instant, nil
}
