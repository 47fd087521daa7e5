package analysis

import (
	"fmt"
	"maps"
	"slices"

	"github.com/nfa-cli/nfa/internal/analytics/optimize"
)

// maxWeightBound is how far bounds may reach: no weight is above twice the sum.
const maxWeightBound = 2

// weightLimits reads what the weights keep to; limited tells whether the call asked for
// anything beyond weights from 0 to 1.
func (u assetUniverse) weightLimits(in assetsInput) (l optimize.Limits, limited bool, err error) {
	l = optimize.LongOnly(len(u.names))
	l.Names = u.names
	for i := range u.names {
		tightenBound(bound{Min: in.MinWeight, Max: in.MaxWeight}, &l.Lower[i], &l.Upper[i])
	}
	// In order of their names, so that of two names of one asset the same one counts.
	for _, text := range slices.Sorted(maps.Keys(in.Bounds)) {
		i, err := u.assetIndex(text)
		if err != nil {
			return l, false, fmt.Errorf("bounds: %w", err)
		}
		tightenBound(in.Bounds[text], &l.Lower[i], &l.Upper[i])
	}
	for i, name := range u.names {
		if !(l.Lower[i] >= -maxWeightBound && l.Upper[i] <= maxWeightBound) {
			return l, false, fmt.Errorf("%w: bounds %v to %v of %s; weights are fractions of the sum, from %d to %d", errInvalidInput, l.Lower[i], l.Upper[i], name, -maxWeightBound, maxWeightBound)
		}
	}
	if len(in.Sectors) > maxSectors {
		return l, false, fmt.Errorf("%w: %d sector_limits; %d are the most", errInvalidInput, len(in.Sectors), maxSectors)
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
		return g, fmt.Errorf("%w: sector %.40q has neither min nor max", errInvalidInput, s.Sector)
	}
	if len(s.Symbols) == 0 {
		return g, fmt.Errorf("%w: sector %.40q names no symbols", errInvalidInput, s.Sector)
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

// bindingLimits says which weights stand at a bound, and which sectors at a limit: they are
// what the limits decided, and not the data. That nothing is below zero or above
// the whole goes without saying.
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
			out = append(out, fmt.Sprintf("%s at its limit of at most %s", g.Name, formatPercent(g.Max)))
		case total <= g.Min+at:
			out = append(out, fmt.Sprintf("%s at its limit of at least %s", g.Name, formatPercent(g.Min)))
		}
	}
	return out
}
