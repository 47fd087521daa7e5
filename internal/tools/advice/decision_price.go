package advice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// pricedMark is an asset with its price of a day.
type pricedMark struct {
	investor.PricedAsset
	notes []string // why its price is not kept
	// adjusted tells that its source has that price on the scale of later alone.
	adjusted bool
}

// priceMark is what text names with its price of the day at which then stands. A price
// that cannot be of that day is left out, and the remark says why.
func priceMark(ctx context.Context, prices toolkit.LatestPrices, text string) (pricedMark, error) {
	var sym market.Symbol
	q, err := toolkit.LookUp(ctx, prices.Directory, text, func(s market.Symbol) (market.Quote, error) {
		sym = s
		return prices.Price(ctx, s)
	})
	m := pricedMark{PricedAsset: investor.PricedAsset{Symbol: sym}}
	if errors.Is(err, toolkit.ErrUnknownScale) {
		m.adjusted, m.notes = true, []string{fmt.Sprintf("%s: there is no price of the market: %v", sym, err)}
		return m, nil
	}
	if err != nil {
		return m, err
	}
	m.Symbol = q.Symbol
	asOf := prices.DayOf(q.Provenance.AsOf)
	unpriced := func(why string) (pricedMark, error) {
		m.notes = []string{fmt.Sprintf("%s: its price is not kept, because %s", m.Symbol, why)}
		return m, nil
	}
	switch {
	case q.Provenance.Has(market.FlagSample):
		return unpriced("it is of the embedded sample and not of the market")
	case prices.Today().Sub(asOf) > maxMarkAge:
		return unpriced("the newest is of " + toolkit.FormatDate(asOf))
	case !q.Price.IsPositive():
		return unpriced("it is not above zero")
	}
	m.Price, m.Currency, m.AsOf, m.Source = decimal.NewNullDecimal(q.Price), q.Provenance.Currency, asOf, q.Provenance.Source
	if prices.Replay {
		m.Source += ", looked up later"
	}
	return m, nil
}

// tradingCurrency is the currency of a symbol's closes, "" where there are none: it is the same
// on whichever scale they are.
func tradingCurrency(ctx context.Context, prices toolkit.LatestPrices, sym market.Symbol) string {
	sp, err := toolkit.ParsePeriod("", toolkit.FormatDate(prices.Today().AddDate(0, 0, -lookbackDays)), "", "")
	if err != nil {
		return ""
	}
	series, _, err := prices.HistoryOfSymbol(ctx, sym, sp)
	if err != nil || series.Provenance.Has(market.FlagSample) {
		return ""
	}
	return series.Provenance.Currency
}

// applyStatedPrice is m with the price that the user names. Its currency is that of the market
// unless they name another. The market's is compared with it where that is known as it
// was paid: a close on the scale of later splits is no price of then.
func (in decisionInput) applyStatedPrice(ctx context.Context, prices toolkit.LatestPrices, m pricedMark, day market.Date) (pricedMark, error) {
	price, err := toolkit.ParseExact("price", in.price)
	if err != nil {
		return m, toolkit.InvalidArgs(err)
	}
	code, err := toolkit.ParseCurrency(in.Currency)
	if err != nil {
		return m, toolkit.InvalidArgs(err)
	}
	quoted := m.Currency
	if m.adjusted {
		quoted = tradingCurrency(ctx, prices, m.Symbol)
	}
	if code = cmp.Or(code, quoted); code == "" && !m.Price.Valid {
		return m, toolkit.InvalidArgsf("currency of the price of %s: it is not known from the market; give it", m.Symbol)
	}
	var remarks []string
	switch {
	case m.adjusted:
		remarks = m.notes // it is why nothing is compared
	case m.Price.Valid && code == m.Currency:
		deviation := price.DivRound(m.Price.Decimal, 4).Sub(decimal.NewFromInt(1)).Shift(2)
		if deviation.Abs().GreaterThan(maxPriceDeviationPct()) {
			remarks = []string{fmt.Sprintf("%s: the price is %s %% off that of %s, %s %s", m.Symbol, toolkit.FormatSigned(deviation, 1), m.Source, m.Price.Decimal, m.Currency)}
		}
	}
	return pricedMark{PricedAsset: investor.PricedAsset{Symbol: m.Symbol, Price: decimal.NewNullDecimal(price), Currency: code, AsOf: day, Source: statedPrice}, notes: remarks}, nil
}

// maxPriceDeviationPct is from how many per cent on a price of the user's own looks like a mistake.
func maxPriceDeviationPct() decimal.Decimal { return decimal.NewFromInt(20) }

// benchmarkMark is what the decision is held against: what the call names, else the
// user's setting. Where there is neither, it is asked for.
func (j *journalTool) benchmarkMark(ctx context.Context, prices toolkit.LatestPrices, in decisionInput, d investor.Decision) (*investor.PricedAsset, []string, error) {
	text := strings.TrimSpace(in.Benchmark)
	if text == "" {
		text = j.Benchmark
	}
	switch {
	case text == "":
		return nil, nil, toolkit.InvalidArgsf(`no benchmark: what could the money have done instead? It takes a symbol, such as that of a broad fund, or "none" for a decision that is never judged`)
	case strings.EqualFold(text, noBenchmark):
		return nil, []string{"without a benchmark: it will be neither right nor wrong"}, nil
	}
	m, err := priceMark(ctx, prices, text)
	remarks := m.notes
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("benchmark: %w", err)
	case slices.ContainsFunc(d.Assets, func(o investor.PricedAsset) bool { return o.Symbol == m.Symbol }):
		return nil, nil, toolkit.InvalidArgsf("the benchmark %s is what the decision is about; name another", m.Symbol)
	}
	for _, o := range d.Assets {
		if o.Price.Valid && m.Price.Valid && o.Currency != m.Currency {
			remarks = append(remarks, fmt.Sprintf("%s is in %s and the benchmark %s in %s: the review cannot compare them", o.Symbol, currencyOr(o.Currency), m.Symbol, currencyOr(m.Currency)))
		}
	}
	return &m.PricedAsset, remarks, nil
}
