package advice

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Kinds of instrument that tell its asset class.
const (
	kindEquity = "equity"
	kindFund   = "fund"
	kindCrypto = "crypto"
)

// kindOf is that of an instrument. A quote may leave it out where closes do not.
func kindOf(p positions.Price) string { return cmp.Or(p.Instrument.Kind, p.Series.Kind) }

// securityFactsOn is what the user had said of a security by a day.
func securityFactsOn(o positions.Portfolio, sym market.Symbol) portfolio.Security {
	f := o.SecurityFacts(sym)
	if f.RecordedOn.After(o.Day) {
		return portfolio.Security{Symbol: sym}
	}
	return f
}

// classOf is the class that the user gave, else the one that follows from the kind
// of instrument. That of a fund follows from nothing but the user's word.
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

// formOf tells funds, which have a fee or hold several classes, from what is one
// thing.
func formOf(f portfolio.Security, kind string) rebalance.AssetForm {
	switch {
	case kind == kindFund, f.Fee.Valid, f.Class == portfolio.ClassMixed:
		return rebalance.FormFund
	case kind == kindEquity, kind == kindCrypto:
		return rebalance.FormSingle
	}
	return rebalance.FormUnknown
}

// priceFlags are the flags of a price that is not one of the market of its day.
func priceFlags(p market.Provenance) string {
	var flags []string
	for _, f := range []market.Flag{market.FlagSample, market.FlagStale, market.FlagSuspect} {
		if p.Has(f) || f == market.FlagStale && p.Cache == market.CacheStale {
			flags = append(flags, string(f))
		}
	}
	return strings.Join(flags, ", ")
}

// origin is where prices or rates come from, and the names of those that people are shown.
type origin struct {
	toolkit.Origin
	of []string
}

// origins are those of prices and rates, each once.
type origins []origin

// add notes where the price or rate of something is from.
func (os *origins) add(subject string, p market.Provenance) {
	if p.Source == "" {
		return // a currency in itself
	}
	o := toolkit.OriginOf(p)
	i := slices.IndexFunc(*os, func(have origin) bool { return have.Footer() == o.Footer() })
	if i < 0 {
		*os, i = append(*os, origin{Origin: o}), len(*os)
	}
	(*os)[i].of = append((*os)[i].of, subject)
}

// valuationOrigins are those of a valuation.
func valuationOrigins(v positions.Valuation) origins {
	var os origins
	for _, l := range v.Lines {
		if l.Value.Valid {
			os.add(string(l.Symbol), l.Price.Provenance)
		}
		if l.Base.Valid {
			os.add(l.Rate.Pair.String(), l.Rate.Provenance)
		}
	}
	for _, c := range v.Cash {
		if c.Base.Valid {
			os.add(c.Rate.Pair.String(), c.Rate.Provenance)
		}
	}
	return os
}

// source names them for a figure.
func (os origins) source() string {
	names := []string{"the user's book"}
	for _, o := range os {
		if !slices.Contains(names, o.Source) {
			names = append(names, o.Source)
		}
	}
	return strings.Join(names, "; ")
}

func (os origins) footers() string {
	var all []toolkit.NamedOrigin
	for _, o := range os {
		for _, name := range o.of {
			all = append(all, toolkit.NamedOrigin{Name: name, Origin: o.Origin})
		}
	}
	return strings.Join(toolkit.OriginFooters(all), "\n\n")
}

// flagText are the flags of all, each once, in capitals.
func (os origins) flagText() string {
	var all toolkit.Origin
	for _, o := range os {
		all.Flags, all.DelayMinutes = append(all.Flags, o.Flags...), max(all.DelayMinutes, o.DelayMinutes)
		if o.Cache == market.CacheStale {
			all.Cache = o.Cache
		}
	}
	slices.Sort(all.Flags)
	all.Flags = slices.Compact(all.Flags)
	return all.FlagText()
}
