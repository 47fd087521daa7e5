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
