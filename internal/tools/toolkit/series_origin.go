package toolkit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// SeriesOrigins say of each series, by its symbol, where it is from and what its returns
// count.
func SeriesOrigins(series []market.Series) []NamedOrigin {
	out := make([]NamedOrigin, len(series))
	for i, s := range series {
		kind := ReturnKind(s.Instrument, s.Provenance.Adjustment)
		out[i] = NamedOrigin{Name: string(s.Symbol), Origin: OriginOf(s.Provenance, kind)}
	}
	return out
}

// SeriesReturnKind says what the returns of a series count, "" of a caller's own closes, of
// which nothing is known.
func SeriesReturnKind(s market.Series) string {
	if s.Provenance.Source == CallerSource {
		return ""
	}
	return ReturnKind(s.Instrument, s.Provenance.Adjustment)
}

// JoinSources names the sources, each once.
func JoinSources(origins []NamedOrigin) string {
	var names []string
	for _, o := range origins {
		if !slices.Contains(names, o.Source) {
			names = append(names, o.Source)
		}
	}
	return strings.Join(names, "; ")
}

// CombinedFlagText are the flags of all origins in capitals, each once, with the longest
// delay among them.
func CombinedFlagText(origins []NamedOrigin) string {
	var all Origin
	for _, o := range origins {
		all.Flags = append(all.Flags, o.Flags...)
		all.DelayMinutes = max(all.DelayMinutes, o.DelayMinutes)
		if o.Cache == market.CacheStale {
			all.Cache = o.Cache
		}
	}
	slices.Sort(all.Flags)
	all.Flags = slices.Compact(all.Flags)
	return all.FlagText()
}

// SplitWarning says that a split may hide among prices as they were traded, "" where none can:
// it looks like a fall, or a rise, that nobody had.
func SplitWarning(s market.Series) string {
	if s.Provenance.Adjustment != market.AdjustmentRaw {
		return ""
	}
	if _, err := s.SplitAdjusted(); err == nil {
		return ""
	}
	return fmt.Sprintf("prices are as traded, and %s does not tell of splits: one among them would be taken for a move of the price", s.Provenance.Source)
}

// SeriesCurrencies are those that series are known to be in, each once, in order of
// their codes.
func SeriesCurrencies(series []market.Series) []string {
	var out []string
	for _, s := range series {
		if c := s.Provenance.Currency; c != "" {
			out = append(out, c)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// MixedReturnsWarning says where the returns of series do not count the same, "" where they do.
func MixedReturnsWarning(series []market.Series) string {
	var kinds []string
	symbols := map[string][]string{}
	for _, s := range series {
		kind := SeriesReturnKind(s)
		if kind == "" {
			continue
		}
		if symbols[kind] == nil {
			kinds = append(kinds, kind)
		}
		symbols[kind] = append(symbols[kind], string(s.Symbol))
	}
	if len(kinds) < 2 {
		return ""
	}
	for i, kind := range kinds {
		kinds[i] = strings.Join(symbols[kind], ", ") + ": " + kind
	}
	return "not like for like: " + strings.Join(kinds, "; ")
}
