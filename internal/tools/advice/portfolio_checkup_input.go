package advice

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// checkupPortfolio collects the inputs of the rules.
func (d SuitabilityDeps) checkupPortfolio(ctx context.Context, o positions.Portfolio, v positions.Valuation, profile investorProfile) (rebalance.Portfolio, error) {
	b := rebalance.Portfolio{Day: v.Day, Base: v.Base, Targets: o.Targets, Unpriced: v.Unvalued()}
	if !v.Total.IsPositive() {
		b.NoWeightsReason = "the market value of the portfolio is zero or negative, so it has no weights"
		if len(b.Unpriced) > 0 {
			b.NoWeightsReason = "no position has a market value"
		}
	}
	for _, l := range v.Lines {
		if l.Base.Valid {
			b.Positions = append(b.Positions, newCheckupHolding(o, l))
		}
	}
	b.Cash = cashByCurrency(v)
	b.UntrackedCash = o.UntrackedCash(v.Accounts)
	rates := d.NewRateCache()
	b.Reserve = profile.reserve(ctx, rates, v)
	b.IncomeSources, b.UnvaluedIncome = incomePayers(ctx, rates, o, v)
	series, unpaired, err := d.pastSeries(ctx, v)
	if err != nil {
		return b, err
	}
	b.Pairs, b.Uncorrelated = rebalance.CorrelatePositions(series, v.Day)
	b.Uncorrelated = append(unpaired, b.Uncorrelated...)
	return b, ctx.Err()
}

func newCheckupHolding(o positions.Portfolio, l positions.ValuedPosition) rebalance.CheckedPosition {
	f, kind := securityFactsOn(o, l.Symbol), kindOf(l.Price)
	asOf := l.Price.Provenance.AsOf
	return rebalance.CheckedPosition{
		Symbol: l.Symbol, Weight: l.Weight.Decimal, Form: formOf(f, kind), Class: classOf(f, kind), Region: f.Region,
		Currency: l.Price.Provenance.Currency, Fee: f.Fee, PricedOn: toolkit.Today(asOf), PriceWarning: priceFlags(l.Price.Provenance),
	}
}

// cashByCurrency adds up the cash of all accounts by currency.
func cashByCurrency(v positions.Valuation) []rebalance.CashWeight {
	var out []rebalance.CashWeight
	for _, c := range v.Cash {
		if !c.Weight.Valid {
			continue
		}
		i := slices.IndexFunc(out, func(have rebalance.CashWeight) bool { return have.Currency == c.Currency })
		if i < 0 {
			out = append(out, rebalance.CashWeight{Currency: c.Currency})
			i = len(out) - 1
		}
		out[i].Weight = out[i].Weight.Add(c.Weight.Decimal)
	}
	return out
}

// reserveYears is how far ahead the user's needs count.
const reserveYears = 1 // year

// reserve returns the cash needed within a year: the user's needs until then, or the minimum cash
// of the profile if that is more. It is unknown if neither is recorded or a rate is missing.
func (p investorProfile) reserve(ctx context.Context, rates *positions.RateCache, v positions.Valuation) decimal.NullDecimal {
	if !v.Total.IsPositive() || p.Needs == nil && p.Limits.CashAmount.IsZero() && !p.Limits.CashShare.Valid {
		return decimal.NullDecimal{}
	}
	sum, known := decimal.Zero, true
	part := func(amount decimal.Decimal, currency string) decimal.Decimal {
		rate, err := rates.On(ctx, currency, v.Base, v.Day)
		known = known && err == nil
		return amount.Mul(rate.Value).DivRound(v.Total, weightPlaces)
	}
	for _, n := range p.Needs {
		if !n.Amount.IsZero() && !n.By.After(v.Day.AddDate(reserveYears, 0, 0)) {
			sum = sum.Add(part(n.Amount.Amount, n.Amount.Currency))
		}
	}
	if least := p.Limits.CashAmount; !least.IsZero() {
		sum = decimal.Max(sum, part(least.Amount, least.Currency))
	}
	if p.Limits.CashShare.Valid {
		sum = decimal.Max(sum, p.Limits.CashShare.Decimal)
	}
	return decimal.NullDecimal{Decimal: sum, Valid: known}
}

const weightPlaces = 16

// incomePayers returns the dividends and interest of the last twelve months, each converted at the
// rate of its day.
func incomePayers(ctx context.Context, rates *positions.RateCache, o positions.Portfolio, v positions.Valuation) (payers []rebalance.IncomeSource, unpaid []string) {
	first := v.Day.AddDate(-1, 0, 1)
	for _, i := range o.Engine.Incomes() {
		paid := i.Kind == portfolio.KindDividend || i.Kind == portfolio.KindReinvest || i.Kind == portfolio.KindInterest
		if !paid || !v.Total.IsPositive() || i.Date.Before(first) || !slices.Contains(v.Accounts, i.Account) {
			continue
		}
		name := string(i.Symbol)
		if name == "" {
			name = "cash"
		}
		if i.Currency != v.Base {
			// Fetch the rates once for the whole year.
			_, _ = rates.Since(ctx, market.Pair{Base: i.Currency, Quote: v.Base}, first)
		}
		rate, err := rates.On(ctx, i.Currency, v.Base, i.Date)
		if err != nil {
			unpaid = append(unpaid, fmt.Sprintf("%s on %s: %v", name, i.Date.Format("2006-01-02"), err))
			continue
		}
		at := slices.IndexFunc(payers, func(p rebalance.IncomeSource) bool { return p.Name == name })
		if at < 0 {
			payers, at = append(payers, rebalance.IncomeSource{Name: name}), len(payers)
		}
		payers[at].Share = payers[at].Share.Add(i.Amount.Mul(rate.Value).DivRound(v.Total, weightPlaces))
	}
	return payers, unpaid
}

// maxCorrelated limits the number of positions that are compared in pairs.
const maxCorrelated = 40

// pastSeries returns three years of closes of the largest positions. The prices of the valuation go
// back only to the oldest lot.
func (d SuitabilityDeps) pastSeries(ctx context.Context, v positions.Valuation) (series []market.Series, missing []string, err error) {
	lines := slices.DeleteFunc(slices.Clone(v.Lines), func(l positions.ValuedPosition) bool { return !l.Base.Valid })
	if len(lines) > maxCorrelated {
		lines, missing = lines[:maxCorrelated], []string{fmt.Sprintf("only the %d largest positions are compared", maxCorrelated)}
	}
	if len(lines) < 2 {
		return nil, nil, nil
	}
	since := v.Day.AddDate(-rebalance.CorrelationYears, 0, 0)
	known, needed := map[market.Symbol]market.Series{}, []market.Symbol{}
	for _, l := range lines {
		if bars := l.Price.Series.Bars; len(bars) > 0 && !bars[0].Date.After(since) {
			known[l.Symbol] = l.Price.Series
		} else {
			needed = append(needed, l.Symbol)
		}
	}
	found, failed, err := toolkit.FetchAll(ctx, needed, func(ctx context.Context, sym market.Symbol) (market.Series, error) {
		s, _, err := d.HistoryOfSymbol(ctx, sym, toolkit.Since(since))
		return s, err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("compare positions: %w", err)
	}
	maps.Copy(known, found)
	for _, l := range lines {
		if err := failed[l.Symbol]; err != nil {
			missing = append(missing, fmt.Sprintf("%s: %v", l.Symbol, err))
		} else {
			series = append(series, known[l.Symbol])
		}
	}
	return series, missing, nil
}
