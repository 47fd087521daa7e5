package analysis

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// assetsDetails describes assetsInput.
const assetsDetails = `By default, expected_returns is mean, the compounded past annual return. capm uses benchmark (a symbol or a name in prices; it receives no weight), or all assets at equal weights. given uses given_returns, annual returns as fractions, by symbol. covariance is sample (default), ledoit_wolf (shrunk toward equal variances without correlation) or exponential (smoothing factor 2/(span+1), span 180 by default). A negative min_weight allows short positions. sector_limits is a list of {"sector", "symbols", "min", "max"} for the total weight of several symbols. frequency is the number of periods per year: by default 252 for daily closes (365 if they include every day of the week), 52 for weekly and 12 for monthly closes. prices takes your own closes as {"dates", "series", "currency"}: a close per date for each asset, or null. All assets must be in one currency.`

// assetsInput holds the arguments of both tools: the assets, the estimates, and the limits of the
// weights.
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

	MinWeight *float64         `json:"min_weight,omitempty" arg:"rare" jsonschema:"For each asset. Default 0; negative allows short positions."`
	MaxWeight *float64         `json:"max_weight,omitempty"`
	Bounds    map[string]bound `json:"bounds,omitempty" arg:"rare" jsonschema:"By symbol: {\"AAPL\": {\"min\": 0.1, \"max\": 0.2}}."`
	Sectors   []sectorLimit    `json:"sector_limits,omitempty" arg:"rare" jsonschema:"Limits for the total weight of several symbols."`

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

// errInvalidInput marks invalid arguments of the optimizer tools.
var errInvalidInput = errors.New("cannot allocate")

const (
	minAssets     = 2
	maxFetched    = 30
	maxGiven      = 100
	maxDates      = 10000
	maxSectors    = 20
	maxNameLength = 40
)

// maxWeightBound limits bounds: a weight is at most twice the sum.
const maxWeightBound = 2

// weightLimits returns the limits of the weights; limited reports whether they differ from 0 to 1.
func (u assetUniverse) weightLimits(in assetsInput) (l optimize.Limits, limited bool, err error) {
	l = optimize.LongOnly(len(u.names))
	l.Names = u.names
	for i := range u.names {
		tightenBound(bound{Min: in.MinWeight, Max: in.MaxWeight}, &l.Lower[i], &l.Upper[i])
	}
	// Sorted, so that the result is the same if two names mean one asset.
	for _, text := range slices.Sorted(maps.Keys(in.Bounds)) {
		i, err := u.assetIndex(text)
		if err != nil {
			return l, false, fmt.Errorf("bounds: %w", err)
		}
		tightenBound(in.Bounds[text], &l.Lower[i], &l.Upper[i])
	}
	for i, name := range u.names {
		if !(l.Lower[i] >= -maxWeightBound && l.Upper[i] <= maxWeightBound) {
			return l, false, fmt.Errorf("%w: bounds %v to %v of %s are out of range; weights are fractions from %d to %d", errInvalidInput, l.Lower[i], l.Upper[i], name, -maxWeightBound, maxWeightBound)
		}
	}
	if len(in.Sectors) > maxSectors {
		return l, false, fmt.Errorf("%w: too many sector_limits: %d; use at most %d", errInvalidInput, len(in.Sectors), maxSectors)
	}
	for _, s := range in.Sectors {
		g, err := u.sectorGroup(s)
		if err != nil {
			return l, false, err
		}
		l.Groups = append(l.Groups, g)
	}
	limited = in.MinWeight != nil || in.MaxWeight != nil || len(in.Bounds) > 0 || len(l.Groups) > 0
	return l, limited, l.Check()
}

func tightenBound(b bound, lower, upper *float64) {
	if b.Min != nil {
		*lower = *b.Min
	}
	if b.Max != nil {
		*upper = *b.Max
	}
}

func (u assetUniverse) sectorGroup(s sectorLimit) (optimize.Group, error) {
	g := optimize.Group{Name: s.Sector, Min: -maxWeightBound * maxGiven, Max: maxWeightBound * maxGiven}
	tightenBound(bound{Min: s.Min, Max: s.Max}, &g.Min, &g.Max)
	if err := checkName(s.Sector); err != nil {
		return g, fmt.Errorf("sector: %w", err)
	}
	if s.Min == nil && s.Max == nil {
		return g, fmt.Errorf("%w: sector %.40q needs min or max", errInvalidInput, s.Sector)
	}
	if len(s.Symbols) == 0 {
		return g, fmt.Errorf("%w: sector %.40q has no symbols", errInvalidInput, s.Sector)
	}
	seen := map[int]bool{}
	for _, text := range s.Symbols {
		i, err := u.assetIndex(text)
		if err != nil {
			return g, fmt.Errorf("sector %.40q: %w", s.Sector, err)
		}
		if !seen[i] {
			seen[i] = true
			g.Members = append(g.Members, i)
		}
	}
	return g, nil
}

// bindingLimits lists the weights and sectors that are determined by a limit and not by the data. The
// natural limits of 0 and 1 are not listed.
func bindingLimits(weights []float64, l optimize.Limits) []string {
	const at = 1e-6
	var out []string
	for i, w := range weights {
		switch {
		case l.Lower[i] == l.Upper[i]:
			out = append(out, fmt.Sprintf("%s is fixed at %s", l.Names[i], formatPercent(l.Upper[i])))
		case w >= l.Upper[i]-at && l.Upper[i] < 1:
			out = append(out, fmt.Sprintf("%s at its upper bound of %s", l.Names[i], formatPercent(l.Upper[i])))
		case w <= l.Lower[i]+at && l.Lower[i] != 0:
			out = append(out, fmt.Sprintf("%s at its lower bound of %s", l.Names[i], formatPercent(l.Lower[i])))
		}
	}
	for _, g := range l.Groups {
		total := 0.0
		for _, i := range g.Members {
			total += weights[i]
		}
		switch {
		case total >= g.Max-at:
			out = append(out, fmt.Sprintf("%s at its maximum of %s", g.Name, formatPercent(g.Max)))
		case total <= g.Min+at:
			out = append(out, fmt.Sprintf("%s at its minimum of %s", g.Name, formatPercent(g.Min)))
		}
	}
	return out
}

// OptimizerDeps are the sources of the optimizer tools.
type OptimizerDeps struct {
	toolkit.Prices
	// CheckLimits checks the weights of a whole portfolio against the user's limits. It returns lines
	// for people and models, and whether the limits refuse the weights. Nil skips the check.
	CheckLimits func(ctx context.Context, weights map[market.Symbol]decimal.Decimal) (lines []string, refused bool, err error)
}

// OptimizerTools returns the tools that optimize a portfolio.
func OptimizerTools(d OptimizerDeps) []tool.Tool {
	return []tool.Tool{
		newOptimizePortfolio(d),
		newEfficientFrontier(d),
	}
}

// pastDataWarning is part of every result.
const pastDataWarning = "Computed from past returns, which do not predict the future. Expected returns are the least certain estimate. Not advice"
