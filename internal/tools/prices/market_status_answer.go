package prices

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

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
	Asked    string        `json:"asked"` // the moment, at the exchange, or the day
	Phase    market.Phase  `json:"phase,omitempty"`
	Open     bool          `json:"is_session_day"`
	Session  *sessionTimes `json:"session,omitempty"` // of that day
	Last     *sessionTimes `json:"last_completed,omitempty"`
	Next     *sessionTimes `json:"next_session,omitempty"`
	Source   string        `json:"source"`
	Warnings []string      `json:"warnings"`
}

// calendarSource is where the times are from.
const calendarSource = "nfa exchange calendars, 2000 to 2027"

func currentStatus(e *reference.Exchange) marketStatus {
	return marketStatus{Exchange: e.Name(), MIC: e.MIC(), Timezone: e.Location().String(), Source: calendarSource, Warnings: []string{}}
}

// statusAtTime is what an exchange is doing at a moment.
func statusAtTime(e *reference.Exchange, at time.Time) marketStatus {
	s := currentStatus(e)
	s.Asked, s.Phase = at.In(e.Location()).Format(time.RFC3339), e.Phase(at)
	s.Session, s.Open = s.timesOf(e.Session(e.DateOf(at)))
	s.Last, _ = s.timesOf(e.LastCompleted(at))
	s.Next, _ = s.timesOf(e.NextSession(at))
	return s
}

// statusOnDay is whether an exchange trades on a day, and the sessions around it.
func statusOnDay(e *reference.Exchange, day market.Date) marketStatus {
	s := currentStatus(e)
	s.Asked = toolkit.FormatDate(day)
	s.Session, s.Open = s.timesOf(e.Session(day))
	s.Last, _ = s.timesOf(e.PreviousSession(day))
	midnight := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, e.Location()).AddDate(0, 0, 1)
	s.Next, _ = s.timesOf(e.NextSession(midnight))
	return s
}

// timesOf are the times of a session, and none with a warning outside of what the
// calendar knows: it does not guess.
func (s *marketStatus) timesOf(session reference.Session, err error) (*sessionTimes, bool) {
	switch {
	case errors.Is(err, reference.ErrNoSession):
		return nil, false
	case err != nil:
		s.Warnings = append(s.Warnings, err.Error())
		return nil, false
	}
	t := sessionTimes{Date: toolkit.FormatDate(session.Date), Open: session.Open.Format(time.RFC3339), Close: session.Close.Format(time.RFC3339), Half: session.HalfDay}
	for _, b := range session.Breaks {
		t.Breaks = append(t.Breaks, b.From.Format("15:04")+" to "+b.To.Format("15:04"))
	}
	return &t, true
}

// roundTheClockResult answers for what has no exchange hours.
func roundTheClockResult(symbol string) tool.Result {
	value := map[string]any{"symbol": symbol, "note": "currencies trade from Monday to Friday around the clock and coins every hour of the year; neither has sessions"}
	return tool.Result{Value: value, ForUser: fmt.Sprintf("%s has no sessions: %s\n", toolkit.TableCell(symbol), value["note"]), Title: toolkit.Abbreviate(symbol), Summary: "no sessions"}
}

func (s marketStatus) result() tool.Result {
	summary := "closed"
	switch {
	case s.Phase != market.PhaseUnknown:
		summary = string(s.Phase)
	case s.Open:
		summary = "a session"
	case len(s.Warnings) > 0:
		summary = "not known"
	}
	if s.Session != nil && s.Session.Half {
		summary += ", half day"
	}
	rows := [][]string{}
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
	text := fmt.Sprintf("**%s** (%s) %s: **%s**\n\n%s", s.Exchange, s.MIC, s.Asked, summary, toolkit.MarkdownTable([]string{"session", "day", "opens", "closes", "break"}, rows))
	for _, w := range s.Warnings {
		text += "\n! " + w + "\n"
	}
	return tool.Result{
		Value: s, ForUser: text + fmt.Sprintf("\n%s · times of %s\n", s.Source, s.Timezone), Title: s.MIC + " · " + s.Asked, Summary: summary,
	}
}

// timeOfDay is the time of day of an instant in RFC 3339, in its own zone.
func timeOfDay(instant string) string {
	t, err := time.Parse(time.RFC3339, instant)
	if err != nil {
		return instant
	}
	return t.Format("15:04")
}
