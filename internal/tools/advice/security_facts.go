package advice

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Kinds of instrument that imply an asset class.
const (
	kindEquity = "equity"
	kindFund   = "fund"
	kindCrypto = "crypto"
)

// kindOf returns the kind of an instrument. A quote may omit it although the closes have it.
func kindOf(p positions.Price) string { return cmp.Or(p.Instrument.Kind, p.Series.Kind) }

// securityFactsOn returns what the user had recorded about a security by the portfolio's day.
func securityFactsOn(o positions.Portfolio, sym market.Symbol) portfolio.Security {
	f := o.SecurityFacts(sym)
	if f.RecordedOn.After(o.Day) {
		return portfolio.Security{Symbol: sym}
	}
	return f
}

// classOf returns the class that the user recorded, else the one implied by the kind of instrument.
// The class of a fund must be recorded.
func classOf(f portfolio.Security, kind string) portfolio.Class {
	switch {
	case f.Class != "":
		return f.Class
	case kind == kindEquity:
		return portfolio.ClassEquity
	case kind == kindCrypto:
		return portfolio.ClassCrypto
	}
	return ""
}

// formOf distinguishes funds, which have a fee or hold several classes, from single securities.
func formOf(f portfolio.Security, kind string) rebalance.AssetForm {
	switch {
	case kind == kindFund, f.Fee.Valid, f.Class == portfolio.ClassMixed:
		return rebalance.FormFund
	case kind == kindEquity, kind == kindCrypto:
		return rebalance.FormSingle
	}
	return rebalance.FormUnknown
}

// priceFlags returns the flags of a price that is not a current market price.
func priceFlags(p market.Provenance) string {
	var flags []string
	for _, f := range []market.Flag{market.FlagSample, market.FlagStale, market.FlagSuspect} {
		if p.Has(f) || f == market.FlagStale && p.Cache == market.CacheStale {
			flags = append(flags, string(f))
		}
	}
	return strings.Join(flags, ", ")
}

// valuationOrigins returns the sources of the prices and rates of a valuation.
func valuationOrigins(v positions.Valuation) []toolkit.NamedOrigin {
	var out []toolkit.NamedOrigin
	for _, l := range v.Lines {
		if l.Value.Valid {
			out = addOrigin(out, string(l.Symbol), l.Price.Provenance)
		}
		if l.Base.Valid {
			out = addOrigin(out, l.Rate.Pair.String(), l.Rate.Provenance)
		}
	}
	for _, c := range v.Cash {
		if c.Base.Valid {
			out = addOrigin(out, c.Rate.Pair.String(), c.Rate.Provenance)
		}
	}
	return out
}

// addOrigin adds the source of a price or rate. Each source is listed once, with all symbols and
// rates from it.
func addOrigin(all []toolkit.NamedOrigin, name string, p market.Provenance) []toolkit.NamedOrigin {
	if p.Source == "" {
		return all // no conversion needed
	}
	o := toolkit.OriginOf(p)
	i := slices.IndexFunc(all, func(have toolkit.NamedOrigin) bool { return have.SameAs(o) })
	if i < 0 {
		return append(all, toolkit.NamedOrigin{Name: name, Origin: o})
	}
	if names := strings.Split(all[i].Name, ", "); !slices.Contains(names, name) && len(names) < maxNamed {
		all[i].Name += ", " + name
	}
	return all
}

// warnOfFlags warns about prices that are not current market prices.
func warnOfFlags(n *toolkit.Notes, origins []toolkit.NamedOrigin) {
	names := map[string][]string{}
	for _, o := range origins {
		if flags := o.FlagText(); flags != "" {
			names[flags] = append(names[flags], o.Name)
		}
	}
	for _, flags := range slices.Sorted(maps.Keys(names)) {
		n.Warn("flagged_prices", "%s prices are not current market prices: %s; do not trade on them", flags, strings.Join(names[flags], ", "))
	}
}

// figureOrigin returns the origin shown for every figure of an answer.
func figureOrigin(origins []toolkit.NamedOrigin, asOf market.Date) toolkit.Explanation {
	return toolkit.Explanation{Source: strings.TrimSuffix(positions.LedgerSource+"; "+toolkit.JoinSources(origins), "; "), AsOf: asOf}
}
