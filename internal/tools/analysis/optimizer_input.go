package analysis

import "errors"

// assetsInput is what both tools ask about: the assets, what is expected of them,
// and what the weights must keep to.
type assetsInput struct {
	Symbols []string    `json:"symbols,omitempty" jsonschema:"2 to 30 ticker symbols such as AAPL, in any case; all in one currency"`
	Prices  *priceTable `json:"prices,omitempty" jsonschema:"closes of your own instead of symbols"`
	Range   string      `json:"range,omitempty" jsonschema:"1y, 3y, 5y, 10y, ytd or max, counted back from the last close that all have; 5y when neither this nor from and to are given"`
	From    string      `json:"from,omitempty" jsonschema:"first day, YYYY-MM-DD; not together with range"`
	To      string      `json:"to,omitempty" jsonschema:"last day, YYYY-MM-DD; not together with range"`

	Expected     string             `json:"expected_returns,omitempty" jsonschema:"mean (compounded past return a year; the default), capm, or given"`
	GivenReturns map[string]float64 `json:"given_returns,omitempty" jsonschema:"with given: the expected return a year of each asset, a fraction"`
	Benchmark    string             `json:"benchmark,omitempty" jsonschema:"with capm: symbol, or name in prices, of the market, which gets no weight; all assets in equal weights when left out"`

	Covariance string  `json:"covariance,omitempty" jsonschema:"sample (the default), ledoit_wolf (shrunk towards equal variances without correlation), or exponential"`
	Span       float64 `json:"span,omitempty" jsonschema:"with exponential: of the decay 2/(span+1); 180 when left out"`

	MinWeight *float64         `json:"min_weight,omitempty" jsonschema:"of each asset; 0 when left out, negative allows short positions"`
	MaxWeight *float64         `json:"max_weight,omitempty" jsonschema:"of each asset; 1 when left out"`
	Bounds    map[string]bound `json:"bounds,omitempty" jsonschema:"for single assets, by symbol"`
	Sectors   []sectorLimit    `json:"sector_limits,omitempty" jsonschema:"limits for the sum of several weights"`

	RiskFree  float64 `json:"risk_free_rate,omitempty" jsonschema:"a year, a fraction (0.04 is 4 %); 0 when left out"`
	Frequency float64 `json:"frequency,omitempty" jsonschema:"periods a year; 252 for daily (365 for those of every day of the week), 52 for weekly and 12 for monthly closes when left out"`
}

type priceTable struct {
	Dates    []string              `json:"dates" jsonschema:"YYYY-MM-DD, oldest first"`
	Series   map[string][]*float64 `json:"series" jsonschema:"for each asset a close for each date, null where it has none"`
	Currency string                `json:"currency,omitempty" jsonschema:"ISO 4217 code of all closes"`
}

type bound struct {
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
}

type sectorLimit struct {
	Sector  string   `json:"sector" jsonschema:"its name"`
	Symbols []string `json:"symbols" jsonschema:"the assets in it"`
	Min     *float64 `json:"min,omitempty" jsonschema:"least sum of their weights"`
	Max     *float64 `json:"max,omitempty" jsonschema:"most"`
}

// errInvalidInput marks arguments that make no question; what is wrong follows.
var errInvalidInput = errors.New("cannot allocate")

const (
	minAssets     = 2
	maxFetched    = 30
	maxGiven      = 100
	maxDates      = 10000
	maxSectors    = 20
	maxNameLength = 40 // of a name
)
