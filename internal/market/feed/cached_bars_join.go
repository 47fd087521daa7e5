package feed

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// joinSeries is kept up to the day before since, and news from there on. What is doubtful in
// kept stays so: the doubt may be of a day that news does not reach. Where the
// dividends and splits of what is kept, or its dividends, are not known, those of the
// whole are not, and the ones that are known of news are left out.
func joinSeries(old, latest market.Series, since market.Date) market.Series {
	joined := latest
	before := old.Within(market.Range{To: latest.Bars[0].Date.AddDate(0, 0, -1)})
	joined.Bars = slices.Concat(before.Bars, latest.Bars)
	joined.Actions, joined.DividendsUnknown = nil, false
	if old.Actions != nil && latest.Actions != nil {
		joined.Actions, joined.DividendsUnknown = joinActions(old.Actions, latest.Actions, since), old.DividendsUnknown || latest.DividendsUnknown
	}
	if joined.DividendsUnknown {
		joined.Actions = slices.DeleteFunc(joined.Actions, func(a market.Action) bool { return a.Kind == market.ActionDividend })
	}
	unknown := old.Actions == nil && latest.Actions != nil || old.DividendsUnknown && !latest.DividendsUnknown
	doubtful := old.Provenance.Has(market.FlagSuspect)
	if doubtful {
		joined.Provenance = joined.Provenance.With(market.FlagSuspect)
	}
	if doubtful || unknown {
		joined.Provenance.Note = joinNotes(old.Provenance.Note, latest.Provenance.Note) // which may say why
	}
	return joined
}

// joinNotes are two notes, of which the first may have said the second already.
func joinNotes(note, added string) string {
	if strings.Contains(note, added) {
		return note
	}
	return strings.TrimSpace(note + " " + added)
}

// joinActions are those of kept before since and those of news from there on. Of the
// day itself those of kept stand where it has any: a source holds a dividend against
// the close before it, which the first day of a part has not.
func joinActions(old, latest []market.Action, since market.Date) []market.Action {
	onDay := func(a market.Action) bool { return a.Date.Equal(since) }
	checked := slices.ContainsFunc(old, onDay)
	joined := slices.DeleteFunc(slices.Clone(old), func(a market.Action) bool { return a.Date.After(since) || !checked && onDay(a) })
	for _, a := range latest {
		if a.Date.After(since) || !checked && onDay(a) {
			joined = append(joined, a)
		}
	}
	return joined
}
