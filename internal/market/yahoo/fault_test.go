package yahoo_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/yahoo"
)

// calls returns the requests that need no crumb, each with its path and a valid response.
func calls() map[string]struct {
	path, good string
	ask        func(*testing.T, *yahoo.Source) error
} {
	type call = struct {
		path, good string
		ask        func(*testing.T, *yahoo.Source) error
	}
	chart := markettest.NewYahooChart("AAA", "2025-02-17", 10, 11).String()
	return map[string]call{
		"quote": {chartPath + "AAA", chart, func(t *testing.T, s *yahoo.Source) error {
			_, err := s.Quote(t.Context(), "AAA")
			return err
		}},
		"bars": {chartPath + "AAA", chart, func(t *testing.T, s *yahoo.Source) error {
			_, err := s.Bars(t.Context(), "AAA", market.Range{})
			return err
		}},
		"search": {"/v1/finance/search", searchBody, func(t *testing.T, s *yahoo.Source) error {
			_, err := s.Search(t.Context(), "example", 5)
			return err
		}},
		"news": {newsPath, newsBody, func(t *testing.T, s *yahoo.Source) error {
			_, err := s.News(t.Context(), market.NewsQuery{Symbol: "AAA"})
			return err
		}},
		"statements": {statementPath, statementBody, func(t *testing.T, s *yahoo.Source) error {
			_, err := s.Statements(t.Context(), "AAA", market.StatementQuery{})
			return err
		}},
	}
}

func TestSource_BadDaysEndInTheirSentinel(t *testing.T) {
	for name, call := range calls() {
		for _, bad := range markettest.BadResponses([]byte(call.good)) {
			if bad.Name == "words in place of data" {
				bad.Want = market.ErrRateLimited // Yahoo's own text
			}
			t.Run(name+"/"+bad.Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					err := call.ask(t, sourceOf(markettest.NewScript(map[string]markettest.Response{call.path: bad.Response})))
					var from *market.SourceError
					if !errors.Is(err, bad.Want) || !errors.As(err, &from) || from.Source != "yahoo" {
						t.Errorf("%s = %v, want %v from yahoo", name, err, bad.Want)
					}
				})
			})
		}
	}
}

// The services that need a crumb renew it on a 401, and then report that it is not accepted.
func TestSource_BadDaysBehindACrumb(t *testing.T) {
	for _, bad := range markettest.BadResponses([]byte(profileBody)) {
		if bad.Name == "words in place of data" {
			bad.Want = market.ErrRateLimited
		}
		t.Run(bad.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script := sessionScript().Respond(profilePath, bad.Response).Respond(crumbPath, crumb("first"), crumb("second"))
				_, err := sourceOf(script).Profile(t.Context(), "AAA")
				if !errors.Is(err, bad.Want) {
					t.Errorf("Profile = %v, want %v", err, bad.Want)
				}
				if renewed := strings.Count(paths(script), crumbPath) == 2; renewed != (bad.Name == "401" || bad.Name == "402") {
					t.Errorf("pass renewed = %v after %s", renewed, paths(script))
				}
			})
		})
	}
}

func TestSource_YahoosOwnRefusals(t *testing.T) {
	notFound := `{"chart":{"result":null,"error":{"code":"Not Found","description":"No data found, symbol may be delisted"}}}`
	tooFine := `{"chart":{"result":null,"error":{"code":"Unprocessable Entity","description":"5m data not available for startTime=1 and endTime=2."}}}`
	for _, row := range []struct {
		name   string
		status int
		body   string
		want   error
		says   string
	}{
		{"unknown symbol", 404, notFound, market.ErrUnknownSymbol, "may be delisted"},
		{"unknown symbol with status 200", 200, notFound, market.ErrUnknownSymbol, "may be delisted"},
		{"range that is not kept", 422, tooFine, market.ErrNoData, "5m data not available"},
		{"dates without data", 400, `{"chart":{"result":null,"error":{"code":"Bad Request","description":"Data doesn't exist for startDate = 1, endDate = 2"}}}`, market.ErrNoData, "doesn't exist"},
		{"error of its own", 200, `{"finance":{"result":null,"error":{"code":"internal-error","description":"no fun"}}}`, market.ErrUnavailable, "no fun"},
		{"null", 200, `{"chart":{"result":null,"error":null}}`, market.ErrNoData, ""},
		{"only nulls", 200, markettest.NewYahooChart("AAA", "2025-02-17", nil, nil).String(), market.ErrNoData, ""},
		{"another symbol", 200, markettest.NewYahooChart("BBB", "2025-02-17", 10, 11).String(), market.ErrMalformed, `"BBB"`},
	} {
		t.Run(row.name, func(t *testing.T) {
			script := markettest.NewScript(map[string]markettest.Response{chartPath + "AAA": {Status: row.status, Body: []byte(row.body)}})
			_, err := sourceOf(script).Bars(t.Context(), "AAA", market.Range{})
			if !errors.Is(err, row.want) || !strings.Contains(err.Error(), row.says) || !strings.Contains(err.Error(), "AAA") {
				t.Errorf("Bars = %v, want %v that says %q", err, row.want, row.says)
			}
		})
	}
}

func TestSource_RecordedRefusals(t *testing.T) {
	for _, row := range []struct {
		file   string
		status int
		want   error
	}{
		{"errors/yahoo-chart-404.json", 404, market.ErrUnknownSymbol},
		{"errors/yahoo-chart-422-range.json", 422, market.ErrNoData},
		{"errors/yahoo-401-invalid-crumb.json", 401, market.ErrAuth},
		{"errors/yahoo-401-feature.json", 401, market.ErrAuth},
		{"errors/yahoo-429-crumb.txt", 429, market.ErrRateLimited},
		{"errors/yahoo-429-crumb.txt", 200, market.ErrRateLimited},
	} {
		script := markettest.NewScript(map[string]markettest.Response{chartPath + "AAA": {Status: row.status, Body: []byte(recordedBody(t, row.file))}})
		if _, err := sourceOf(script).Quote(t.Context(), "AAA"); !errors.Is(err, row.want) {
			t.Errorf("%s with status %d: Quote = %v, want %v", row.file, row.status, err, row.want)
		}
	}
}

// Yahoo refuses user agents, not requests. If the second agent is accepted where the first is not, it is
// tried first from then on, also in the next run of the program.
func TestSource_RemembersTheNameThatWorked(t *testing.T) {
	for _, refusal := range []markettest.Response{{Status: http.StatusTooManyRequests}, {Status: http.StatusForbidden}} {
		dir := t.TempDir()
		chart := markettest.JSONResponse(markettest.NewYahooChart("AAA", "2025-02-19", 10).String())
		script := markettest.NewScript(nil).Respond(chartPath+"AAA", refusal, chart)
		getQuote(t, sourceAt(script, testNoon, client.ProviderOptions{Dir: dir}), "AAA")
		getQuote(t, sourceAt(script, testNoon, client.ProviderOptions{Dir: dir}), "AAA")
		var names []string
		for _, r := range script.Requests() {
			names = append(names, r.UserAgent())
		}
		if len(names) != 3 || !strings.Contains(names[0], "Chrome") || names[1] != "Mozilla/5.0" || names[2] != "Mozilla/5.0" {
			t.Errorf("after %d: asked as %q, want a browser, then the bare name twice", refusal.Status, names)
		}
	}
}

func TestSource_AsksEachNameOnceWhereBothAreTurnedAway(t *testing.T) {
	script := markettest.NewScript(map[string]markettest.Response{chartPath + "AAA": {Status: 429}})
	s := sourceOf(script)
	for range 3 {
		_, err := s.Quote(t.Context(), "AAA")
		var from *market.SourceError
		if !errors.Is(err, market.ErrRateLimited) || !errors.As(err, &from) || from.RetryAt.IsZero() {
			t.Fatalf("Quote = %v, want ErrRateLimited with a time", err)
		}
	}
	if n := len(script.Requests()); n != 2 {
		t.Errorf("asked %d times, want once for each name: the breaker is open", n)
	}
}
