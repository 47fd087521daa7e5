package yahoo_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

const (
	cookiePath  = "/"
	crumbPath   = "/v1/test/getcrumb"
	profilePath = "/v10/finance/quoteSummary/AAA"
	profileBody = `{"quoteSummary":{"result":[{
		"assetProfile":{"longBusinessSummary":"Makes examples.","sector":"Technology","industry":"Software","country":"Ireland","state":"Leinster",
			"website":"https://example.com","fullTimeEmployees":120},
		"quoteType":{"symbol":"AAA","longName":"Example plc","quoteType":"EQUITY","exchange":"ISE"},
		"defaultKeyStatistics":{"lastFiscalYearEnd":1727481600}}],"error":null}}`
	invalidCrumb = `{"finance":{"result":null,"error":{"code":"Unauthorized","description":"Invalid Crumb"}}}`
	noFeature    = `{"finance":{"result":null,"error":{"code":"Unauthorized","description":"User is unable to access this feature - https://bit.ly/x"}}}`
)

// cookies returns the response of the cookie host: a cookie and a 404.
func cookies(value string) markettest.Response {
	return markettest.Response{Status: 404, Header: http.Header{
		"Set-Cookie": {"A3=" + value + "; Domain=.yahoo.com; Path=/; Max-Age=31536000; Secure; HttpOnly"},
	}}
}

func crumb(text string) markettest.Response {
	return markettest.Response{Header: http.Header{"Content-Type": {"text/plain"}}, Body: []byte(text)}
}

func refused(body string) markettest.Response {
	return markettest.Response{Status: 401, Body: []byte(body)}
}

// sessionScript returns a Yahoo that returns a cookie and a crumb.
func sessionScript() *markettest.Script {
	return markettest.NewScript(map[string]markettest.Response{
		cookiePath: cookies("one"), crumbPath: crumb("abc.DEF/123"), profilePath: markettest.JSONResponse(profileBody),
	})
}

// paths returns the requested paths in order.
func paths(script *markettest.Script) string {
	var out []string
	for _, r := range script.Requests() {
		out = append(out, r.URL.Path)
	}
	return strings.Join(out, " ")
}

func TestProfile_BringsCookieAndCrumb(t *testing.T) {
	script := sessionScript()
	p, err := sourceOf(script).Profile(t.Context(), "AAA")
	if err != nil {
		t.Fatal(err)
	}
	if p.Name != "Example plc" || p.MIC != "XMSM" || p.Sector != "Technology" || p.Employees != 120 || p.FiscalYearEnd != "09-28" ||
		p.Country != "Ireland" || p.State != "" || p.Website != "https://example.com" || p.Provenance.Endpoint != "v10 quoteSummary" {
		t.Errorf("profile = %+v; the state is of the office, not of incorporation, and left out", p)
	}
	last := script.Requests()[2]
	if last.Header.Get("Cookie") != "A3=one" || last.URL.Query().Get("crumb") != "abc.DEF/123" {
		t.Errorf("asked %s with %q, want the cookie and the crumb", last.URL, last.Header.Get("Cookie"))
	}
}

func TestPass_IsKeptForTheNextRunAndForItsOwnerAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "cache")
	script := sessionScript()
	for range 2 {
		if _, err := sourceAt(script, testNoon, client.ProviderOptions{Dir: dir}).Profile(t.Context(), "AAA"); err != nil {
			t.Fatal(err)
		}
	}
	if want := strings.Join([]string{cookiePath, crumbPath, profilePath, profilePath}, " "); paths(script) != want {
		t.Errorf("asked %s, want %s", paths(script), want)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 {
		t.Fatalf("files = %v, %v; want one", files, err)
	}
	info, err := files[0].Info()
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
}

func TestPass_RunsOutAfterAYearOrWithItsCookies(t *testing.T) {
	for name, row := range map[string]struct {
		attributes string
		days       []int
		want       int // number of crumbs
	}{
		"cookie of a year":    {"; Max-Age=31536000", []int{0, 364, 366}, 2},
		"cookie without end":  {"", []int{0, 364, 366}, 2},
		"cookie of a day":     {"; Max-Age=86400", []int{0, 2}, 2},
		"cookie until a date": {"; Expires=Sat, 22 Feb 2025 00:00:00 GMT", []int{0, 1, 3}, 2},
	} {
		dir := t.TempDir()
		script := sessionScript().Respond(cookiePath, markettest.Response{Status: 404, Header: http.Header{"Set-Cookie": {"A3=x; Domain=yahoo.com" + row.attributes}}})
		for _, later := range row.days {
			// The last cookie of a date is no longer available; what counts is that it was requested.
			_, _ = sourceAt(script, testNoon.AddDate(0, 0, later), client.ProviderOptions{Dir: dir}).Profile(t.Context(), "AAA")
		}
		if n := strings.Count(paths(script), " "+cookiePath+" ") + 1; n != row.want {
			t.Errorf("%s: %d ways to a cookie, want %d: %s", name, n, row.want, paths(script))
		}
	}
}

func TestPass_DamagedFileIsNone(t *testing.T) {
	for name, text := range map[string]string{
		"not JSON":        "x",
		"empty":           "",
		"cut":             `{"agent":1,"pass":{"crumb":"ab`,
		"a page as crumb": `{"agent":7,"pass":{"crumb":"<html>","cookies":[{"name":"A3","value":"x"}],"obtained":"2025-02-19T00:00:00Z"}}`,
		"of the future":   `{"pass":{"crumb":"abc","cookies":[{"name":"A3","value":"x"}],"obtained":"2030-01-01T00:00:00Z"}}`,
		"a broken header": `{"pass":{"crumb":"abc","cookies":[{"name":"A3","value":"x\r\nHost: y"}],"obtained":"2025-02-19T00:00:00Z"}}`,
	} {
		dir, script := t.TempDir(), sessionScript()
		if err := os.WriteFile(filepath.Join(dir, "yahoo-session.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := sourceAt(script, testNoon, client.ProviderOptions{Dir: dir}).Profile(t.Context(), "AAA"); err != nil || strings.Count(paths(script), crumbPath) != 1 {
			t.Errorf("%s: Profile = %v after %s, want a new crumb", name, err, paths(script))
		}
	}
}

func TestPass_ThatCannotBeWrittenStillWorks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := sourceAt(sessionScript(), testNoon, client.ProviderOptions{Dir: filepath.Join(file, "below")})
	for range 2 {
		if _, err := s.Profile(t.Context(), "AAA"); err != nil {
			t.Errorf("Profile = %v", err)
		}
	}
}

func TestPass_IsRenewedOnceWhenRefused(t *testing.T) {
	for _, refusal := range []string{invalidCrumb, noFeature} {
		script := sessionScript().
			Respond(cookiePath, cookies("one"), cookies("two")).
			Respond(crumbPath, crumb("first"), crumb("second")).
			Respond(profilePath, markettest.JSONResponse(profileBody), refused(refusal), markettest.JSONResponse(profileBody))
		s := sourceOf(script)
		for range 2 {
			if _, err := s.Profile(t.Context(), "AAA"); err != nil {
				t.Fatalf("Profile = %v, want the pass renewed", err)
			}
		}
		requests := script.Requests()
		last := requests[len(requests)-1]
		if last.Header.Get("Cookie") != "A3=two" || last.URL.Query().Get("crumb") != "second" || len(requests) != 7 {
			t.Errorf("%d requests, the last with %q and %s", len(requests), last.Header.Get("Cookie"), last.URL.RawQuery)
		}
	}
}

// If Yahoo accepts no session, the services that need one are suspended for a while without further requests,
// and the others continue.
func TestPass_RefusedAgainDegradesInPeace(t *testing.T) {
	script := sessionScript().Respond(profilePath, refused(noFeature)).Respond(crumbPath, crumb("first"), crumb("second"))
	script.Respond(chartPath+"AAA", markettest.JSONResponse(markettest.NewYahooChart("AAA", "2025-02-19", 10).String()))
	s := sourceOf(script)
	if _, err := s.Profile(t.Context(), "AAA"); !errors.Is(err, market.ErrAuth) || !strings.Contains(err.Error(), "refuses sessions") {
		t.Errorf("Profile = %v, want ErrAuth that says why", err)
	}
	requests := len(script.Requests())
	if _, err := s.OptionChain(t.Context(), "AAA", market.Date{}); !errors.Is(err, market.ErrAuth) || len(script.Requests()) != requests {
		t.Errorf("OptionChain = %v after %d more requests, want ErrAuth at once", err, len(script.Requests())-requests)
	}
	getQuote(t, s, "AAA")
}

func TestPass_RespiteOutlivesTheRunAndEnds(t *testing.T) {
	dir := t.TempDir()
	script := markettest.NewScript(map[string]markettest.Response{cookiePath: {Status: 404}})
	for _, row := range []struct {
		name  string
		after time.Duration
		asks  bool
	}{
		{"first", 0, true},
		{"nine minutes later", 9 * time.Minute, false},
		{"eleven minutes later", 11 * time.Minute, true},
		{"with a clock set back by a day", -24 * time.Hour, true},
	} {
		before := len(script.Requests())
		_, err := sourceAt(script, testNoon.Add(row.after), client.ProviderOptions{Dir: dir}).Profile(t.Context(), "AAA")
		if requests := len(script.Requests()) > before; !errors.Is(err, market.ErrUnavailable) || requests != row.asks {
			t.Errorf("%s: Profile = %v, asked = %v; want ErrUnavailable, %v", row.name, err, requests, row.asks)
		}
	}
}

func TestPass_NoneToBeHadIsUnavailable(t *testing.T) {
	for name, script := range map[string]*markettest.Script{
		"no cookie":       markettest.NewScript(map[string]markettest.Response{cookiePath: {Status: 404}}),
		"page as crumb":   markettest.NewScript(map[string]markettest.Response{cookiePath: cookies("one"), crumbPath: markettest.HTMLResponse(200, "no")}),
		"empty crumb":     markettest.NewScript(map[string]markettest.Response{cookiePath: cookies("one"), crumbPath: crumb("")}),
		"crumb of JSON":   markettest.NewScript(map[string]markettest.Response{cookiePath: cookies("one"), crumbPath: crumb(invalidCrumb)}),
		"refused cookie":  markettest.NewScript(map[string]markettest.Response{cookiePath: cookies("one"), crumbPath: refused(invalidCrumb)}),
		"server is down":  markettest.NewScript(map[string]markettest.Response{cookiePath: {Status: 500}}),
		"foreign cookie":  markettest.NewScript(map[string]markettest.Response{cookiePath: {Status: 404, Header: http.Header{"Set-Cookie": {"A3=x; Domain=evil.example"}}}}),
		"away from Yahoo": markettest.NewScript(map[string]markettest.Response{cookiePath: {Status: 404}, "/quote/AAPL": {Status: 302, Header: http.Header{"Location": {"https://yahoo.com.evil.example/"}}}}),
	} {
		s := sourceOf(script)
		_, err := s.Profile(t.Context(), "AAA")
		if !errors.Is(err, market.ErrUnavailable) || !strings.Contains(err.Error(), "profile of AAA") {
			t.Errorf("%s: Profile = %v, want ErrUnavailable", name, err)
		}
		requests := len(script.Requests())
		if _, err := s.Profile(t.Context(), "AAA"); !errors.Is(err, market.ErrUnavailable) || len(script.Requests()) != requests {
			t.Errorf("%s: second Profile = %v after %d more requests, want the same at once", name, err, len(script.Requests())-requests)
		}
		if strings.Contains(paths(script), "quoteSummary") {
			t.Errorf("%s: asked for a profile without a pass: %s", name, paths(script))
		}
	}
}

// Yahoo refuses crumbs to many clients that it sends prices to, so it is a separate limit.
func TestPass_UnderALimitLeavesPricesAlone(t *testing.T) {
	script := sessionScript().Respond(crumbPath, markettest.Response{Status: 429})
	script.Respond(chartPath+"AAA", markettest.JSONResponse(markettest.NewYahooChart("AAA", "2025-02-19", 10).String()))
	s := sourceOf(script)
	if _, err := s.Profile(t.Context(), "AAA"); !errors.Is(err, market.ErrRateLimited) {
		t.Errorf("Profile = %v, want ErrRateLimited", err)
	}
	getQuote(t, s, "AAA")
}

func TestPass_TooManyRequestsIsNoCrumb(t *testing.T) {
	for _, answer := range []markettest.Response{crumb("Too Many Requests\r\n"), crumb("Edge: Too Many Requests"), {Status: 429, Body: []byte("Too Many Requests")}} {
		script := sessionScript().Respond(crumbPath, answer)
		dir := t.TempDir()
		if _, err := sourceAt(script, testNoon, client.ProviderOptions{Dir: dir}).Profile(t.Context(), "AAA"); !errors.Is(err, market.ErrRateLimited) {
			t.Errorf("Profile = %v, want ErrRateLimited", err)
		}
		if kept, err := os.ReadFile(filepath.Join(dir, "yahoo-session.json")); err == nil && strings.Contains(string(kept), "Many") {
			t.Errorf("the refusal was kept as a crumb: %s", kept)
		}
	}
}

func TestPass_NeverShowsInErrors(t *testing.T) {
	script := sessionScript().Respond(crumbPath, crumb("sEcReTcRuMb"), crumb("sEcReTcRuMb2")).Respond(cookiePath, cookies("sEcReTcOoKiE")).
		Respond(profilePath, markettest.Response{Status: 401, Body: []byte(`{"finance":{"error":{"code":"Unauthorized","description":"Invalid Crumb sEcReTcRuMb2"}}}`)})
	_, err := sourceOf(script).Profile(t.Context(), "AAA")
	if err == nil || strings.Contains(err.Error(), "sEcReT") {
		t.Errorf("Profile = %v, want an error without crumb and cookie", err)
	}
}

func TestPass_IsGotOnceForManyCallers(t *testing.T) {
	script := sessionScript()
	s := sourceOf(script)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := s.Profile(t.Context(), "AAA"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := strings.Count(paths(script), crumbPath); n != 1 {
		t.Errorf("%d crumbs for eight callers at once, want 1", n)
	}
}

// C18: in some regions Yahoo requires a crumb even where it needs none elsewhere.
func TestStatements_ARefusalWithoutACrumbIsAskedOnceWithOne(t *testing.T) {
	script := sessionScript().Respond(statementPath, refused(invalidCrumb), markettest.JSONResponse(statementBody))
	got, err := sourceOf(script).Statements(t.Context(), "AAA", market.StatementQuery{})
	if err != nil || len(got) != 2 {
		t.Fatalf("Statements = %d, %v; want 2 after a crumb", len(got), err)
	}
	asked := script.Requests()
	if last := asked[len(asked)-1]; last.URL.Query().Get("crumb") != "abc.DEF/123" || last.Header.Get("Cookie") == "" {
		t.Errorf("asked %s with cookie %q, want the crumb and the cookie", last.URL, last.Header.Get("Cookie"))
	}
	always := sessionScript().Respond(statementPath, refused(invalidCrumb))
	if _, err := sourceOf(always).Statements(t.Context(), "AAA", market.StatementQuery{}); !errors.Is(err, market.ErrAuth) {
		t.Errorf("Statements = %v, want ErrAuth", err)
	}
	if n := strings.Count(paths(always), statementPath); n != 2 {
		t.Errorf("%d requests, want one without and one with a crumb", n)
	}
}
