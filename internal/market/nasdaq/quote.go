package nasdaq

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

const (
	freshQuote   = 15 * time.Second
	staleQuote   = 24 * time.Hour
	delayMinutes = 15
	longestName  = 200
)

// shown is a price of the page; one of two while the exchange is closed.
type shown struct {
	Price    string `json:"lastSalePrice"`
	Change   string `json:"netChange"`
	At       string `json:"lastTradeTimestamp"`
	RealTime bool   `json:"isRealTime"`
}

// ticket is the head of a page.
type ticket struct {
	Symbol    string `json:"symbol"`
	Name      string `json:"companyName"`
	Exchange  string `json:"exchange"`
	Status    string `json:"marketStatus"`
	Primary   *shown `json:"primaryData"`
	Secondary *shown `json:"secondaryData"`

	price, previous decimal.NullDecimal
	asOf            time.Time
	session         market.Date
}

// Quote returns the newest price of regular trading, and the close before it as
// the previous price; of which day that is the server does not say. An unlisted
// symbol yields ErrUnknownSymbol.
func (s *Source) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	request := fetch.Request{Doing: "quote of " + string(sym), URL: "/info", Fresh: freshQuote, Stale: staleQuote}
	t, class, answer, err := ask(ctx, s, sym, request, url.Values{}, func(body []byte) (ticket, error) { return parseQuote(body, sym) })
	if err != nil {
		return market.Quote{}, err
	}
	q := market.Quote{Price: t.price.Decimal, Previous: t.previous}
	q.Instrument, q.Provenance = described(sym, class, "info", answer)
	if t.Name = wire.Line(t.Name, longestName); t.Name != "" {
		q.Name = t.Name
	}
	q.Exchange = wire.Line(t.Exchange, longestName)
	p := q.Provenance
	p.AsOf, p.Phase = t.asOf, phase(t.Status)
	if !t.regular().RealTime {
		p.DelayMinutes = delayMinutes
		p = p.With(market.FlagDelayed)
	}
	q.Provenance = wire.Aged(p, t.session, s.o.Now())
	return q, nil
}

// regular is the price of the session. Before and after it, that is the second
// one: the first is then of the few who trade on.
func (t ticket) regular() *shown {
	if t.Secondary != nil && price(t.Secondary.Price).Valid {
		return t.Secondary
	}
	return t.Primary
}

func parseQuote(body []byte, sym market.Symbol) (ticket, error) {
	var t ticket
	if err := opened(body, &t); err != nil {
		return ticket{}, err
	}
	if !same(sym, t.Symbol) {
		return ticket{}, wire.Malformed("%.20q in place of %s", t.Symbol, sym)
	}
	now := t.regular()
	if now == nil {
		return ticket{}, market.ErrNoData
	}
	if t.price = price(now.Price); !t.price.Valid {
		return ticket{}, market.ErrNoData
	}
	var ok bool
	if t.asOf, t.session, ok = traded(now.At); !ok {
		return ticket{}, wire.Malformed("a price without a time: %.40q", now.At)
	}
	if change := figure(now.Change); change.Valid {
		if before := t.price.Decimal.Sub(change.Decimal); before.IsPositive() {
			t.previous = decimal.NewNullDecimal(before)
		}
	} else if strings.EqualFold(now.Change, "UNCH") {
		t.previous = t.price
	}
	return t, nil
}

// traded reads "Sep 25, 2026 4:00 PM ET", which may have words around it, and
// "Sep 25, 2026", which is the day alone. The session is that of the day in New York.
func traded(text string) (at time.Time, session market.Date, ok bool) {
	text = strings.TrimSpace(text)
	for _, before := range []string{"DATA AS OF ", "CLOSED AT ", "AS OF "} {
		if len(text) > len(before) && strings.EqualFold(text[:len(before)], before) {
			text = text[len(before):]
		}
	}
	text, _, _ = strings.Cut(text, " - ")
	text = strings.TrimSpace(strings.TrimSuffix(text, "ET"))
	for _, layout := range []string{"Jan 2, 2006 3:04 PM", "Jan 2, 2006 3:04:05 PM"} {
		if t, err := time.ParseInLocation(layout, text, wire.NewYork()); err == nil {
			return t.UTC(), wire.Day(t, t.Location()), true
		}
	}
	day, err := time.Parse("Jan 2, 2006", text)
	return day, day, err == nil
}

func phase(status string) market.Phase {
	switch strings.ToLower(strings.ReplaceAll(status, " ", "-")) {
	case "open", "market-open":
		return market.PhaseRegular
	case "pre-market":
		return market.PhasePre
	case "after-hours", "after-market":
		return market.PhasePost
	case "closed", "market-closed":
		return market.PhaseClosed
	}
	return market.PhaseUnknown
}
