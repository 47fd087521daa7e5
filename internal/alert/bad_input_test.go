package alert_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
)

// world runs rules over a market that a test changes.
type world struct {
	*pastMarket
	store  alert.Store
	runner *alert.Runner
}

func newWorld(t *testing.T, at string, rules ...string) *world {
	t.Helper()
	w := &world{pastMarket: newPastMarket(t), store: openStore(t)}
	w.now = date(at).Add(22 * time.Hour)
	addRules(t, w.store, w.now.AddDate(0, 0, -1), rules...)
	w.runner = &alert.Runner{Store: w.store, Tools: w.router(t), Now: func() time.Time { return w.now }}
	return w
}

func (w *world) run(t *testing.T) alert.Report {
	t.Helper()
	report, err := w.runner.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// live provides a quote of its own, so that the closes are not used for it.
func (w *world) live(t *testing.T, price string) {
	t.Helper()
	w.replay = false
	q, err := w.pastMarket.Quote(t.Context(), "PAYR")
	if err != nil {
		t.Fatal(err)
	}
	q.Previous = decimal.NewNullDecimal(q.Price)
	q.Price = decimal.RequireFromString(price)
	w.quotes = map[market.Symbol]market.Quote{"PAYR": q}
	w.runner.Tools = w.router(t)
}

func TestRun_AnImplausiblePriceIsNoAlertAndOneNotice(t *testing.T) {
	for _, price := range []string{"0", "-5", "60", "900"} {
		w := newWorld(t, "2019-06-05", "PAYR below 100", "PAYR above 800")
		w.live(t, price)
		notices := 0
		for range 3 {
			for _, a := range w.run(t).Fired {
				if !a.Notice || !strings.Contains(a.Text, "yahoo") && !strings.Contains(a.Text, "test closes") {
					t.Errorf("price %s: %+v", price, a)
				}
				notices++
			}
		}
		if notices != 2 { // one per rule
			t.Errorf("price %s: %d notices, want one for each rule", price, notices)
		}
	}
	// A jump that the closes show too is real.
	w := newWorld(t, "2019-06-05", "PAYR below 100")
	s := w.series["PAYR"]
	i := slices.IndexFunc(s.Bars, func(b market.Bar) bool { return !b.Date.Before(date("2019-06-05")) })
	s.Bars = slices.Clone(s.Bars[:i+1])
	s.Bars[i].Close = decimal.NewFromInt(60)
	w.series["PAYR"] = s
	before := s.Bars[i-1].Close
	w.live(t, "60")
	q := w.quotes["PAYR"]
	q.Previous = decimal.NewNullDecimal(before)
	w.quotes["PAYR"] = q
	if fired := w.run(t).Fired; len(fired) != 1 || fired[0].Notice {
		t.Errorf("a jump that the closes confirm: %+v", fired)
	}
}

func TestRun_ClockMovedBackOrTheSameRunTwiceChangesNothing(t *testing.T) {
	w := newWorld(t, "2019-06-05", "PAYR above 100", "^GSPC drawdown above 1%")
	if fired := w.run(t).Fired; len(fired) != 2 {
		t.Fatalf("%+v", fired)
	}
	before, err := w.store.States(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"2019-06-05", "2019-05-20", "2019-06-05"} {
		w.now = date(at).Add(22 * time.Hour)
		if fired := w.run(t).Fired; len(fired) != 0 {
			t.Errorf("%s: %+v", at, fired)
		}
	}
	after, err := w.store.States(t.Context())
	if err != nil || !slices.EqualFunc(before, after, func(a, b alert.State) bool { return a.Edge == b.Edge && a.LastAsOf.Equal(b.LastAsOf) }) {
		t.Errorf("states changed: %+v, %+v, %v", before, after, err)
	}
	// In two time zones, the date of the figure counts.
	for _, zone := range []*time.Location{time.FixedZone("east", 14*3600), time.FixedZone("west", -11*3600)} {
		w.now = w.now.In(zone)
		if fired := w.run(t).Fired; len(fired) != 0 {
			t.Errorf("%s: %+v", zone, fired)
		}
	}
}

// On two machines in different time zones the same rules record the same alerts.
func TestRun_TwoTimeZonesRecordTheSameAlerts(t *testing.T) {
	var recorded [2][]string
	for i, zone := range []*time.Location{time.FixedZone("east", 14*3600), time.FixedZone("west", -11*3600)} {
		w := newWorld(t, "2018-12-03", "^GSPC down 4% in 5d", "PAYR below 380", "^GSPC drawdown above 15%", "ex-dividend of PAYR within 5d")
		for range 65 {
			w.now = w.now.AddDate(0, 0, 1).In(zone)
			for _, a := range w.run(t).Fired {
				recorded[i] = append(recorded[i], a.ID+" "+a.Rule)
			}
		}
		slices.Sort(recorded[i])
	}
	if len(recorded[0]) < 4 || !slices.Equal(recorded[0], recorded[1]) {
		t.Errorf("east %q\nwest %q", recorded[0], recorded[1])
	}
}

func TestRun_StaleSampleAndUnknownAreNeitherAlertsNorFalse(t *testing.T) {
	w := newWorld(t, "2020-04-20", "PAYR below 10000")
	report := w.run(t) // Monday evening; the last close is from Friday
	if len(report.Fired) != 0 || !strings.Contains(report.Unknown["r1"], "stale") {
		t.Errorf("one session late: %+v", report)
	}
	notices := 0
	for range 8 {
		w.now = w.now.AddDate(0, 0, 1)
		for _, a := range w.run(t).Fired {
			if !a.Notice {
				t.Errorf("fired on a stale price: %+v", a)
			}
			notices++
		}
	}
	if notices != 1 {
		t.Errorf("%d notices, want one", notices)
	}
	w = newWorld(t, "2019-06-05", "PAYR above 100")
	s := w.series["PAYR"]
	s.Provenance.Flags = []market.Flag{market.FlagSample}
	w.series["PAYR"] = s
	if report := w.run(t); len(report.Fired) != 0 || !strings.Contains(report.Unknown["r1"], "sample") {
		t.Errorf("sample: %+v", report)
	}
	w.fail = market.ErrUnavailable
	if report := w.run(t); len(report.Fired) != 0 || !report.NoSource {
		t.Errorf("no source: %+v", report)
	}
}

func TestRun_OnceAndPausedRulesStaySilent(t *testing.T) {
	w := newWorld(t, "2018-12-03")
	for _, r := range []alert.StoredRule{{Text: "^GSPC below 2700", Once: true}, {Text: "^GSPC below 2700", Paused: true}, {Text: "^GSPC above 100", Paused: true, PausedUntil: date("2018-12-10")}} {
		r.CreatedAt = w.now
		if _, err := w.store.AddRule(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	fired := map[string]int{}
	for range 150 {
		w.now = w.now.AddDate(0, 0, 1)
		for _, a := range w.run(t).Fired {
			fired[a.RuleID]++
			if a.RuleID == "r3" && a.Figure.AsOf.Before(date("2018-12-07")) {
				t.Errorf("fired while paused: %+v", a)
			}
		}
	}
	if fired["r1"] != 1 || fired["r2"] != 0 || fired["r3"] != 1 {
		t.Errorf("fired %v, want r1 and r3 once", fired)
	}
}

// hurried is a set of tools whose calls run into the time limit.
type hurried struct {
	alert.Caller
	cancel func()
}

func (h hurried) Dispatch(ctx context.Context, calls []llm.ToolCall, obs tool.Observer) ([]tool.Outcome, error) {
	outcomes, err := h.Caller.Dispatch(ctx, calls, obs)
	h.cancel()
	return outcomes, err
}

func TestRun_RulesThatWereCutOffAreCheckedInTheNextRun(t *testing.T) {
	w := newWorld(t, "2019-06-05", "PAYR above 100", "^GSPC above 100")
	ctx, cancel := context.WithCancel(t.Context())
	tools := w.runner.Tools
	w.runner.Tools = hurried{tools, cancel}
	report, err := w.runner.Run(ctx)
	if err != nil || report.Evaluated != 0 || report.Unknown["r1"] != "not evaluated within the time limit" {
		t.Fatalf("%+v, %v", report, err)
	}
	w.runner.Tools = tools
	if report := w.run(t); report.Evaluated != 2 || len(report.Fired) != 2 {
		t.Errorf("%+v", report)
	}
}

// C-6: an earnings date and an ex-dividend date are announced in advance, each once.
func TestRun_AnnouncedDatesFireOnce(t *testing.T) {
	w := newWorld(t, "2019-06-03", "earnings of PAYR within 7d", "ex-dividend of PAYR within 5d")
	w.replay = false
	w.next = market.Earnings{Symbol: "PAYR", From: date("2019-06-20"), DateEstimated: true, ExDividend: date("2019-06-06"), Provenance: market.Provenance{Source: "test dates", AsOf: w.now}}
	w.runner.Tools = w.router(t)
	for _, row := range []struct{ day, want string }{
		{"2019-06-03", "PAYR goes ex-dividend on 2019-06-06."},
		{"2019-06-04", ""},
		{"2019-06-14", "PAYR is expected to report earnings on 2019-06-20; the company has not confirmed the date."},
		{"2019-06-17", ""},
	} {
		w.now = date(row.day).Add(22 * time.Hour)
		report := w.run(t)
		var got []string
		for _, a := range report.Fired {
			got = append(got, a.Text)
		}
		if text := strings.Join(got, "|"); text != row.want {
			t.Errorf("%s: %q, want %q; unknown %v", row.day, text, row.want, report.Unknown)
		}
	}
}
