package nasdaq

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshQuote   = 15 * time.Second
	staleQuote   = 24 * time.Hour
	delayMinutes = 15
	maxNameLen   = 200
)

// displayedPrice is a price as shown on the page. There are two while the exchange is closed.
type displayedPrice struct {
	Price    string `json:"lastSalePrice"`
	Change   string `json:"netChange"`
	At       string `json:"lastTradeTimestamp"`
	RealTime bool   `json:"isRealTime"`
}

// quoteInfo is the data in the header of a quote page.
type quoteInfo struct {
	Symbol    string          `json:"symbol"`
	Name      string          `json:"companyName"`
	Exchange  string          `json:"exchange"`
	Status    string          `json:"marketStatus"`
	Primary   *displayedPrice `json:"primaryData"`
	Secondary *displayedPrice `json:"secondaryData"`

	price, previous decimal.NullDecimal
	asOf            time.Time
	session         market.Date
}

// Quote returns the newest price of regular trading and the previous close, whose date the server
// does not report. An unlisted symbol yields ErrUnknownSymbol.
func (s *Source) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	request := client.Request{Op: "quote of " + string(sym), URL: "/info", Fresh: freshQuote, Stale: staleQuote}
	t, class, answer, err := getByClass(ctx, s, sym, request, url.Values{}, func(body []byte) (quoteInfo, error) { return parseQuote(body, sym) })
	if err != nil {
		return market.Quote{}, err
	}
	q := market.Quote{Price: t.price.Decimal, Previous: t.previous}
	q.Instrument, q.Provenance = newInstrument(sym, class, "info", answer)
	if t.Name = client.SingleLine(t.Name, maxNameLen); t.Name != "" {
		q.Name = t.Name
	}
	q.Exchange = client.SingleLine(t.Exchange, maxNameLen)
	p := q.Provenance
	p.AsOf, p.Phase = t.asOf, parsePhase(t.Status)
	if !t.regularPrice().RealTime {
		p.DelayMinutes = delayMinutes
		p = p.With(market.FlagDelayed)
	}
	q.Provenance = client.MarkStale(p, t.session, s.o.Now())
	return q, nil
}

// regularPrice returns the price of the regular session. Outside the session, that is the secondary price;
// the primary one is from pre-market or after-hours trading.
func (t quoteInfo) regularPrice() *displayedPrice {
	if t.Secondary != nil && parsePrice(t.Secondary.Price).Valid {
		return t.Secondary
	}
	return t.Primary
}

func parseQuote(body []byte, sym market.Symbol) (quoteInfo, error) {
	var t quoteInfo
	if err := decodeEnvelope(body, &t); err != nil {
		return quoteInfo{}, err
	}
	if !sameSymbol(sym, t.Symbol) {
		return quoteInfo{}, client.Malformedf("response is for %.20q instead of %s", t.Symbol, sym)
	}
	shown := t.regularPrice()
	if shown == nil {
		return quoteInfo{}, market.ErrNoData
	}
	if t.price = parsePrice(shown.Price); !t.price.Valid {
		return quoteInfo{}, market.ErrNoData
	}
	var ok bool
	if t.asOf, t.session, ok = parseTradeTime(shown.At); !ok {
		return quoteInfo{}, client.Malformedf("price without a time: %.40q", shown.At)
	}
	if change := parseNumber(shown.Change); change.Valid {
		if before := t.price.Decimal.Sub(change.Decimal); before.IsPositive() {
			t.previous = decimal.NewNullDecimal(before)
		}
	} else if strings.EqualFold(shown.Change, "UNCH") {
		t.previous = t.price
	}
	return t, nil
}

// parseTradeTime parses "Sep 25, 2026 4:00 PM ET", with optional text around it, or "Sep 25, 2026".
// The session is the day in New York.
func parseTradeTime(text string) (at time.Time, session market.Date, ok bool) {
	text = strings.TrimSpace(text)
	for _, before := range []string{"DATA AS OF ", "CLOSED AT ", "AS OF "} {
		if len(text) > len(before) && strings.EqualFold(text[:len(before)], before) {
			text = text[len(before):]
		}
	}
	text, _, _ = strings.Cut(text, " - ")
	text = strings.TrimSpace(strings.TrimSuffix(text, "ET"))
	for _, layout := range []string{"Jan 2, 2006 3:04 PM", "Jan 2, 2006 3:04:05 PM"} {
		if t, err := time.ParseInLocation(layout, text, client.NewYork()); err == nil {
			return t.UTC(), client.SessionDate(t, t.Location()), true
		}
	}
	day, err := time.Parse("Jan 2, 2006", text)
	return day, day, err == nil
}

func parsePhase(status string) market.Phase {
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
