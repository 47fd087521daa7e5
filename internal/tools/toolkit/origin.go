package toolkit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
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

	returns string   // what a return of the prices includes, if the answer has returns
	remarks []string // the parts of Note
}

// OriginOf returns the origin of data. The tool's remarks come before the note of the source.
func OriginOf(p market.Provenance, remarks ...string) Origin {
	var notes []string
	returns := ""
	for _, s := range append(remarks, p.Note) {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			notes = append(notes, strings.TrimSuffix(s, "."))
			returns = cmp.Or(returns, shortReturnKinds[s])
		}
	}
	o := Origin{
		Currency: p.Currency, QuotedCurrency: p.QuotedCurrency, Unit: p.Unit, Adjustment: p.Adjustment,
		Source: p.Source, Endpoint: p.Endpoint, AsOf: FormatDate(p.AsOf), FetchedAt: FormatDate(p.FetchedAt.UTC().Truncate(time.Second)), Cache: p.Cache,
		DelayMinutes: p.DelayMinutes, Session: p.Phase,
		Flags: append([]market.Flag{}, p.Flags...), Note: strings.Join(notes, "; "),
		returns: returns, remarks: notes,
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

// SameAs reports whether both origins look the same to people.
func (o Origin) SameAs(b Origin) bool {
	return o.Source == b.Source && o.AsOf == b.AsOf && o.Note == b.Note && o.FlagText() == b.FlagText() && o.triedSources() == b.triedSources()
}

// triedSources lists the failed sources, "Yahoo Finance (rate limited)", or returns "".
func (o Origin) triedSources() string {
	var causes []string
	for _, a := range o.Tried[:min(len(o.Tried), maxTriedForUser)] {
		reason := strings.TrimPrefix(a.Reason, market.ErrUnavailable.Error()+": ")
		causes = append(causes, fmt.Sprintf("%s (%s)", market.SourceTitle(a.Source), reason))
	}
	if more := len(o.Tried) - maxTriedForUser; more > 0 {
		causes = append(causes, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(causes, ", ")
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
		return returnsTotal
	case market.AdjustmentSplit:
		return returnsPrice
	case market.AdjustmentRaw:
		if i.Kind == "index" {
			return returnsIndex
		}
		return returnsRaw
	}
	if i.Kind == "index" {
		return returnsUnknownIndex
	}
	return returnsUnknown
}

// What a return of prices includes.
const (
	returnsTotal        = "total return, dividends reinvested"
	returnsPrice        = "price return, no dividends"
	returnsIndex        = "price index, no dividends"
	returnsRaw          = "price return, no dividends, not adjusted for splits"
	returnsUnknownIndex = "index level, may or may not include dividends"
	returnsUnknown      = "return of prices with unknown adjustment, may be distorted by splits and dividends"
)

// NamedOrigin is the origin of something with a name, such as a symbol. In JSON it is only the
// origin, because answers list the names in the same order.
type NamedOrigin struct {
	Name string `json:"-"`
	Origin
}

// shortReturnKinds are the results of ReturnKind as the line below an answer writes them.
var shortReturnKinds = map[string]string{
	returnsTotal: "dividends reinvested", returnsPrice: "price only, no dividends", returnsIndex: "price only, no dividends",
	returnsRaw: "price only, not adjusted for splits",
}

// sourceOf returns the line below an answer for its origins.
func sourceOf(origins []NamedOrigin) tool.Source {
	var all tool.Source
	for _, o := range origins {
		s := tool.Source{Names: []string{sourceName(o.Origin)}, To: shortDate(o.AsOf), DelayMinutes: o.DelayMinutes}
		s.Close = o.Adjustment != "" && o.Adjustment != market.AdjustmentUnknown && len(o.AsOf) == len(time.DateOnly)
		if o.Cache == market.CacheStale && !slices.Contains(o.Flags, market.FlagStale) {
			s.Flags = append(s.Flags, string(market.FlagStale))
		}
		for _, f := range o.Flags {
			switch f {
			case market.FlagSample:
				s.Sample = true
			case market.FlagDelayed:
				if o.DelayMinutes == 0 {
					s.Flags = append(s.Flags, string(f))
				}
			default:
				s.Flags = append(s.Flags, string(f))
			}
		}
		if phase := sessionTexts[o.Session]; phase != "" {
			s.Flags = append(s.Flags, phase)
		}
		if o.returns != "" {
			s.Adjustments = []string{o.returns}
		}
		all.Merge(s)
	}
	return all
}

// sessionTexts describe the sessions whose prices are not those of regular trading.
var sessionTexts = map[market.Phase]string{market.PhasePre: "pre-market", market.PhaseBreak: "midday break", market.PhasePost: "after hours"}

// SourceOf returns the line below an answer for one origin.
func SourceOf(o Origin) tool.Source { return sourceOf([]NamedOrigin{{Origin: o}}) }

// Dated returns the date of a price as the chat shows it next to the price, "2026-11-20 close" or
// "as of 2022-06-28"; old means that it is older than the last session.
func (o Origin) Dated() (text string, old bool) {
	old = o.Cache == market.CacheStale || slices.Contains(o.Flags, market.FlagStale) || slices.Contains(o.Flags, market.FlagSample)
	date := shortDate(o.AsOf)
	switch {
	case date == "":
		return "", old
	case old:
		return "as of " + date, true
	case len(date) == len(time.DateOnly):
		return date + " close", false
	}
	return date, false
}

// shortDate returns a date or a time to the minute, "2026-11-20 20:59 UTC".
func shortDate(text string) string {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// sourceName returns the name of a source as people know it. Sample data are named for their data set,
// without its version and file.
func sourceName(o Origin) string {
	if !slices.Contains(o.Flags, market.FlagSample) {
		return market.SourceTitle(o.Source)
	}
	words := strings.Fields(o.Source)
	for i, word := range words {
		if i > 0 && strings.ContainsAny(word, "0123456789") {
			words = words[:i]
			break
		}
	}
	return strings.Join(words, " ")
}

// originNotes returns the notes of the sources, each once. A note that does not hold for all names
// begins with the names it holds for.
func originNotes(origins []NamedOrigin) []tool.Note {
	type note struct {
		sentences, names []string
	}
	var notes []note
	all := map[string]bool{}
	for _, o := range origins {
		all[o.Name] = true
		remarks := o.remarks
		if len(remarks) == 0 && o.Note != "" {
			remarks = []string{o.Note}
		}
		if tried := o.triedSources(); tried != "" {
			remarks = append([]string{"not available from " + tried}, remarks...)
		}
		for _, remark := range remarks {
			if shortReturnKinds[remark] != "" {
				continue // in the line with the source
			}
			rest := strings.Split(remark, ". ")
			for i, known := range notes {
				if !slices.ContainsFunc(known.sentences, func(s string) bool { return !slices.Contains(rest, s) }) {
					notes[i].names = append(known.names, o.Name)
					rest = slices.DeleteFunc(rest, func(s string) bool { return slices.Contains(known.sentences, s) })
				}
			}
			if len(rest) > 0 {
				notes = append(notes, note{rest, []string{o.Name}})
			}
		}
	}
	out := make([]tool.Note, len(notes))
	for i, n := range notes {
		slices.Sort(n.names)
		names := slices.Compact(n.names)
		text := strings.Join(n.sentences, ". ")
		out[i] = tool.Note{Code: "source", Text: text, Public: text}
		if subject := strings.TrimPrefix(JoinFew(names), ", "); subject != "" && len(names) < len(all) {
			out[i].Subject, out[i].Text, out[i].Public = subject, subject+": "+text, subject+": "+text
		}
	}
	return out
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
