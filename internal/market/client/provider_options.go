package client

import (
	"cmp"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// ProviderOptions are what a provider is built with; each uses those it needs. The zero value
// requests the real server without a key and stores nothing.
type ProviderOptions struct {
	// BaseURL replaces all servers of the provider.
	BaseURL string
	// Key returns the user's API key, "" without one. It is called when a key is first needed.
	Key func() string
	Now func() time.Time
	// Dir is where a provider may store files of its own, "" for nowhere.
	Dir string
	// Contact is how the provider can reach the user, usually an e-mail address.
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
