package market

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/shopspring/decimal"
)

// Pair is a base currency priced in a quote currency: EUR in USD, BTC in EUR.
type Pair struct {
	Base  string `json:"base"`
	Quote string `json:"quote"`
}

func (p Pair) String() string { return p.Base + "/" + p.Quote }

// Inverse returns the pair with base and quote swapped.
func (p Pair) Inverse() Pair { return Pair{Base: p.Quote, Quote: p.Base} }

// CurrencyPair parses a currency pair in nfa's spelling, "EURUSD=X".
func (s Symbol) CurrencyPair() (Pair, bool) {
	text, ok := strings.CutSuffix(string(s), "=X")
	if !ok || len(text) != 6 || strings.ContainsFunc(text, func(r rune) bool { return !isLetter(r) }) {
		return Pair{}, false
	}
	return Pair{Base: text[:3], Quote: text[3:]}, true
}

// CoinPair parses a pair of a coin and a currency in nfa's spelling, "BTC-USD".
func (s Symbol) CoinPair() (Pair, bool) {
	base, quote, ok := strings.Cut(string(s), "-")
	if !ok || base == "" || len(quote) < 3 || len(quote) > 4 || strings.ContainsFunc(base+quote, func(r rune) bool { return !isAlphanumeric(r) }) {
		return Pair{}, false
	}
	return Pair{Base: base, Quote: quote}, true
}

// Rate is the price of one unit of the base currency on a day.
type Rate struct {
	Date  Date            `json:"date"` // of the rate itself
	Value decimal.Decimal `json:"value"`
}

// RateSeries holds daily rates of one pair from one source, oldest first.
type RateSeries struct {
	Pair
	Rates      []Rate     `json:"rates"`
	Provenance Provenance `json:"provenance"` // Currency is the quote currency
}

// maxRateGap is the maximum age in days of a rate used for a day without one. It covers weekends
// and holidays but not a currency that is no longer quoted.
const maxRateGap = 7

// On returns the last rate on or before day. If it is more than a week older, the error is
// ErrNoData.
func (s RateSeries) On(day Date) (Rate, error) {
	after := sort.Search(len(s.Rates), func(i int) bool { return s.Rates[i].Date.After(day) })
	if after == 0 {
		return Rate{}, fmt.Errorf("rate of %s on %s: %w", s.Pair, day.Format("2006-01-02"), ErrNoData)
	}
	found := s.Rates[after-1]
	if day.Sub(found.Date).Hours() > maxRateGap*24 {
		return Rate{}, fmt.Errorf("rate of %s on %s: %w: the latest earlier rate is from %s",
			s.Pair, day.Format("2006-01-02"), ErrNoData, found.Date.Format("2006-01-02"))
	}
	return found, nil
}

// RateSource provides daily exchange rates. A currency that it does not quote yields
// ErrUnknownSymbol, a known pair without rates in r ErrNoData. A zero From requests the last rate
// on or before To.
type RateSource interface {
	Rates(ctx context.Context, pair Pair, r Range) (RateSeries, error)
}

// Tenor is one point of a yield curve.
type Tenor struct {
	Label  string          `json:"tenor"` // "3M", "10Y"
	Months decimal.Decimal `json:"months"`
	Yield  decimal.Decimal `json:"yield"` // percent per year
}

// YieldCurve holds the yields of one day, shortest tenor first. A tenor that was not published is absent.
type YieldCurve struct {
	Name       string     `json:"name"` // "US Treasury par yield curve"
	Date       Date       `json:"date"`
	Tenors     []Tenor    `json:"tenors"`
	Provenance Provenance `json:"provenance"`
}

// Curves that a CurveSource may have.
const (
	CurveTreasury     = "us_treasury"
	CurveTreasuryReal = "us_treasury_real"
	CurveEuro         = "euro_area"
)

// CurveSource provides yield curves, oldest first. An unknown curve yields ErrUnknownSymbol, a
// range without curves ErrNoData. A zero From requests the last curve on or before To.
type CurveSource interface {
	YieldCurves(ctx context.Context, curve string, r Range) ([]YieldCurve, error)
}
