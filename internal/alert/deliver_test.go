package alert_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/alert"
)

// fakeChannel records what it received, or fails.
type fakeChannel struct {
	got []alert.Message
	err error
}

func (c *fakeChannel) Send(_ context.Context, m alert.Message) error {
	if c.err == nil {
		c.got = append(c.got, m)
	}
	return c.err
}

func record(t *testing.T, s alert.Store, n int, hold, at time.Time, channels ...string) {
	t.Helper()
	var alerts []alert.NewAlert
	for i := range n {
		alerts = append(alerts, alert.NewAlert{Alert: alert.Alert{ID: fmt.Sprintf("id%02d%s", i, hold.Format("1504")), RuleID: "r1", Rule: "AAPL below 150", Text: "x.", At: at}, Channels: channels, Hold: hold})
	}
	if fresh, err := s.Record(t.Context(), nil, alerts); err != nil || len(fresh) != n {
		t.Fatalf("%d recorded, %v", len(fresh), err)
	}
	if fresh, err := s.Record(t.Context(), nil, alerts); err != nil || len(fresh) != 0 {
		t.Fatalf("%d recorded twice, %v", len(fresh), err)
	}
}

func TestDeliver_RetriesThenGivesUpAndOtherChannelsGoOn(t *testing.T) {
	store, now := openStore(t), date("2026-11-20").Add(12*time.Hour)
	good, bad := &fakeChannel{}, &fakeChannel{err: errors.New("connection reset")}
	sender := &alert.Sender{Store: store, Channels: map[string]alert.Channel{"good": good, "bad": bad}, Now: func() time.Time { return now }}
	record(t, store, 1, time.Time{}, now, "good", "bad")
	var tries []string
	for range 2000 {
		before := now
		_, failed, err := sender.Deliver(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		waiting, err := store.Deliveries(t.Context(), time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		if waiting[0].Tries > len(tries) {
			tries = append(tries, before.Sub(date("2026-11-20").Add(12*time.Hour)).Truncate(time.Minute).String())
		}
		if len(failed) == 1 {
			break
		}
		now = now.Add(time.Minute)
	}
	if want := []string{"0s", "1m0s", "6m0s", "36m0s", "2h36m0s", "14h36m0s"}; !slices.Equal(tries, want) {
		t.Errorf("tries at %v, want %v", tries, want)
	}
	if len(good.got) != 1 {
		t.Errorf("the good channel has %d messages", len(good.got))
	}
	if waiting, _ := store.Deliveries(t.Context(), now); len(waiting) != 0 {
		t.Errorf("still waiting: %+v", waiting)
	}
}

func TestDeliver_AtMostTwentyAnHourAndTheRestInOne(t *testing.T) {
	store, now := openStore(t), date("2026-11-20").Add(12*time.Hour)
	c := &fakeChannel{}
	sender := &alert.Sender{Store: store, Channels: map[string]alert.Channel{"c": c}, Now: func() time.Time { return now }}
	record(t, store, 50, time.Time{}, now, "c")
	for range 3 {
		if _, _, err := sender.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.got) != 20 || len(c.got[19].Alerts) != 31 || !strings.Contains(c.got[19].Title, "31 alerts") {
		t.Errorf("%d messages, the last with %d alerts", len(c.got), len(c.got[len(c.got)-1].Alerts))
	}
}

func TestDeliver_QuietHoursHoldAndLeaveAsOneMessage(t *testing.T) {
	quiet, err := alert.ParseQuiet("22:00-07:00")
	if err != nil {
		t.Fatal(err)
	}
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Skip(err)
	}
	for _, row := range []struct{ at, want string }{
		{"2026-11-20 12:00", ""}, {"2026-11-20 22:00", "2026-11-21 07:00"}, {"2026-11-20 06:59", "2026-11-20 07:00"}, {"2026-11-20 07:00", ""},
		{"2026-03-07 23:30", "2026-03-08 07:00"}, // the night when daylight saving time starts
	} {
		at, _ := time.ParseInLocation("2006-01-02 15:04", row.at, zone)
		got := ""
		if hold := quiet.Hold(at); !hold.IsZero() {
			got = hold.Format("2006-01-02 15:04")
		}
		if got != row.want {
			t.Errorf("%s is held until %q, want %q", row.at, got, row.want)
		}
	}
	store, now := openStore(t), time.Date(2026, 11, 20, 23, 0, 0, 0, zone)
	c := &fakeChannel{}
	sender := &alert.Sender{Store: store, Channels: map[string]alert.Channel{"c": c}, Now: func() time.Time { return now }}
	record(t, store, 3, quiet.Hold(now), now, "c")
	for _, at := range []time.Duration{0, 7*time.Hour + 59*time.Minute, 8 * time.Hour} {
		start := now
		now = now.Add(at)
		if _, _, err := sender.Deliver(t.Context()); err != nil {
			t.Fatal(err)
		}
		if at < 8*time.Hour && len(c.got) != 0 {
			t.Errorf("sent in quiet hours: %+v", c.got)
		}
		if at < 8*time.Hour {
			now = start
		}
	}
	if len(c.got) != 1 || len(c.got[0].Alerts) != 3 {
		t.Errorf("%d messages", len(c.got))
	}
}

func TestDeliver_A429WaitsAndARefusalIsFinal(t *testing.T) {
	store, now := openStore(t), date("2026-11-20").Add(12*time.Hour)
	busy := &fakeChannel{err: &alert.SendError{Err: errors.New("busy"), After: 3 * time.Hour}}
	gone := &fakeChannel{err: &alert.SendError{Err: errors.New("revoked"), Permanent: true}}
	sender := &alert.Sender{Store: store, Channels: map[string]alert.Channel{"busy": busy, "gone": gone}, Now: func() time.Time { return now }}
	record(t, store, 1, time.Time{}, now, "busy", "gone", "nowhere")
	_, failed, err := sender.Deliver(t.Context())
	if err != nil || len(failed) != 2 || failed[0].Channel != "gone" || failed[1].Channel != "nowhere" {
		t.Fatalf("failed %+v, %v", failed, err)
	}
	waiting, err := store.Deliveries(t.Context(), now.Add(time.Hour))
	if err != nil || len(waiting) != 1 || waiting[0].Next.Before(now.Add(3*time.Hour)) {
		t.Errorf("waiting %+v, %v", waiting, err)
	}
}

func TestLock_OnlyOneRunAtATime(t *testing.T) {
	store := openStore(t)
	release, err := store.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Lock(t.Context()); !errors.Is(err, alert.ErrLocked) {
		t.Errorf("second lock: %v", err)
	}
	release()
	if again, err := store.Lock(t.Context()); err != nil {
		t.Error(err)
	} else {
		again()
	}
}
