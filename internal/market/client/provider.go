package client

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

// Requirement is what the user must provide before a provider can be used.
type Requirement string

// Requirements of providers. All but RequiresKey are names of settings.
const (
	RequiresNothing Requirement = ""
	RequiresKey     Requirement = "key"
	RequiresContact Requirement = "sec.contact"
	RequiresServer  Requirement = "searxng_url"
)

// Provider describes a provider of data. Its package exports one, and feed lists them all.
type Provider struct {
	Name     string // in results, in NFA_<NAME>_URL and in nfa auth set
	Title    string // for people, of a provider that takes a key
	Provides string // short, for nfa doctor
	Requires Requirement
	KeyVars  []string // environment variables for the key; the first one that is set is used. Empty if it takes no key
	// Covers reports whether the source is used for the quotes and bars of a symbol; nil means all
	// symbols.
	Covers func(market.Symbol) bool
	// New builds the source without opening or requesting anything. The market interfaces that it
	// implements decide its uses.
	New   func(*Client, ProviderOptions) any
	Probe Probe
	// Gives, Limits and Terms are its row in docs/data.md.
	Gives, Limits, Terms string
}

// IsUSShare reports whether sym is a US symbol: one without the suffix of another exchange.
func IsUSShare(sym market.Symbol) bool {
	if _, ok := reference.MICOf(sym); ok || IsCoinPair(sym) {
		return false
	}
	return !strings.ContainsAny(string(sym), "=&")
}

// IsCoinPair reports whether sym is a pair of a coin and a currency.
func IsCoinPair(sym market.Symbol) bool {
	_, ok := sym.CoinPair()
	return ok
}

// Probe sends a cheap request to a source to check that it responds, and returns the provenance of the
// response.
type Probe func(ctx context.Context, source any, now time.Time) (market.Provenance, error)

// ProbeQuote requests the quote of sym from a market.QuoteSource.
func ProbeQuote(sym market.Symbol) Probe {
	return func(ctx context.Context, source any, _ time.Time) (market.Provenance, error) {
		q, err := source.(market.QuoteSource).Quote(ctx, sym)
		return q.Provenance, err
	}
}

// ProbeProfile requests the profile of sym from a market.ProfileSource.
func ProbeProfile(sym market.Symbol) Probe {
	return func(ctx context.Context, source any, _ time.Time) (market.Provenance, error) {
		p, err := source.(market.ProfileSource).Profile(ctx, sym)
		return p.Provenance, err
	}
}

// ProbeNews requests the newest article about text, or any if it is "", from a
// market.NewsSource.
func ProbeNews(text string) Probe {
	return func(ctx context.Context, source any, _ time.Time) (market.Provenance, error) {
		found, err := source.(market.NewsSource).News(ctx, market.NewsQuery{Text: text, Limit: 1})
		return firstProvenance(found, err, func(a market.Article) market.Provenance { return a.Provenance })
	}
}

// ProbeCurve requests the newest yield curve of that name from a market.CurveSource.
func ProbeCurve(curve string) Probe {
	return func(ctx context.Context, source any, _ time.Time) (market.Provenance, error) {
		found, err := source.(market.CurveSource).YieldCurves(ctx, curve, market.Range{})
		return firstProvenance(found, err, func(c market.YieldCurve) market.Provenance { return c.Provenance })
	}
}

// ProbeRate requests the newest rate of the euro in dollars from a market.RateSource.
func ProbeRate(ctx context.Context, source any, _ time.Time) (market.Provenance, error) {
	r, err := source.(market.RateSource).Rates(ctx, market.Pair{Base: "EUR", Quote: "USD"}, market.Range{})
	return r.Provenance, err
}

// ProbeSeries requests a year of an economic series from a market.SeriesSource.
func ProbeSeries(id market.SeriesID) Probe {
	return func(ctx context.Context, source any, now time.Time) (market.Provenance, error) {
		since := now.UTC().Truncate(24*time.Hour).AddDate(-1, 0, 0)
		found, err := source.(market.SeriesSource).EconomicSeries(ctx, id, market.SeriesQuery{Range: market.Range{From: since}})
		return found.Provenance, err
	}
}

// ProbeWebSearch requests one page from a market.WebSource.
func ProbeWebSearch(ctx context.Context, source any, _ time.Time) (market.Provenance, error) {
	found, err := source.(market.WebSource).SearchWeb(ctx, "interest rates", 1)
	return firstProvenance(found, err, func(r market.WebResult) market.Provenance { return r.Provenance })
}

// firstProvenance returns the provenance of the first result. An empty list is not an error.
func firstProvenance[T any](found []T, err error, provenance func(T) market.Provenance) (market.Provenance, error) {
	if err != nil || len(found) == 0 {
		return market.Provenance{}, err
	}
	return provenance(found[0]), nil
}

// ProviderOptions configures a provider. The zero value means the real server, no key and no
// storage.
type ProviderOptions struct {
	// BaseURL replaces the URL of every server of the provider.
	BaseURL string
	// Key returns the user's API key, "" without one. It is called when a key is first needed.
	Key func() string
	Now func() time.Time
	// Dir is where a provider may store files of its own; "" means nowhere.
	Dir string
	// Contact is how the provider can reach the user, usually an email address.
	Contact string
	// Fresh returns how long a quote stays fresh; nil leaves it to the provider.
	Fresh func(sym market.Symbol, now time.Time) time.Duration
	// LastSession returns the last completed session of a symbol's exchange, or an earlier day;
	// false if it is unknown. Nil is unknown, too.
	LastSession func(sym market.Symbol, now time.Time) (market.Date, bool)
}

// WithDefaults returns o with a clock, and with a base URL that does not end in a slash: host
// unless another is set.
func (o ProviderOptions) WithDefaults(host string) ProviderOptions {
	if o.Now == nil {
		o.Now = time.Now
	}
	o.BaseURL = strings.TrimRight(cmp.Or(o.BaseURL, host), "/")
	return o
}
