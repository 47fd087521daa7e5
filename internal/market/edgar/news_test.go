package edgar_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func titles(all []market.Article) []string {
	var out []string
	for _, a := range all {
		out = append(out, a.Title)
	}
	return out
}

func TestNews_ACompanysEventsAreTitledByTheirItems(t *testing.T) {
	got, err := source(t, newScript(t)).News(t.Context(), market.NewsQuery{Symbol: "EXM"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"8-K: Results of Operations (2.02)",
		"8-K: Directors or Officers Changed (5.02); Articles, Bylaws or Fiscal Year Changed (5.03)",
	}
	if diff := cmp.Diff(want, titles(got)); diff != "" {
		t.Errorf("News (-want +got):\n%s", diff)
	}
	a := got[0]
	// A filing accepted in the evening is dated the next morning: six o'clock in New York.
	if !a.Published.Equal(time.Date(2024, time.April, 12, 10, 0, 0, 0, time.UTC)) || a.Symbols[0] != "EXM" || !strings.HasSuffix(a.URL, "exm-8k.htm") {
		t.Errorf("article %+v", a)
	}
	if a.Provenance.Source != "sec-edgar" || !a.Provenance.AsOf.Equal(a.Published) || a.Provenance.Note == "" {
		t.Errorf("provenance %+v", a.Provenance)
	}
}

func TestNews_BoundsAreMoments(t *testing.T) {
	published := time.Date(2024, time.April, 12, 10, 0, 0, 0, time.UTC)
	for name, row := range map[string]struct {
		q    market.NewsQuery
		want int
	}{
		"before its moment":   {market.NewsQuery{Before: published, After: date("2024-01-01")}, 0},
		"just after it":       {market.NewsQuery{Before: published.Add(time.Second), After: date("2024-01-01")}, 1},
		"from its moment on":  {market.NewsQuery{After: published}, 1},
		"from after it on":    {market.NewsQuery{After: published.Add(time.Second)}, 0},
		"only the newest one": {market.NewsQuery{Limit: 1}, 1},
	} {
		row.q.Symbol = "EXM"
		got, err := source(t, newScript(t)).News(t.Context(), row.q)
		if err != nil || len(got) != row.want {
			t.Errorf("%s: News = %q, %v, want %d", name, titles(got), err, row.want)
		}
	}
}

func TestNews_WordsCannotBeAskedFor(t *testing.T) {
	script := newScript(t)
	if _, err := source(t, script).News(t.Context(), market.NewsQuery{Text: "example"}); !errors.Is(err, market.ErrNoData) || len(script.Requests()) != 0 {
		t.Errorf("News of words = %v with %d requests, want ErrNoData without", err, len(script.Requests()))
	}
}

func TestNews_NewestOfAllCompanies(t *testing.T) {
	got, err := source(t, newScript(t)).News(t.Context(), market.NewsQuery{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"BERKSHIRE HATHAWAY INC 8-K: Directors or Officers Changed (5.02)", "Compañia Example 8-K/A: Current report"}
	if diff := cmp.Diff(want, titles(got)); diff != "" {
		t.Errorf("News (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]market.Symbol{"BRK.B", "BRK.A"}, got[0].Symbols); diff != "" {
		t.Errorf("symbols of the first (-want +got):\n%s", diff)
	}
	if !got[0].Published.Equal(time.Date(2024, time.May, 10, 22, 2, 43, 0, time.UTC)) {
		t.Errorf("published %v, want 2024-05-10 22:02:43 UTC", got[0].Published)
	}
	only, err := source(t, newScript(t)).News(t.Context(), market.NewsQuery{Before: got[0].Published})
	if err != nil || len(only) != 1 {
		t.Errorf("News before the first = %q, %v, want the other", titles(only), err)
	}
}

func TestRecorded_Feed(t *testing.T) {
	got, odd, err := edgar.ArticlesOf(recording(t, "getcurrent-40.atom"))
	if err != nil || len(odd) > 0 || len(got) != 40 {
		t.Errorf("the recorded feed has %d articles, %v, %v, want 40", len(got), odd, err)
	}
	for _, a := range got {
		if a.Published.Format(time.DateOnly) != "2025-12-12" || a.Title == "" {
			t.Errorf("article %+v", a)
		}
	}
	script := newScript(t).Respond(currentPath, markettest.Response{Status: 503, Body: recording(t, "getcurrent-503.html")})
	client := source(t, script)
	if _, err := client.News(t.Context(), market.NewsQuery{}); !errors.Is(err, market.ErrUnavailable) {
		t.Errorf("News past the end of the feed = %v, want ErrUnavailable", err)
	}
}

func TestRecorded_Refusals(t *testing.T) {
	for name, row := range map[string]struct {
		status int
		want   error
	}{
		"error-rate-exceeded.html":             {403, market.ErrRateLimited},
		"error-undeclared-automated-tool.html": {403, market.ErrAuth},
		"getcurrent-503.html":                  {200, market.ErrUnavailable},
		"submissions-404.xml":                  {404, market.ErrUnknownSymbol},
		"full-index-403.xml":                   {403, market.ErrUnknownSymbol},
	} {
		script := newScript(t).Respond(submissionsPath, markettest.Response{Status: row.status, Body: recording(t, name)})
		if _, err := source(t, script).Profile(t.Context(), "EXM"); !errors.Is(err, row.want) {
			t.Errorf("%s: Profile = %v, want %v", name, err, row.want)
		}
	}
}
