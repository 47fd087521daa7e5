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
	Exchange string `json:"exchange,omitempty" jsonschema:"Code or name: XNYS, XETR or London. Default XNYS; or give symbol."`
	Symbol   string `json:"symbol,omitempty" jsonschema:"Instead of exchange: a symbol, for the exchange it trades on."`
	Date     string `json:"date,omitempty" jsonschema:"A day instead of now: YYYY-MM-DD."`
}

const marketStatusDescription = `Whether an exchange is open, now or on a date: phase, local time, opening and closing times, last and next session. Use for "is the market open" or "was that a holiday"; for prices use quote. Trading halts and newly announced closures are not included.`

const marketStatusDetails = `Without date the result has the phase (pre, regular, break, post or closed), the local time of the exchange, the session of today if there is one, the last completed session and the next one, with opening and closing times and half days. With date it says whether that day is a session. Use it also to judge whether a newer price can exist.
Exchanges: New York and Nasdaq, London, Xetra, Paris, Amsterdam, Brussels, Lisbon, Toronto, Tokyo, Hong Kong and Sydney, from 2000 to 2027. Times are local times of the exchange, with their offset from UTC.
Regular holidays and known closures are included. Trading halts during a session and closures announced later are not. Coins and currencies have no sessions.`

const marketStatusKeywords = `market open closed opening closing hours session trading day holiday half premarket after-hours exchange nyse nasdaq london tokyo calendar weekend 开盘 收盘 休市 交易时间 交易日 节假日 股市 盘前 盘后 假期`

var marketStatusPhrasings = []string{
	"is the stock market open right now",
	"when does the new york stock exchange close today",
	"do markets trade on christmas eve",
	"opening hours of the london exchange",
	"was <num> a trading day",
	"今天美股开盘吗",
	"伦敦股市几点收盘",
	"下周一港股休市吗",
}

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
			return toolkit.Render(roundTheClock{in.Symbol, "currencies trade around the clock from Monday to Friday, coins every hour of the year"}), nil
		case errors.Is(err, errExchange):
			return toolkit.InvalidResult(err)
		case err != nil:
			return toolkit.SourceErrorResult(err)
		}
		answer := statusOnDay(exchange, day)
		if day.IsZero() {
			answer = statusAtTime(exchange, d.Now())
		}
		return toolkit.Render(answer), nil
	}).WithDetails(marketStatusDetails).Find("market", marketStatusKeywords, marketStatusPhrasings...)
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
