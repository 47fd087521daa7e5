package analysis

import "errors"

// assetsDetails describes assetsInput.
const assetsDetails = `By default, expected_returns is mean, the compounded past annual return. capm uses benchmark (a symbol, or a name in prices, that receives no weight), or all assets in equal weights. given takes given_returns, annual fractions by symbol. covariance is sample (default), ledoit_wolf (shrunk toward equal variances without correlation) or exponential with the decay 2/(span+1), span 180 by default. A negative min_weight allows short positions. sector_limits is a list of {"sector", "symbols", "min", "max"} for the sum of several weights. frequency is the number of periods per year: by default 252 for daily closes (365 if they include every day of the week), 52 for weekly and 12 for monthly closes. prices takes own closes as {"dates", "series", "currency"}: a close per date for each asset, or null. All assets must be in one currency.`

// assetsInput is what both tools ask about: the assets, what is expected of them,
// and what the weights must keep to.
type assetsInput struct {
	Symbols []string    `json:"symbols,omitempty" jsonschema:"2 to 30 symbols in one currency, such as [\"AAPL\", \"MSFT\"]."`
	Prices  *priceTable `json:"prices,omitempty" arg:"rare" jsonschema:"Own closes instead of symbols."`
	Range   string      `json:"range,omitempty" jsonschema:"To the last common close: 1y, 3y, 5y, 10y, ytd, max. Default 5y."`
	From    string      `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`
	To      string      `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD. Not with range."`

	Expected     string             `json:"expected_returns,omitempty" arg:"rare" jsonschema:"mean (past return, default), capm or given."`
	GivenReturns map[string]float64 `json:"given_returns,omitempty" arg:"rare" jsonschema:"With given: annual return by symbol, such as {\"AAPL\": 0.08}."`
	Benchmark    string             `json:"benchmark,omitempty" arg:"rare" jsonschema:"With capm: the market. Default: all assets, equal weights."`

	Covariance string  `json:"covariance,omitempty" arg:"rare" jsonschema:"sample (default), ledoit_wolf or exponential."`
	Span       float64 `json:"span,omitempty" arg:"rare" jsonschema:"With exponential: span of the decay. Default 180."`

	MinWeight *float64         `json:"min_weight,omitempty" arg:"rare" jsonschema:"Of each asset. Default 0; negative allows short positions."`
	MaxWeight *float64         `json:"max_weight,omitempty"`
	Bounds    map[string]bound `json:"bounds,omitempty" arg:"rare" jsonschema:"By symbol: {\"AAPL\": {\"min\": 0.1, \"max\": 0.2}}."`
	Sectors   []sectorLimit    `json:"sector_limits,omitempty" arg:"rare" jsonschema:"Limits for the sum of several weights."`

	RiskFree  float64 `json:"risk_free_rate,omitempty" arg:"rare" jsonschema:"Annual, such as 0.04. Default 0."`
	Frequency float64 `json:"frequency,omitempty" arg:"rare" jsonschema:"Periods per year. Default: from the closes."`
}

type priceTable struct {
	Dates    []string              `json:"dates" jsonschema:"YYYY-MM-DD, oldest first."`
	Series   map[string][]*float64 `json:"series" jsonschema:"Closes by asset, one for each date, or null."`
	Currency string                `json:"currency,omitempty" jsonschema:"ISO 4217 code of all closes."`
}

type bound struct {
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
}

type sectorLimit struct {
	Sector  string   `json:"sector" jsonschema:"Name of the sector."`
	Symbols []string `json:"symbols" jsonschema:"Assets in the sector."`
	Min     *float64 `json:"min,omitempty" jsonschema:"Minimum of their total weight."`
	Max     *float64 `json:"max,omitempty" jsonschema:"Maximum of their total weight."`
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
