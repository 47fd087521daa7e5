package prices

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type marketStatusInput struct {
	Exchange string `json:"exchange,omitempty" jsonschema:"exchange by its code (XNYS, XLON, XETR, XTKS) or name (NYSE, Nasdaq, London, Xetra, Tokyo); XNYS when neither this nor symbol is given"`
	Symbol   string `json:"symbol,omitempty" jsonschema:"instead of exchange: a ticker symbol, for the exchange it trades on"`
	Date     string `json:"date,omitempty" jsonschema:"a day, YYYY-MM-DD, to tell of in place of now"`
}

const marketStatusDescription = `Tells what an exchange is doing now: phase (pre, regular, break, post, closed), the local time there, today's session if there is one, the last completed session and the next one, with opening and closing times and half days; or, with date, whether that day is a session.
Use it for "is the market open", "when does it close", "was there trading on that day", and to judge whether a price can be newer than it is. Covered are New York and Nasdaq, London, Xetra, Paris, Amsterdam, Brussels, Lisbon, Toronto, Tokyo, Hong Kong and Sydney, from 2000 to 2027.
Times are the exchange's own, with their offset. Regular holidays and known closures are counted; halts within a session and closures announced since are not. Coins and currencies have no sessions.`

// newMarketStatus is the tool that tells when an exchange trades.
func newMarketStatus(d Deps) tool.Tool {
	return tool.New("market_status", marketStatusDescription, tool.Reads, func(ctx context.Context, in marketStatusInput) (tool.Result, error) {
		_, day, err := toolkit.ParseDate(strings.TrimSpace(in.Date))
		if err != nil {
			return toolkit.InvalidResult(fmt.Errorf("date: %w", err))
		}
		exchange, err := d.exchange(ctx, in)
		switch {
		case errors.Is(err, errRoundTheClock):
			return roundTheClockResult(in.Symbol), nil
		case errors.Is(err, errExchange):
			return toolkit.InvalidResult(err)
		case err != nil:
			return toolkit.SourceErrorResult(err)
		}
		answer := statusOnDay(exchange, day)
		if day.IsZero() {
			answer = statusAtTime(exchange, d.Now())
		}
		return answer.result(), nil
	})
}

var (
	// errExchange marks arguments that name no exchange whose days are known.
	errExchange = errors.New("exchange")
	// errRoundTheClock means that what a symbol stands for has no sessions.
	errRoundTheClock = errors.New("no sessions")
)

// exchange is the calendar that a call asks about.
func (d Deps) exchange(ctx context.Context, in marketStatusInput) (*reference.Exchange, error) {
	if text := strings.TrimSpace(in.Symbol); text != "" {
		if strings.TrimSpace(in.Exchange) != "" {
			return nil, fmt.Errorf("%w: give either exchange or symbol, not both", errExchange)
		}
		sym, err := toolkit.ResolveSymbol(ctx, d.Directory, text)
		if err != nil {
			return nil, err
		}
		if e, ok := reference.ExchangeOf(sym); ok {
			return e, nil
		}
		_, coin := sym.CoinPair()
		if _, pair := sym.CurrencyPair(); coin || pair {
			return nil, errRoundTheClock
		}
		return nil, fmt.Errorf("%w: no calendar is known for %s; there are %s", errExchange, sym, strings.Join(reference.CalendarMICs(), ", "))
	}
	if e, ok := reference.ExchangeByMIC(parseMIC(in.Exchange)); ok {
		return e, nil
	}
	return nil, fmt.Errorf("%w: %.40q has no calendar here; there are %s", errExchange, in.Exchange, strings.Join(reference.CalendarMICs(), ", "))
}

// parseMIC is the code of an exchange as people call it.
func parseMIC(text string) string {
	name := strings.ToUpper(strings.TrimSpace(text))
	for _, known := range [...][]string{
		{"XNYS", "", "NYSE", "NEW YORK", "NEW YORK STOCK EXCHANGE", "US", "USA"}, {"XNAS", "NASDAQ"}, {"ARCX", "ARCA", "NYSE ARCA"},
		{"XLON", "LSE", "LONDON", "LONDON STOCK EXCHANGE"}, {"XETR", "XETRA", "FRANKFURT"}, {"XPAR", "PARIS", "EURONEXT", "EURONEXT PARIS"},
		{"XAMS", "AMSTERDAM", "EURONEXT AMSTERDAM"}, {"XBRU", "BRUSSELS", "EURONEXT BRUSSELS"}, {"XLIS", "LISBON", "EURONEXT LISBON"},
		{"XTSE", "TSX", "TORONTO"}, {"XTKS", "TSE", "TOKYO", "JPX"}, {"XHKG", "HKEX", "HONG KONG", "HKSE"}, {"XASX", "ASX", "SYDNEY", "AUSTRALIA"},
	} {
		for _, alias := range known {
			if alias == name {
				return known[0]
			}
		}
	}
	return name
}
