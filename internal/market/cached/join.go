package cached

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// join is kept up to the day before since, and news from there on. What is doubtful in
// kept stays so: the doubt may be of a day that news does not reach. Where the
// dividends and splits of what is kept, or its dividends, are not known, those of the
// whole are not, and the ones that are known of news are left out.
func join(kept, news market.Series, since market.Date) market.Series {
	is := news
	before := kept.Within(market.Range{To: news.Bars[0].Date.AddDate(0, 0, -1)})
	is.Bars = slices.Concat(before.Bars, news.Bars)
	is.Actions, is.DividendsUnknown = nil, false
	if kept.Actions != nil && news.Actions != nil {
		is.Actions, is.DividendsUnknown = joinActions(kept.Actions, news.Actions, since), kept.DividendsUnknown || news.DividendsUnknown
	}
	if is.DividendsUnknown {
		is.Actions = slices.DeleteFunc(is.Actions, func(a market.Action) bool { return a.Kind == market.ActionDividend })
	}
	unknown := kept.Actions == nil && news.Actions != nil || kept.DividendsUnknown && !news.DividendsUnknown
	doubtful := kept.Provenance.Has(market.FlagSuspect)
	if doubtful {
		is.Provenance = is.Provenance.With(market.FlagSuspect)
	}
	if doubtful || unknown {
		is.Provenance.Note = both(kept.Provenance.Note, news.Provenance.Note) // which may say why
	}
	return is
}

// both are two notes, of which the first may have said the second already.
func both(note, more string) string {
	if strings.Contains(note, more) {
		return note
	}
	return strings.TrimSpace(note + " " + more)
}

// joinActions are those of kept before since and those of news from there on. Of the
// day itself those of kept stand where it has any: a source holds a dividend against
// the close before it, which the first day of a part has not.
func joinActions(kept, news []market.Action, since market.Date) []market.Action {
	onDay := func(a market.Action) bool { return a.Date.Equal(since) }
	checked := slices.ContainsFunc(kept, onDay)
	is := slices.DeleteFunc(slices.Clone(kept), func(a market.Action) bool { return a.Date.After(since) || !checked && onDay(a) })
	for _, a := range news {
		if a.Date.After(since) || !checked && onDay(a) {
			is = append(is, a)
		}
	}
	return is
}
