package alert

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Message is what a channel receives: one alert, or several that were held back together.
type Message struct {
	ID     string // the same for each try
	Title  string
	Text   string
	Alerts []Alert
}

// Channel sends messages to one destination.
type Channel interface {
	Send(ctx context.Context, m Message) error
}

// SendError is an error with a hint about the next try.
type SendError struct {
	Err       error
	Permanent bool          // another try would fail too
	After     time.Duration // wait at least this long
}

func (e *SendError) Error() string { return e.Err.Error() }
func (e *SendError) Unwrap() error { return e.Err }

// retries are the waits after each failed try. After the last one, the delivery has failed permanently.
var retries = []time.Duration{time.Minute, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 12 * time.Hour}

// maxPerHour is the maximum number of messages sent in an hour.
const maxPerHour = 20

// Sender delivers recorded alerts.
type Sender struct {
	Store    Store
	Channels map[string]Channel
	Now      func() time.Time
}

// FailingChannels returns, for each channel, the first delivery whose last try failed, unless it failed
// permanently over a week ago.
func FailingChannels(ctx context.Context, s Store, now time.Time) ([]Delivery, error) {
	waiting, err := s.Deliveries(ctx, now.AddDate(0, 0, -7))
	seen := map[string]bool{}
	return slices.DeleteFunc(waiting, func(d Delivery) bool {
		if d.Error == "" || seen[d.Channel] {
			return true
		}
		seen[d.Channel] = true
		return false
	}), err
}

// Failure describes a failed delivery.
func (d Delivery) Failure() string {
	return fmt.Sprintf("%s has failed since %s: %s", d.Channel, day(d.At), d.Error)
}

// notFinancialAdvice ends every message.
const notFinancialAdvice = "Not financial advice."

// Describe returns the text of an alert for people, with its date, source and rule.
func (a Alert) Describe() string {
	text := a.Text
	if a.Figure.Source != "" {
		text += fmt.Sprintf(" As of %s, source %s.", a.Figure.AsOf.Format(time.DateOnly), clip(a.Figure.Source))
	}
	if strings.Contains(text, "\n") {
		text += "\n"
	} else {
		text += " "
	}
	return fmt.Sprintf("%sRule %s. Details: nfa why %s", text, a.RuleID, a.ID)
}

// NewMessage returns the message for alerts.
func NewMessage(alerts ...Alert) Message {
	m := Message{ID: alerts[0].ID, Title: "nfa: " + alerts[0].Rule, Text: alerts[0].Describe(), Alerts: alerts}
	if len(alerts) > 1 {
		ids, lines := make([]string, len(alerts)), make([]string, len(alerts))
		for i, a := range alerts {
			ids[i], lines[i] = a.ID, "- "+a.Describe()
		}
		m.ID = alertID("several", strings.Join(ids, " "), "")
		m.Title = fmt.Sprintf("nfa: %d alerts", len(alerts))
		m.Text = strings.Join(lines, "\n")
	}
	m.Text += "\n" + notFinancialAdvice
	return m
}

// Deliver sends the messages that are due. It returns how many were sent and the deliveries that failed
// permanently. A message may be sent twice if the process ends before the success is recorded.
func (s *Sender) Deliver(ctx context.Context) (sent int, failed []Delivery, err error) {
	now := s.Now()
	waiting, err := s.Store.Deliveries(ctx, now.Add(time.Hour)) // no delivery has failed in the future, so permanent failures are excluded
	if err != nil {
		return 0, nil, err
	}
	recent, err := s.Store.SentSince(ctx, now.Add(-time.Hour))
	if err != nil {
		return 0, nil, err
	}
	budget := max(maxPerHour-recent, 0)
	due := map[string][]Delivery{}
	for _, d := range waiting {
		if !d.Hold.After(now) && !d.Next.After(now) {
			due[d.Channel] = append(due[d.Channel], d)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(due)) {
		for _, batch := range batches(due[name], budget) {
			if ctx.Err() != nil {
				return sent, failed, ctx.Err()
			}
			budget--
			sendErr := s.send(ctx, name, batch)
			if sendErr == nil {
				sent++
			}
			// SentSince counts distinct times, so each message needs its own.
			at := s.Now().Add(time.Duration(sent) * time.Microsecond)
			for _, d := range batch {
				d.finish(sendErr, at)
				if d.Failed {
					failed = append(failed, d)
				}
				if err := s.Store.PutDelivery(context.WithoutCancel(ctx), d); err != nil {
					return sent, failed, err
				}
			}
			if sendErr != nil {
				break // other channels may continue
			}
		}
	}
	return sent, failed, nil
}

// batches splits deliveries into messages: first one for all that were held until the end of the quiet hours,
// then one each. If there are more than budget, the last message has the rest.
func batches(due []Delivery, budget int) [][]Delivery {
	var held []Delivery
	var all [][]Delivery
	for _, d := range due {
		if d.Hold.IsZero() {
			all = append(all, []Delivery{d})
		} else {
			held = append(held, d)
		}
	}
	if held != nil {
		all = append([][]Delivery{held}, all...)
	}
	if len(all) <= budget {
		return all
	}
	if budget == 0 {
		return nil // until the hour has passed
	}
	return append(all[:budget-1:budget-1], slices.Concat(all[budget-1:]...))
}

func (s *Sender) send(ctx context.Context, name string, batch []Delivery) error {
	channel := s.Channels[name]
	if channel == nil {
		return &SendError{Err: errors.New("no such channel in the settings: " + name), Permanent: true}
	}
	alerts := make([]Alert, len(batch))
	for i, d := range batch {
		alerts[i] = d.Alert
	}
	return channel.Send(ctx, NewMessage(alerts...))
}

// finish records the result of a try.
func (d *Delivery) finish(err error, now time.Time) {
	d.Tries++
	if err == nil {
		d.Sent, d.Error = now, ""
		return
	}
	d.Error = clip(err.Error())
	var hint *SendError
	known := errors.As(err, &hint)
	if known && hint.Permanent || d.Tries > len(retries) {
		d.Failed = true
		return
	}
	wait := retries[d.Tries-1]
	if known {
		wait = max(wait, hint.After)
	}
	d.Next = now.Add(wait)
}

// Quiet is a daily time range in which messages are held.
type Quiet struct{ From, Until time.Duration } // since midnight

// ParseQuiet parses "22:00-07:00"; "" means no quiet hours.
func ParseQuiet(text string) (Quiet, error) {
	if text == "" {
		return Quiet{}, nil
	}
	from, until, ok := strings.Cut(text, "-")
	var q Quiet
	for _, end := range []struct {
		text string
		to   *time.Duration
	}{{from, &q.From}, {until, &q.Until}} {
		at, err := time.Parse("15:04", strings.TrimSpace(end.text))
		if !ok || err != nil {
			return q, fmt.Errorf("invalid quiet hours %.20q; write 22:00-07:00", text)
		}
		*end.to = time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute
	}
	return q, nil
}

// Hold returns the end of the quiet hours at a time, or zero outside them.
func (q Quiet) Hold(now time.Time) time.Time {
	since := time.Duration(now.Hour())*time.Hour + time.Duration(now.Minute())*time.Minute
	late, early := since >= q.From, since < q.Until
	quiet := late && early
	if q.From > q.Until {
		quiet = late || early
	}
	if !quiet {
		return time.Time{}
	}
	day := now.Day()
	if q.From > q.Until && late {
		day++
	}
	// Use the local time of day, so that daylight saving time does not move the hour.
	return time.Date(now.Year(), now.Month(), day, int(q.Until/time.Hour), int(q.Until%time.Hour/time.Minute), 0, 0, now.Location())
}
