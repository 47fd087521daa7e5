package toolkit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Origin describes the numbers of a result: currency, source, age, and flags that limit their use.
// Unknown fields are omitted.
type Origin struct {
	Currency       string            `json:"currency,omitempty"`
	QuotedCurrency string            `json:"quoted_currency,omitempty"` // of the exchange, if that is a minor unit
	Unit           string            `json:"unit,omitempty"`
	Adjustment     market.Adjustment `json:"adjustment,omitempty"`
	Source         string            `json:"source"`
	Endpoint       string            `json:"endpoint,omitempty"`
	AsOf           string            `json:"as_of,omitempty"`      // date of the newest number
	FetchedAt      string            `json:"fetched_at,omitempty"` // when it was fetched from the source
	Cache          market.CacheState `json:"cache,omitempty"`      // hit or stale; empty if fetched now
	DelayMinutes   int               `json:"delay_min,omitempty"`
	Session        market.Phase      `json:"session,omitempty"` // of the exchange when it was fetched
	Flags          []market.Flag     `json:"flags"`
	Tried          []market.Attempt  `json:"tried,omitempty"` // sources that failed before this one
	Note           string            `json:"note,omitempty"`
}

// OriginOf returns the origin of data. The tool's remarks come before the note of the source.
func OriginOf(p market.Provenance, remarks ...string) Origin {
	var notes []string
	for _, s := range append(remarks, p.Note) {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			notes = append(notes, strings.TrimSuffix(s, "."))
		}
	}
	o := Origin{
		Currency: p.Currency, QuotedCurrency: p.QuotedCurrency, Unit: p.Unit, Adjustment: p.Adjustment,
		Source: p.Source, Endpoint: p.Endpoint, AsOf: FormatDate(p.AsOf), FetchedAt: FormatDate(p.FetchedAt.UTC().Truncate(time.Second)), Cache: p.Cache,
		DelayMinutes: p.DelayMinutes, Session: p.Phase,
		Flags: append([]market.Flag{}, p.Flags...), Note: strings.Join(notes, "; "),
	}
	for _, a := range p.Tried[:min(len(p.Tried), maxTriedForModel)] {
		// Shortened, because a server may return a whole page as its error.
		o.Tried = append(o.Tried, market.Attempt{Source: Abbreviate(a.Source), Reason: Abbreviate(a.Reason)})
	}
	return o
}

// WithoutAdjustment returns the origin for data other than prices, which no one adjusts for splits.
func (o Origin) WithoutAdjustment() Origin {
	o.Adjustment = ""
	return o
}

// maxTriedForModel and maxTriedForUser limit how many failed sources an answer lists: the footer for
// people is one line.
const (
	maxTriedForModel = 4
	maxTriedForUser  = 2
)

// UnitOf returns the unit of prices: the currency, or for an index its unit.
func UnitOf(p market.Provenance) string {
	if p.Currency != "" {
		return p.Currency
	}
	return p.Unit
}

// Footer returns the line below a table. It starts with the flags in bold, so that sample or stale
// prices are not mistaken for current ones.
func (o Origin) Footer() string {
	parts := []string{o.Source + o.triedSources()}
	if o.AsOf != "" {
		parts = append(parts, "as of "+o.AsOf)
	}
	if o.Note != "" {
		parts = append(parts, o.Note)
	}
	line := strings.Join(parts, " · ")
	if flags := o.FlagText(); flags != "" {
		line = "**" + flags + "** " + line
	}
	return line
}

// triedSources lists the failed sources, " (yahoo: rate limited)", or returns "".
func (o Origin) triedSources() string {
	if len(o.Tried) == 0 {
		return ""
	}
	var causes []string
	for _, a := range o.Tried[:min(len(o.Tried), maxTriedForUser)] {
		causes = append(causes, a.Source+": "+a.Reason)
	}
	if more := len(o.Tried) - maxTriedForUser; more > 0 {
		causes = append(causes, fmt.Sprintf("and %d more", more))
	}
	return " (" + strings.Join(causes, ", ") + ")"
}

// FlagText returns the flags in capitals, or "". Data from an expired cache entry is always stale.
func (o Origin) FlagText() string {
	var flags []string
	if o.Cache == market.CacheStale && !slices.Contains(o.Flags, market.FlagStale) {
		flags = append(flags, strings.ToUpper(string(market.FlagStale)))
	}
	for _, f := range o.Flags {
		flag := strings.ToUpper(string(f))
		if f == market.FlagDelayed && o.DelayMinutes > 0 {
			flag += fmt.Sprintf(" %d min", o.DelayMinutes)
		}
		flags = append(flags, flag)
	}
	if o.DelayMinutes > 0 && !slices.Contains(o.Flags, market.FlagDelayed) {
		flags = append(flags, fmt.Sprintf("%s %d min", strings.ToUpper(string(market.FlagDelayed)), o.DelayMinutes))
	}
	return strings.Join(flags, " ")
}

// FormatDate formats a time as the date of a session if it is midnight UTC, otherwise as RFC 3339.
// The zero time is "".
func FormatDate(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case t.Equal(t.Truncate(24 * time.Hour)):
		return t.UTC().Format(time.DateOnly)
	}
	return t.Format(time.RFC3339)
}

// FormatInstant formats a time as RFC 3339 in UTC. The zero time is "".
func FormatInstant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// ReturnKind states what a return of these prices includes. People read "return" as everything
// they earned, but a price series contains no dividends.
func ReturnKind(i market.Instrument, a market.Adjustment) string {
	switch a {
	case market.AdjustmentSplitDiv:
		return "total return, dividends reinvested"
	case market.AdjustmentSplit:
		return "price return, no dividends"
	case market.AdjustmentRaw:
		if i.Kind == "index" {
			return "price index, no dividends"
		}
		return "price return, no dividends, not adjusted for splits"
	}
	if i.Kind == "index" {
		return "index level, may or may not include dividends"
	}
	return "return of prices with unknown adjustment, may be distorted by splits and dividends"
}

// NamedOrigin is the origin of something with a name, such as a symbol. In JSON it is only the
// origin, because answers list the names in the same order.
type NamedOrigin struct {
	Name string `json:"-"`
	Origin
}

// OriginFooters returns the lines below a table with several origins: one for each combination of
// source and flags. A line covers a range of dates if they differ, and a note that does not hold
// for all names lists the names it holds for.
func OriginFooters(all []NamedOrigin) []string {
	var groups [][]NamedOrigin
	for _, s := range all {
		same := func(g []NamedOrigin) bool {
			return g[0].Source == s.Source && g[0].FlagText() == s.FlagText() && g[0].triedSources() == s.triedSources() && (g[0].AsOf == "") == (s.AsOf == "")
		}
		i := slices.IndexFunc(groups, same)
		if i < 0 {
			groups = append(groups, []NamedOrigin{s})
			continue
		}
		groups[i] = append(groups[i], s)
	}
	lines := make([]string, len(groups))
	for i, g := range groups {
		lines[i] = mergedFooter(g)
	}
	return lines
}

func mergedFooter(group []NamedOrigin) string {
	first, last := group[0].AsOf, group[0].AsOf
	for _, s := range group {
		// As text, dates and times sort by time except for the zone.
		first, last = min(first, s.AsOf), max(last, s.AsOf)
	}
	o := group[0].Origin
	o.Note = strings.Join(mergedNotes(group), ". ")
	if first != last {
		o.AsOf = first + " to " + last
	}
	return o.Footer()
}

// mergedNotes returns the sentences of all notes: first those that all notes start with, then the
// others with the names they belong to.
func mergedNotes(group []NamedOrigin) []string {
	notes := make([][]string, len(group))
	for i, s := range group {
		notes[i] = splitSentences(s.Note)
	}
	shared := len(notes[0])
	for _, n := range notes {
		same := 0
		for same < min(shared, len(n)) && n[same] == notes[0][same] {
			same++
		}
		shared = same
	}
	out := slices.Clone(notes[0][:shared])
	var distinct []string
	names := map[string][]string{}
	for i, n := range notes {
		text := strings.Join(n[shared:], ". ")
		if text == "" {
			continue
		}
		if names[text] == nil {
			distinct = append(distinct, text)
		}
		if !slices.Contains(names[text], group[i].Name) {
			names[text] = append(names[text], group[i].Name)
		}
	}
	for _, text := range distinct {
		if symbols := JoinFew(slices.DeleteFunc(names[text], func(n string) bool { return n == "" })); symbols != "" {
			text = symbols + ": " + text
		}
		out = append(out, text)
	}
	return out
}

func splitSentences(note string) []string {
	if note == "" {
		return nil
	}
	return strings.Split(note, ". ")
}

// SeriesOrigins returns the origin of each series by symbol, with what its returns include and further
// notes.
func SeriesOrigins(series []market.Series, notes ...string) []NamedOrigin {
	out := make([]NamedOrigin, len(series))
	for i, s := range series {
		kind := ReturnKind(s.Instrument, s.Provenance.Adjustment)
		out[i] = NamedOrigin{Name: string(s.Symbol), Origin: OriginOf(s.Provenance, append([]string{kind}, notes...)...)}
	}
	return out
}

// SeriesReturnKind states what the returns of a series include, or "" for the caller's own closes.
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

// CombinedFlagText returns the flags of all origins in capitals, each once, with the longest delay.
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

// SplitWarning warns if prices as traded may contain an unadjusted split, which looks like a price
// move; otherwise it returns "".
func SplitWarning(s market.Series) string {
	if s.Provenance.Adjustment != market.AdjustmentRaw {
		return ""
	}
	if _, err := s.SplitAdjusted(); err == nil {
		return ""
	}
	return fmt.Sprintf("prices are as traded, and %s does not report splits: a split would look like a price change", s.Provenance.Source)
}

// SeriesCurrencies returns the known currencies of series, sorted, each once.
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

// MixedReturnsWarning warns if the returns of series do not include the same things; otherwise it
// returns "".
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
	return "returns are not comparable: " + strings.Join(kinds, "; ")
}

// historicalProvenance returns the provenance of past prices, without the flags and the phase that
// apply only to the newest price.
func historicalProvenance(p market.Provenance) market.Provenance {
	p.Phase, p.DelayMinutes = market.PhaseUnknown, 0
	p.Flags = slices.DeleteFunc(slices.Clone(p.Flags), func(f market.Flag) bool {
		return f == market.FlagDelayed || f == market.FlagProvisional
	})
	return p
}

// ReplayProvenance returns the provenance of prices with the clock set back: settled, and with a
// note on their adjustment if later splits could not be undone. kind is that of the instrument. A note
// that is already there is not repeated.
func ReplayProvenance(p market.Provenance, kind string) market.Provenance {
	p = historicalProvenance(p)
	if !p.ShareBasis.IsZero() {
		return p
	}
	if note := adjustmentNote(p.Adjustment, kind); note != "" && !strings.HasPrefix(p.Note, note) {
		p.Note = strings.TrimSuffix(note+"; "+p.Note, "; ")
	}
	return p
}

// adjustmentNote states how adjusted prices differ from traded ones, or returns "" if they do not
// or this kind of instrument never splits.
func adjustmentNote(a market.Adjustment, kind string) string {
	switch {
	case market.NeverSplit(kind):
		return ""
	case a == market.AdjustmentSplit:
		return "prices are adjusted for splits up to today"
	case a == market.AdjustmentSplitDiv:
		return "prices are adjusted for splits and dividends up to today"
	}
	return ""
}

// AdjustmentText describes the adjustment of prices.
func AdjustmentText(a market.Adjustment) string {
	switch a {
	case market.AdjustmentRaw:
		return "as traded"
	case market.AdjustmentSplit:
		return "adjusted for splits, not for dividends"
	case market.AdjustmentSplitDiv:
		return "adjusted for splits and dividends"
	}
	return "adjustment unknown"
}
