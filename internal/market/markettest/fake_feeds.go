package markettest

import (
	"context"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// FakeFeeds serves fixed data for sources without a contract test: searches, curves, rates, news, options and
// web pages. Set its fields before use. The zero value is empty.
type FakeFeeds struct {
	// Err, if set, is returned by every call, to simulate a source that is down.
	Err error
	// IgnoresQuery makes it ignore range, day, limit and bounds, to test the caller's own filters.
	IgnoresQuery bool

	Listed   []market.Instrument
	Curves   map[string][]market.YieldCurve // by curve, oldest first
	FX       map[market.Pair]market.RateSeries
	Articles []market.Article // newest first
	Chains   map[market.Symbol]market.OptionChain
	Pages    []market.WebResult
}

func (f *FakeFeeds) failure(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return f.Err
}

// Search lists the instruments whose symbol or name contains the text.
func (f *FakeFeeds) Search(ctx context.Context, text string, limit int) ([]market.Instrument, error) {
	if err := f.failure(ctx); err != nil {
		return nil, err
	}
	var found []market.Instrument
	for _, i := range f.Listed {
		if strings.Contains(strings.ToLower(string(i.Symbol)+" "+i.Name+" "+i.ISIN), strings.ToLower(text)) {
			found = append(found, i)
		}
	}
	return found[:f.limit(len(found), limit)], nil
}

func (f *FakeFeeds) limit(n, limit int) int {
	if f.IgnoresQuery || limit <= 0 {
		return n
	}
	return min(n, limit)
}

// YieldCurves returns the curves within r; without a start, the last one.
func (f *FakeFeeds) YieldCurves(ctx context.Context, curve string, r market.Range) ([]market.YieldCurve, error) {
	if err := f.failure(ctx); err != nil {
		return nil, err
	}
	all, ok := f.Curves[curve]
	if !ok {
		return nil, fmt.Errorf("test curve %q: %w", curve, market.ErrUnknownSymbol)
	}
	if f.IgnoresQuery {
		return all, nil
	}
	var found []market.YieldCurve
	for _, c := range all {
		if r.Contains(c.Date) {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("test curve %q: %w", curve, market.ErrNoData)
	}
	if r.From.IsZero() {
		found = found[len(found)-1:]
	}
	return found, nil
}

// Rates returns the rates within r; without a start, the last one.
func (f *FakeFeeds) Rates(ctx context.Context, pair market.Pair, r market.Range) (market.RateSeries, error) {
	if err := f.failure(ctx); err != nil {
		return market.RateSeries{}, err
	}
	s, ok := f.FX[pair]
	if !ok {
		return market.RateSeries{}, fmt.Errorf("test rates of %s: %w", pair, market.ErrUnknownSymbol)
	}
	if f.IgnoresQuery {
		return s, nil
	}
	var found []market.Rate
	for _, one := range s.Rates {
		if r.Contains(one.Date) {
			found = append(found, one)
		}
	}
	if len(found) == 0 {
		return market.RateSeries{}, fmt.Errorf("test rates of %s: %w", pair, market.ErrNoData)
	}
	if r.From.IsZero() {
		found = found[len(found)-1:]
	}
	s.Rates, s.Provenance.AsOf = found, found[len(found)-1].Date
	return s, nil
}

// News returns the matching articles that have the symbol or contain the text of the query.
func (f *FakeFeeds) News(ctx context.Context, q market.NewsQuery) ([]market.Article, error) {
	if err := f.failure(ctx); err != nil {
		return nil, err
	}
	if f.IgnoresQuery {
		return f.Articles, nil
	}
	var found []market.Article
	for _, a := range f.Articles {
		about := q.Symbol == "" || strings.Contains(fmt.Sprint(a.Symbols), string(q.Symbol))
		if about && strings.Contains(strings.ToLower(a.Title), strings.ToLower(q.Text)) && q.Matches(a.Published) {
			found = append(found, a)
		}
	}
	return found[:f.limit(len(found), q.Limit)], nil
}

// OptionChain returns the chain of a symbol. Each chain has one expiry.
func (f *FakeFeeds) OptionChain(ctx context.Context, sym market.Symbol, expiry market.Date) (market.OptionChain, error) {
	if err := f.failure(ctx); err != nil {
		return market.OptionChain{}, err
	}
	c, ok := f.Chains[sym]
	switch {
	case !ok:
		return c, fmt.Errorf("test options of %q: %w", sym, market.ErrUnknownSymbol)
	case !expiry.IsZero() && !expiry.Equal(c.Expiry):
		return c, fmt.Errorf("test options of %q: %w", sym, market.ErrNoData)
	}
	return c, nil
}

// SearchWeb returns the pages whose title contains the text.
func (f *FakeFeeds) SearchWeb(ctx context.Context, text string, limit int) ([]market.WebResult, error) {
	if err := f.failure(ctx); err != nil {
		return nil, err
	}
	var found []market.WebResult
	for _, p := range f.Pages {
		if f.IgnoresQuery || strings.Contains(strings.ToLower(p.Title), strings.ToLower(text)) {
			found = append(found, p)
		}
	}
	return found[:f.limit(len(found), limit)], nil
}

// Curve returns a yield curve from pairs of months and percent: Curve(day, "3", "4.1", "120", "4.0"). It
// panics on malformed pairs.
func Curve(day market.Date, monthsAndYields ...string) market.YieldCurve {
	c := market.YieldCurve{
		Name: "curve of the test", Date: day,
		Provenance: market.Provenance{Source: "markettest", AsOf: day, FetchedAt: day, Unit: "percent", Adjustment: market.AdjustmentUnknown},
	}
	for i := 0; i < len(monthsAndYields); i += 2 {
		months := decimal.RequireFromString(monthsAndYields[i])
		label := months.String() + "M"
		if years := months.Div(decimal.NewFromInt(12)); years.IsInteger() {
			label = years.String() + "Y"
		}
		c.Tenors = append(c.Tenors, market.Tenor{Label: label, Months: months, Yield: decimal.RequireFromString(monthsAndYields[i+1])})
	}
	return c
}

// DailyRates returns rates of a pair on consecutive days from first on. It panics on a malformed rate.
func DailyRates(pair market.Pair, first market.Date, values ...string) market.RateSeries {
	s := market.RateSeries{
		Pair:       pair,
		Provenance: market.Provenance{Source: "markettest", Currency: pair.Quote, Unit: "rate", Adjustment: market.AdjustmentUnknown},
	}
	for i, text := range values {
		s.Rates = append(s.Rates, market.Rate{Date: first.AddDate(0, 0, i), Value: decimal.RequireFromString(text)})
		s.Provenance.AsOf = first.AddDate(0, 0, i)
	}
	s.Provenance.FetchedAt = s.Provenance.AsOf
	return s
}
