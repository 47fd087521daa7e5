package edgar_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/edgar"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func revenues(t *testing.T, s *edgar.Source, q market.StatementQuery) []string {
	t.Helper()
	all, err := s.Statements(t.Context(), "EXM", q)
	if err != nil {
		t.Fatalf("Statements(%+v) = %v", q, err)
	}
	var out []string
	for _, one := range all {
		out = append(out, one.Items[market.ItemRevenue].Value.String())
	}
	return out
}

func TestStatements_AreNarrowedByTheQuery(t *testing.T) {
	s := source(t, newScript(t))
	for name, row := range map[string]struct {
		q    market.StatementQuery
		want string
	}{
		"years":           {market.StatementQuery{}, "1000 900"},
		"newest year":     {market.StatementQuery{Limit: 1}, "1000"},
		"quarters":        {market.StatementQuery{Span: market.SpanQuarterly}, "260"},
		"known on a day":  {market.StatementQuery{KnownOn: date("2024-01-31")}, "900"},
		"known that day":  {market.StatementQuery{KnownOn: date("2024-02-01")}, "1000 900"},
		"trailing at end": {market.StatementQuery{Span: market.SpanTrailing, Limit: 2}, "1000 900"},
	} {
		if got := strings.Join(revenues(t, s, row.q), " "); got != row.want {
			t.Errorf("%s: revenues %s, want %s", name, got, row.want)
		}
	}
	if _, err := s.Statements(t.Context(), "EXM", market.StatementQuery{KnownOn: date("2020-01-01")}); !errors.Is(err, market.ErrNoData) {
		t.Errorf("Statements known on 2020-01-01 = %v, want ErrNoData", err)
	}
}

func TestStatements_SayWhatTheyAreAndWhereFrom(t *testing.T) {
	all, err := source(t, newScript(t)).Statements(t.Context(), "EXM", market.StatementQuery{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	one := all[0]
	if one.Symbol != "EXM" || one.Name != "Example Corp" || one.CIK != "0000001234" || one.Template != market.TemplateGeneral {
		t.Errorf("statement of %+v, template %s", one.Instrument, one.Template)
	}
	p := one.Provenance
	if p.Source != "sec-edgar" || p.Endpoint != "companyfacts" || p.Currency != "USD" || !p.AsOf.Equal(date("2023-12-31")) || !p.FetchedAt.Equal(now()) || p.License == "" {
		t.Errorf("provenance %+v", p)
	}
}

func TestStatements_ABanksTemplateComesFromItsIndustry(t *testing.T) {
	body := strings.Replace(string(testdata(t, "submissions.json")), `"sic":"3571"`, `"sic":"6021"`, 1)
	body = strings.Replace(body, `"form":["4/A"`, `"form":["8-K12B"`, 1)
	all, err := source(t, newScript(t).Respond(submissionsPath, markettest.JSONResponse(body))).Statements(t.Context(), "EXM", market.StatementQuery{})
	if err != nil || all[0].Template != market.TemplateBank {
		t.Fatalf("Statements = %+v, %v, want those of a bank", all, err)
	}
	if !strings.Contains(all[0].Provenance.Note, "replaced the predecessor") {
		t.Errorf("note %q, want it to say that the CIK replaced another", all[0].Provenance.Note)
	}
}

// Cached figures are used for a day, but not after a newer report.
func TestStatements_ANewReportIsAskedFor(t *testing.T) {
	for name, row := range map[string]struct {
		later time.Duration
		filed string // filing date of the newest report
		asked int
	}{
		"nothing new":          {20 * time.Hour, "2024-05-01", 1},
		"filed since":          {20 * time.Hour, "2024-06-04", 2},
		"filed on the day":     {2 * time.Hour, "2024-06-03", 2},
		"too soon to ask":      {30 * time.Minute, "2024-06-03", 1},
		"older than their day": {25 * time.Hour, "2024-05-01", 2},
	} {
		at := now()
		clock := func() time.Time { return at }
		script := newScript(t)
		s := edgar.New(client.New(client.Options{Transport: script, Now: clock, Dir: t.TempDir()}), client.ProviderOptions{BaseURL: "http://127.0.0.1", Contact: "jane@example.com", Now: clock})
		revenues(t, s, market.StatementQuery{})
		at = at.Add(row.later)
		body := strings.ReplaceAll(string(testdata(t, "submissions.json")), `"2024-05-01"`, `"`+row.filed+`"`)
		script.Respond(submissionsPath, markettest.JSONResponse(strings.Replace(body, `"4/A","4","10-Q"`, `"10-Q","4","4/A"`, 1)))
		if row.filed != "2024-05-01" {
			body = strings.Replace(body, `"2024-05-20"`, `"`+row.filed+`"`, 1)
			script.Respond(submissionsPath, markettest.JSONResponse(strings.Replace(body, `"4/A","4","10-Q"`, `"10-Q","4","4/A"`, 1)))
		}
		revenues(t, s, market.StatementQuery{})
		if n := requestCount(script, factsPath); n != row.asked {
			t.Errorf("%s: figures were asked for %d times, want %d", name, n, row.asked)
		}
	}
}

func TestStatements_KeptOnesStandInAndSaySo(t *testing.T) {
	at := now()
	clock := func() time.Time { return at }
	script := newScript(t)
	s := edgar.New(client.New(client.Options{Transport: script, Now: clock, Dir: t.TempDir()}), client.ProviderOptions{BaseURL: "http://127.0.0.1", Contact: "jane@example.com", Now: clock})
	revenues(t, s, market.StatementQuery{})
	at = at.AddDate(0, 0, 5)
	script.Respond(factsPath, markettest.Response{Status: 500})
	all, err := s.Statements(t.Context(), "EXM", market.StatementQuery{})
	if err != nil {
		t.Fatalf("Statements = %v", err)
	}
	if p := all[0].Provenance; p.Cache != market.CacheStale || !p.Has(market.FlagStale) || !p.FetchedAt.Equal(now()) {
		t.Errorf("provenance %+v, want stale figures of %v", p, now())
	}
}

func TestRecorded_Statements(t *testing.T) {
	script := newScript(t).Respond(tickersPath, markettest.Response{Body: recording(t, "company_tickers.json.gz")}).
		Respond("/submissions/CIK0000320193.json", markettest.Response{Body: recording(t, "submissions-CIK0000320193-AAPL.json")}).
		Respond("/api/xbrl/companyfacts/CIK0000320193.json", markettest.Response{Body: recording(t, "companyfacts-CIK0000320193-AAPL.json.gz")})
	all, err := source(t, script).Statements(t.Context(), "AAPL", market.StatementQuery{KnownOn: date("2024-06-30"), Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	if one := all[0]; one.FiscalYear != 2023 || !one.Items[market.ItemRevenue].Value.Equal(decimal.New(383285, 6)) || one.Name != "Apple Inc." {
		t.Errorf("Apple's last year known in June 2024 = %d of %s with revenue %s, want 2023 with 383,285 million", one.FiscalYear, one.Name, one.Items[market.ItemRevenue].Value)
	}
}
