package prices

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type marketStatusInput struct {
	Exchange string `json:"exchange,omitempty" jsonschema:"Code or name: XNYS, XETR or London. Default XNYS."`
	Symbol   string `json:"symbol,omitempty" jsonschema:"Symbol whose exchange to use, instead of exchange."`
	Date     string `json:"date,omitempty" jsonschema:"Date to check instead of now: YYYY-MM-DD."`
}

const marketStatusDescription = `Whether an exchange is open, now or on a date: phase, local time, opening and closing times, last and next session. Use for "is the market open" or "was that a holiday"; for prices use quote. Trading halts and newly announced closures are not included.`

const marketStatusDetails = `Without date the result has the phase (pre, regular, break, post or closed), the local time of the exchange, the session of today if there is one, the last completed session and the next one, with opening and closing times and half days. With date it says whether that day is a session. It also shows whether a newer price can exist.
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

// newMarketStatus returns the tool for trading hours.
func newMarketStatus(d Deps) tool.Tool {
	return toolkit.New("market_status", marketStatusDescription, tool.Reads, func(ctx context.Context, in marketStatusInput) (toolkit.Answer, error) {
		_, day, err := toolkit.ParseDate(strings.TrimSpace(in.Date))
		if err != nil {
			return nil, toolkit.InvalidArgsf("date: %w", err)
		}
		exchange, err := d.exchange(ctx, in)
		switch {
		case errors.Is(err, errRoundTheClock):
			return roundTheClock{in.Symbol, "currencies trade around the clock from Monday to Friday, coins all year"}, nil
		case err != nil:
			return nil, err
		}
		answer := statusOnDay(exchange, day)
		if day.IsZero() {
			answer = statusAtTime(exchange, d.Now())
		}
		return answer, nil
	}).
		WithDetails(marketStatusDetails).Find("market", marketStatusKeywords, marketStatusPhrasings...)
}

var (
	// errExchange marks arguments that do not identify a known exchange.
	errExchange = toolkit.InvalidArgs(errors.New("exchange"))
	// errRoundTheClock means that a symbol trades around the clock, without sessions.
	errRoundTheClock = errors.New("no sessions")
)

// exchange returns the calendar of the requested exchange.
func (d Deps) exchange(ctx context.Context, in marketStatusInput) (*reference.Exchange, error) {
	if text := strings.TrimSpace(in.Symbol); text != "" {
		if strings.TrimSpace(in.Exchange) != "" {
			return nil, fmt.Errorf("%w: use either exchange or symbol, not both", errExchange)
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
		return nil, fmt.Errorf("%w: no calendar for %s; available: %s", errExchange, sym, strings.Join(reference.CalendarMICs(), ", "))
	}
	if e, ok := reference.ExchangeByMIC(parseMIC(in.Exchange)); ok {
		return e, nil
	}
	return nil, fmt.Errorf("%w: no calendar for %.40q; available: %s", errExchange, in.Exchange, strings.Join(reference.CalendarMICs(), ", "))
}

// parseMIC returns the market identifier code for a common name of an exchange.
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

type sessionTimes struct {
	Date   string   `json:"date"`
	Open   string   `json:"open"`
	Close  string   `json:"close"`
	Half   bool     `json:"half_day"`
	Breaks []string `json:"breaks,omitempty"`
}

type marketStatus struct {
	Exchange string        `json:"exchange"`
	MIC      string        `json:"mic"`
	Timezone string        `json:"timezone"`
	Asked    string        `json:"asked"` // the time at the exchange, or the day
	Phase    market.Phase  `json:"phase,omitempty"`
	Open     bool          `json:"is_session_day"`
	Session  *sessionTimes `json:"session,omitempty"` // of that day
	Last     *sessionTimes `json:"last_completed,omitempty"`
	Next     *sessionTimes `json:"next_session,omitempty"`
	Source   string        `json:"source"`
	Warnings toolkit.Notes `json:"warnings"`

	when string // Asked for people: "2024-11-27 10:00 EST"
}

// calendarSource is the source of the trading hours.
const calendarSource = "nfa exchange calendars, 2000 to 2027"

func currentStatus(e *reference.Exchange) marketStatus {
	return marketStatus{Exchange: e.Name(), MIC: e.MIC(), Timezone: e.Location().String(), Source: calendarSource}
}

// statusAtTime returns the state of an exchange at a time.
func statusAtTime(e *reference.Exchange, at time.Time) marketStatus {
	s := currentStatus(e)
	local := at.In(e.Location())
	s.Asked, s.when, s.Phase = local.Format(time.RFC3339), local.Format("2006-01-02 15:04 MST"), e.Phase(at)
	s.Session, s.Open = s.timesOf(e.Session(e.DateOf(at)))
	s.Last, _ = s.timesOf(e.LastCompleted(at))
	s.Next, _ = s.timesOf(e.NextSession(at))
	return s
}

// statusOnDay returns whether an exchange trades on a day, and the sessions around it.
func statusOnDay(e *reference.Exchange, day market.Date) marketStatus {
	s := currentStatus(e)
	s.Asked = toolkit.FormatDate(day)
	s.when = s.Asked
	s.Session, s.Open = s.timesOf(e.Session(day))
	s.Last, _ = s.timesOf(e.PreviousSession(day))
	midnight := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, e.Location()).AddDate(0, 0, 1)
	s.Next, _ = s.timesOf(e.NextSession(midnight))
	return s
}

// timesOf returns the times of a session, or none and a warning outside the range of the calendar.
func (s *marketStatus) timesOf(session reference.Session, err error) (*sessionTimes, bool) {
	switch {
	case errors.Is(err, reference.ErrNoSession):
		return nil, false
	case err != nil:
		s.Warnings.Warn("no_calendar", "%v", err)
		return nil, false
	}
	t := sessionTimes{Date: toolkit.FormatDate(session.Date), Open: session.Open.Format(time.RFC3339), Close: session.Close.Format(time.RFC3339), Half: session.HalfDay}
	for _, b := range session.Breaks {
		t.Breaks = append(t.Breaks, b.From.Format("15:04")+" to "+b.To.Format("15:04"))
	}
	return &t, true
}

// roundTheClock is the answer for symbols that trade without exchange hours.
type roundTheClock struct {
	Symbol string `json:"symbol"`
	Note   string `json:"note"`
}

func (a roundTheClock) Headline(lang string) string {
	if lang == "zh" {
		return a.Symbol + " 没有交易时段：外汇周一至周五全天交易，加密货币全年无休。"
	}
	return a.Symbol + " has no sessions: " + a.Note + "."
}

func (a roundTheClock) Title() string { return toolkit.Abbreviate(a.Symbol) }

func (a roundTheClock) Summary() string { return "no sessions" }

func (s marketStatus) Headline(lang string) string {
	if lang == "zh" {
		text := fmt.Sprintf("%s（%s）：%s", s.Exchange, s.when, s.stateZH())
		if s.Next != nil {
			text += fmt.Sprintf("；下一个交易时段 %s %s 至 %s", s.Next.Date, timeOfDay(s.Next.Open), timeOfDay(s.Next.Close))
		}
		return text + "。"
	}
	text := fmt.Sprintf("%s (%s): %s", s.Exchange, s.when, s.Summary())
	if s.Next != nil {
		text += fmt.Sprintf("; next session %s, %s to %s", s.Next.Date, timeOfDay(s.Next.Open), timeOfDay(s.Next.Close))
	}
	return text + "."
}

func (s marketStatus) Title() string { return s.MIC + " · " + s.when }

// phaseNames names the phases of a session in English and Chinese.
var phaseNames = map[market.Phase][2]string{
	market.PhasePre: {"pre-market", "盘前"}, market.PhaseRegular: {"open", "交易中"}, market.PhaseBreak: {"lunch break", "午间休市"}, market.PhasePost: {"after hours", "盘后"}, market.PhaseClosed: {"closed", "休市"},
}

// state returns whether the exchange is open, in English and Chinese.
func (s marketStatus) state() (english, chinese string) {
	name, ok := phaseNames[s.Phase]
	switch {
	case ok:
	case s.Open:
		name = [2]string{"trading day", "交易日"}
	case len(s.Warnings) > 0:
		name = [2]string{"unknown", "未知"}
	default:
		name = phaseNames[market.PhaseClosed]
	}
	if s.Session != nil && s.Session.Half {
		name[0] += ", half day"
		name[1] += "（半日）"
	}
	return name[0], name[1]
}

func (s marketStatus) Summary() string {
	english, _ := s.state()
	return english
}

func (s marketStatus) stateZH() string {
	_, chinese := s.state()
	return chinese
}

func (s marketStatus) Tables() []toolkit.Table {
	var rows [][]string
	for _, row := range []struct {
		name  string
		times *sessionTimes
	}{{"that day", s.Session}, {"last completed", s.Last}, {"next", s.Next}} {
		if row.times == nil {
			continue
		}
		day := row.times.Date
		if row.times.Half {
			day += " (half day)"
		}
		rows = append(rows, []string{row.name, day, timeOfDay(row.times.Open), timeOfDay(row.times.Close), strings.Join(row.times.Breaks, ", ")})
	}
	return []toolkit.Table{{Columns: []string{"session", "day", "opens", "closes", "break"}, Rows: rows}}
}

func (s marketStatus) Text() string {
	return fmt.Sprintf("%s: **%s**\n\n%s · times in %s", s.Exchange, s.Summary(), s.Source, s.Timezone)
}

// timeOfDay returns the time of day of an RFC 3339 time in its own zone.
func timeOfDay(instant string) string {
	t, err := time.Parse(time.RFC3339, instant)
	if err != nil {
		return instant
	}
	return t.Format("15:04")
}
