package toolkit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Origin is what every result says of its numbers: what they are in, where they
// are from, how old, and what to know before trusting them. What is not known is
// left out.
type Origin struct {
	Currency       string            `json:"currency,omitempty"`
	QuotedCurrency string            `json:"quoted_currency,omitempty"` // of the exchange, where that is a minor unit
	Unit           string            `json:"unit,omitempty"`
	Adjustment     market.Adjustment `json:"adjustment,omitempty"`
	Source         string            `json:"source"`
	Endpoint       string            `json:"endpoint,omitempty"`
	AsOf           string            `json:"as_of,omitempty"`      // when the newest number was true
	FetchedAt      string            `json:"fetched_at,omitempty"` // when it was taken from the source
	Cache          market.CacheState `json:"cache,omitempty"`      // hit or stale; asked for now where left out
	DelayMinutes   int               `json:"delay_min,omitempty"`
	Session        market.Phase      `json:"session,omitempty"` // of the exchange when it was fetched
	Flags          []market.Flag     `json:"flags"`
	Tried          []market.Attempt  `json:"tried,omitempty"` // sources that were asked before and gave nothing
	Note           string            `json:"note,omitempty"`
}

// OriginOf is the origin of data, with what a tool remarks of them before what
// their source does.
func OriginOf(p market.Provenance, remarks ...string) Origin {
	var notes []string
	for _, s := range append(remarks, p.Note) {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			notes = append(notes, strings.TrimSuffix(s, "."))
		}
	}
	return Origin{
		Currency: p.Currency, QuotedCurrency: p.QuotedCurrency, Unit: p.Unit, Adjustment: p.Adjustment,
		Source: p.Source, Endpoint: p.Endpoint, AsOf: FormatDate(p.AsOf), FetchedAt: FormatDate(p.FetchedAt.UTC().Truncate(time.Second)), Cache: p.Cache,
		DelayMinutes: p.DelayMinutes, Session: p.Phase,
		Flags: append([]market.Flag{}, p.Flags...), Tried: truncatedAttempts(p.Tried), Note: strings.Join(notes, "; "),
	}
}

// WithoutAdjustment is the origin of what is no price: nobody adjusts a filing or
// an interest rate for splits.
func (o Origin) WithoutAdjustment() Origin {
	o.Adjustment = ""
	return o
}

// maxTriedForModel and maxTriedForUser are how many unsuccessful sources an answer names, for a
// model and for people, because a footer is one line.
const (
	maxTriedForModel = 4
	maxTriedForUser  = 2
)

// truncatedAttempts are the first of them, with reasons that fit a line: what a server says
// of its fault may be a page.
func truncatedAttempts(tried []market.Attempt) []market.Attempt {
	var out []market.Attempt
	for _, a := range tried[:min(len(tried), maxTriedForModel)] {
		out = append(out, market.Attempt{Source: Abbreviate(a.Source), Reason: Abbreviate(a.Reason)})
	}
	return out
}

// UnitOf is what prices are counted in: the currency, or for an index its unit.
func UnitOf(p market.Provenance) string {
	if p.Currency != "" {
		return p.Currency
	}
	return p.Unit
}

// Footer is the line below a table: flags first, loud, because a sample or a
// stale price must not pass for the market.
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

// triedSources says which sources were asked before, " (yahoo: rate limited)", or "".
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

// FlagText are the flags in capitals, "" where there are none: what nobody may miss in
// a summary. An answer that was kept past its time is stale whatever it says of
// itself.
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

// FormatDate writes a time as a session's date, or the instant (RFC 3339) where the
// source knows one; no time is "".
func FormatDate(t time.Time) string {
	switch {
	case t.IsZero():
		return ""
	case t.Equal(t.Truncate(24 * time.Hour)):
		return t.UTC().Format(time.DateOnly)
	}
	return t.Format(time.RFC3339)
}

// FormatInstant writes a moment as RFC 3339 in UTC, "" where there is none.
func FormatInstant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// ReturnKind says what a return of these prices counts. People read "return" as
// all they earned, and a price series does not know of dividends.
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
		return "index level; whether it counts dividends is not known"
	}
	return "return of prices of unknown adjustment: splits and dividends may distort it"
}

// NamedOrigin is the origin of something with a name, such as a symbol. As JSON it is only the
// origin: answers that list origins list the names in the same order.
type NamedOrigin struct {
	Name string `json:"-"`
	Origin
}

// OriginFooters are the lines below a table about several origins: one for all that are from
// the same source with the same flags. Where they are of several moments, the line has
// the first and the last; what is remarked of some of them alone is said by their names.
func OriginFooters(all []NamedOrigin) []string {
	var groups [][]NamedOrigin
	for _, s := range all {
		same := func(g []NamedOrigin) bool {
			return g[0].Source == s.Source && g[0].FlagText() == s.FlagText() && g[0].triedSources() == s.triedSources() && bothDatedOrNeither(g[0].AsOf, s.AsOf)
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

// bothDatedOrNeither reports whether two moments can be the ends of one span: both are known, or
// neither is.
func bothDatedOrNeither(a, b string) bool { return (a == "") == (b == "") }

func mergedFooter(group []NamedOrigin) string {
	first, last := group[0].AsOf, group[0].AsOf
	for _, s := range group {
		// Dates and instants as text are in the order of time up to the zone.
		first, last = min(first, s.AsOf), max(last, s.AsOf)
	}
	o := group[0].Origin
	o.Note = strings.Join(mergedNotes(group), ". ")
	if first != last {
		o.AsOf = first + " to " + last
	}
	return o.Footer()
}

// mergedNotes are the sentences of all notes: those that all begin with, then those of each
// by the names of all that have them.
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

// historicalProvenance is where prices of a day in the past are from, without what is said of
// the newest one and of what their exchange does now.
func historicalProvenance(p market.Provenance) market.Provenance {
	p.Phase, p.DelayMinutes = market.PhaseUnknown, 0
	p.Flags = slices.DeleteFunc(slices.Clone(p.Flags), func(f market.Flag) bool {
		return f == market.FlagDelayed || f == market.FlagProvisional
	})
	return p
}

// ReplayProvenance is where the prices of a replay are from: settled, and with a word on their
// scale, since sources adjust old prices for splits of later. kind is that of the
// instrument. What was said once is not said again.
func ReplayProvenance(p market.Provenance, kind string) market.Provenance {
	p = historicalProvenance(p)
	if note := adjustmentNote(p.Adjustment, kind); note != "" && !strings.HasPrefix(p.Note, note) {
		p.Note = strings.TrimSuffix(note+"; "+p.Note, "; ")
	}
	return p
}

// adjustmentNote says by what adjusted prices differ from those that were paid, "" where
// they do not, or nothing of the kind ever splits.
func adjustmentNote(a market.Adjustment, kind string) string {
	switch {
	case market.NeverSplit(kind):
		return ""
	case a == market.AdjustmentSplit:
		return "prices are scaled by splits until today"
	case a == market.AdjustmentSplitDiv:
		return "prices are scaled by splits and dividends until today"
	}
	return ""
}

// AdjustmentText says in words what was done to prices.
func AdjustmentText(a market.Adjustment) string {
	switch a {
	case market.AdjustmentRaw:
		return "as traded"
	case market.AdjustmentSplit:
		return "adjusted for splits, not for dividends"
	case market.AdjustmentSplitDiv:
		return "adjusted for splits and dividends"
	}
	return "of unknown adjustment"
}
