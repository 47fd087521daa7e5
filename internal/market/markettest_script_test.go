package market_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

// ask requests a path and returns status and body, or the error.
func ask(t *testing.T, carrier http.RoundTripper, url string) (int, string, error) {
	t.Helper()
	return askFor(t, carrier, url, time.Minute)
}

// askFor works like ask with a timeout.
func askFor(t *testing.T, carrier http.RoundTripper, url string, patience time.Duration) (int, string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := carrier.RoundTrip(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res.StatusCode, string(body), err
}

// both runs a test over memory and over a connection.
func both(t *testing.T, script func() *markettest.Script, test func(t *testing.T, carrier http.RoundTripper, base string, s *markettest.Script)) {
	t.Run("in memory", func(t *testing.T) {
		s := script()
		test(t, s, "https://data.example", s)
	})
	t.Run("on loopback", func(t *testing.T) {
		s := script()
		test(t, &http.Transport{DisableCompression: true}, markettest.Serve(t, s), s)
	})
}

func TestScript_AnswersByPathAndInOrder(t *testing.T) {
	script := func() *markettest.Script {
		return markettest.NewScript(map[string]markettest.Response{"/q": markettest.JSONResponse("any"), "/q?s=A": markettest.JSONResponse("A")}).
			Respond("/seq", markettest.Response{Status: 429}, markettest.JSONResponse("ok"))
	}
	both(t, script, func(t *testing.T, carrier http.RoundTripper, base string, s *markettest.Script) {
		type said struct {
			Status int
			Body   string
		}
		var got []said
		for _, path := range []string{"/q", "/q?s=A", "/q?s=B", "/seq", "/seq", "/seq", "/none"} {
			status, body, err := ask(t, carrier, base+path)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			got = append(got, said{status, body})
		}
		want := []said{{200, "any"}, {200, "A"}, {200, "any"}, {429, ""}, {200, "ok"}, {200, "ok"}, {404, "not in the script"}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("answers (-want +got):\n%s", diff)
		}
		if requests := s.Requests(); len(requests) != 7 || requests[1].URL.RawQuery != "s=A" {
			t.Errorf("written down: %v", requests)
		}
	})
}

func TestScript_FaultsAreWhatTheirNamesSay(t *testing.T) {
	const body = `{"a":"a body of some length"}`
	for fault, want := range map[markettest.Fault]struct {
		err  error // nil means any error, unless whole
		body int   // number of bytes that arrive; not checked if negative
		ok   bool
	}{
		markettest.NoFault:         {nil, len(body), true},
		markettest.FaultRefused:    {nil, 0, false},
		markettest.FaultSilent:     {context.DeadlineExceeded, 0, false},
		markettest.FaultCut:        {io.ErrUnexpectedEOF, len(body) / 2, false},
		markettest.GzipBody:        {nil, -1, true},
		markettest.FaultBrokenGzip: {nil, -1, true},
	} {
		t.Run(string(fault), func(t *testing.T) {
			script := func() *markettest.Script {
				return markettest.NewScript(map[string]markettest.Response{"/q": {Body: []byte(body), Fault: fault}})
			}
			both(t, script, func(t *testing.T, carrier http.RoundTripper, base string, _ *markettest.Script) {
				patience := time.Minute
				if fault == markettest.FaultSilent {
					patience = 100 * time.Millisecond
				}
				_, got, err := askFor(t, carrier, base+"/q", patience)
				if (err == nil) != want.ok || want.err != nil && !errors.Is(err, want.err) || want.body >= 0 && len(got) != want.body {
					t.Errorf("%d bytes, %v; want %+v", len(got), err, want)
				}
			})
		})
	}
}

func TestScript_AStalledBodyStopsHalfWay(t *testing.T) {
	const body = `{"a":"a body of some length"}`
	script := func() *markettest.Script {
		return markettest.NewScript(map[string]markettest.Response{"/q": {Body: []byte(body), Fault: markettest.FaultStalled}})
	}
	both(t, script, func(t *testing.T, carrier http.RoundTripper, base string, _ *markettest.Script) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/q", nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := carrier.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		half := make([]byte, len(body)/2)
		if _, err := io.ReadFull(res.Body, half); err != nil || string(half) != body[:len(half)] {
			t.Fatalf("it begins with %q, %v", half, err)
		}
		// For a while that is long for a body that is under way.
		time.AfterFunc(50*time.Millisecond, cancel)
		if rest, err := io.ReadAll(res.Body); len(rest) != 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("it goes on with %q, %v; want nothing until it is given up", rest, err)
		}
	})
}

func TestBadDays_HaveNamesOfTheirOwnAndMeanASentinel(t *testing.T) {
	seen := map[string]bool{}
	for _, day := range markettest.BadResponses([]byte(`{"a":1}`)) {
		if day.Name == "" || seen[day.Name] || day.Want == nil || errors.Is(day.Want, market.ErrNotConfigured) {
			t.Errorf("bad day %+v", day)
		}
		seen[day.Name] = true
	}
}
