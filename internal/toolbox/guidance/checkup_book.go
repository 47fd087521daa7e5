package guidance

import (
	"context"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/checkup"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// bookOf gathers what the rules look at.
func (d Deps) bookOf(ctx context.Context, o book.Opened, v book.Valuation, who person) (checkup.Book, error) {
	b := checkup.Book{Day: v.Day, Base: v.Base, Targets: o.Targets, Unpriced: v.Unvalued()}
	if !v.Total.IsPositive() {
		b.Weightless = "the book is not worth more than nothing, so there are no weights"
		if len(b.Unpriced) > 0 {
			b.Weightless = "nothing in the book has a worth"
		}
	}
	for _, l := range v.Lines {
		if l.Base.Valid {
			b.Holdings = append(b.Holdings, holdingOf(o, l))
		}
	}
	b.Cash = cashOf(v)
	for _, a := range o.Ledger.Accounts {
		if a.Cash == portfolio.CashUntracked && slices.Contains(v.Accounts, a.Name) {
			b.CashElsewhere = append(b.CashElsewhere, a.Name)
		}
	}
	rates := d.NewRates()
	b.Reserve = who.reserve(ctx, rates, v)
	b.Payers, b.Unpaid = payersOf(ctx, rates, o, v)
	series, unpaired, err := d.past(ctx, v)
	if err != nil {
		return b, err
	}
	b.Pairs, b.Unpaired = checkup.Correlate(series, v.Day)
	b.Unpaired = append(unpaired, b.Unpaired...)
	return b, ctx.Err()
}

func holdingOf(o book.Opened, l book.Line) checkup.Holding {
	f, kind := factsOn(o, l.Symbol), kindOf(l.Price)
	asOf := l.Price.Provenance.AsOf
	return checkup.Holding{
		Symbol: l.Symbol, Weight: l.Weight.Decimal, Form: formOf(f, kind), Class: classOf(f, kind), Region: f.Region,
		Currency: l.Price.Provenance.Currency, Fee: f.Fee, PricedOn: question.Today(asOf), Doubt: unlike(l.Price.Provenance),
	}
}

// cashOf adds up the accounts by currency.
func cashOf(v book.Valuation) []checkup.Cash {
	var out []checkup.Cash
	for _, c := range v.Cash {
		if !c.Weight.Valid {
			continue
		}
		i := slices.IndexFunc(out, func(have checkup.Cash) bool { return have.Currency == c.Currency })
		if i < 0 {
			out = append(out, checkup.Cash{Currency: c.Currency})
			i = len(out) - 1
		}
		out[i].Weight = out[i].Weight.Add(c.Weight.Decimal)
	}
	return out
}

// within is how far ahead needs count.
const within = 1 // year

// reserve is what has to be at hand within a year: needs until then, or the least
// cash of the profile where that is more. It is not known where neither was said,
// or where a rate is missing.
func (p person) reserve(ctx context.Context, rates *book.Rates, v book.Valuation) decimal.NullDecimal {
	if !v.Total.IsPositive() || p.Needs == nil && p.Limits.CashAmount.IsZero() && !p.Limits.CashPart.Valid {
		return decimal.NullDecimal{}
	}
	sum, known := decimal.Zero, true
	part := func(amount decimal.Decimal, currency string) decimal.Decimal {
		rate, err := rates.On(ctx, currency, v.Base, v.Day)
		known = known && err == nil
		return amount.Mul(rate.Value).DivRound(v.Total, weightPlaces)
	}
	for _, n := range p.Needs {
		if !n.Amount.IsZero() && !n.By.After(v.Day.AddDate(within, 0, 0)) {
			sum = sum.Add(part(n.Amount.Amount, n.Amount.Currency))
		}
	}
	if least := p.Limits.CashAmount; !least.IsZero() {
		sum = decimal.Max(sum, part(least.Amount, least.Currency))
	}
	if p.Limits.CashPart.Valid {
		sum = decimal.Max(sum, p.Limits.CashPart.Decimal)
	}
	return decimal.NullDecimal{Decimal: sum, Valid: known}
}

const weightPlaces = 12

// payersOf are the dividends and interest of twelve months, each converted at the
// rate of its day.
func payersOf(ctx context.Context, rates *book.Rates, o book.Opened, v book.Valuation) (payers []checkup.Payer, unpaid []string) {
	first := v.Day.AddDate(-1, 0, 1)
	for _, i := range o.Book.Incomes() {
		paid := i.Kind == portfolio.KindDividend || i.Kind == portfolio.KindReinvest || i.Kind == portfolio.KindInterest
		if !paid || !v.Total.IsPositive() || i.Date.Before(first) || !slices.Contains(v.Accounts, i.Account) {
			continue
		}
		name := string(i.Symbol)
		if name == "" {
			name = "cash"
		}
		if i.Currency != v.Base {
			// Once for the whole year: each day is a part of it.
			_, _ = rates.Since(ctx, market.Pair{Base: i.Currency, Quote: v.Base}, first)
		}
		rate, err := rates.On(ctx, i.Currency, v.Base, i.Date)
		if err != nil {
			unpaid = append(unpaid, fmt.Sprintf("%s on %s: %v", name, i.Date.Format("2006-01-02"), err))
			continue
		}
		at := slices.IndexFunc(payers, func(p checkup.Payer) bool { return p.Name == name })
		if at < 0 {
			payers, at = append(payers, checkup.Payer{Name: name}), len(payers)
		}
		payers[at].Part = payers[at].Part.Add(i.Amount.Mul(rate.Value).DivRound(v.Total, weightPlaces))
	}
	return payers, unpaid
}

// mostCompared bounds the holdings that are compared two by two.
const (
	mostCompared = 40
	atOneTime    = 4
)

// past are the closes of three years of the largest holdings. The book's own prices
// reach back no further than its oldest lot.
func (d Deps) past(ctx context.Context, v book.Valuation) (series []market.Series, without []string, err error) {
	var lines []book.Line
	for _, l := range v.Lines {
		if !l.Base.Valid {
			continue
		}
		if len(lines) == mostCompared {
			without = append(without, fmt.Sprintf("only the %d largest holdings are compared", mostCompared))
			break
		}
		lines = append(lines, l)
	}
	if len(lines) < 2 {
		return nil, nil, nil
	}
	since := v.Day.AddDate(-checkup.Years, 0, 0)
	sp, err := question.ParseSpan("", since.Format("2006-01-02"), "", "")
	if err != nil {
		return nil, nil, err
	}
	all, failed := make([]market.Series, len(lines)), make([]error, len(lines))
	group, ctx := crash.WithContext(ctx)
	group.SetLimit(atOneTime)
	for i, l := range lines {
		if bars := l.Price.Series.Bars; len(bars) > 0 && !bars[0].Date.After(since) {
			all[i] = l.Price.Series
			continue
		}
		group.Go(func() error {
			all[i], _, failed[i] = d.HistoryOf(ctx, l.Symbol, sp)
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, fmt.Errorf("comparing the holdings: %w", err)
	}
	for i, l := range lines {
		if failed[i] != nil {
			without = append(without, fmt.Sprintf("%s: %v", l.Symbol, failed[i]))
			continue
		}
		series = append(series, all[i])
	}
	return series, without, nil
}
