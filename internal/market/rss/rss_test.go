package rss_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/rss"
)

const (
	// base is the server's URL in these tests; responses come from memory.
	base = "http://127.0.0.1"
	path = "/rss/search"
)

var noon = time.Date(2026, 9, 26, 12, 0, 0, 0, time.UTC)

func sourceOf(script *markettest.Script) *rss.Source {
	return rss.New(client.New(client.Options{Transport: script, Now: func() time.Time { return noon }}), client.ProviderOptions{BaseURL: base})
}

func answering(body string) *rss.Source {
	return sourceOf(markettest.NewScript(map[string]markettest.Response{path: {Body: []byte(body)}}))
}

func utc(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t.UTC()
}

// feed is a made-up response of Google News.
const feed = `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>x</title>
	<item><title>Chips fall - again - The Example</title><link>https://news.google.com/rss/articles/A?oc=5</link>
		<pubDate>Fri, 25 Sep 2026 13:53:48 GMT</pubDate>
		<description>&lt;a href="https://news.google.com/rss/articles/A?oc=5"&gt;Chips fall - again&lt;/a&gt;&amp;nbsp;&lt;font&gt;The Example&lt;/font&gt;</description>
		<source url="https://example.com">The Example</source></item>
	<item><title>AT&amp;amp;T &#8212; news</title><link>https://news.google.com/rss/articles/B</link><pubDate>Fri, 25 Sep 2026 16:11:00 GMT</pubDate></item>
	<item><title>of an unknown day</title><link>https://news.google.com/rss/articles/C</link></item>
	</channel></rss>`

func TestNews_OfGoogle(t *testing.T) {
	got, err := answering(feed).News(t.Context(), market.NewsQuery{Text: "chips"})
	if err != nil {
		t.Fatalf("News = %v", err)
	}
	want := []market.Article{
		{Title: "AT&T — news", URL: "https://news.google.com/rss/articles/B", Published: utc("2026-09-25T16:11:00Z")},
		{Title: "Chips fall - again", Publisher: "The Example", URL: "https://news.google.com/rss/articles/A?oc=5", Published: utc("2026-09-25T13:53:48Z")},
		{Title: "of an unknown day", URL: "https://news.google.com/rss/articles/C"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(market.Article{}, "Provenance")); diff != "" {
		t.Errorf("news (-want +got):\n%s", diff)
	}
	for _, a := range got {
		if p := a.Provenance; p.Source != "google-news" || p.AsOf.IsZero() || !p.FetchedAt.Equal(noon) || p.License == "" {
			t.Errorf("provenance of %q = %+v", a.Title, p)
		}
	}
}

func TestNews_KeepsTheBoundsOfTheQuery(t *testing.T) {
	for _, row := range []struct {
		name string
		q    market.NewsQuery
		want []string
	}{
		{"before", market.NewsQuery{Text: "x", Before: utc("2026-09-25T16:11:00Z")}, []string{"Chips fall - again"}},
		{"after", market.NewsQuery{Text: "x", After: utc("2026-09-25T16:11:00Z")}, []string{"AT&T — news"}},
		{"limit", market.NewsQuery{Text: "x", Limit: 1}, []string{"AT&T — news"}},
		{"none", market.NewsQuery{Text: "x", After: noon}, nil},
	} {
		got, err := answering(feed).News(t.Context(), row.q)
		var titles []string
		for _, a := range got {
			titles = append(titles, a.Title)
		}
		if err != nil || cmp.Diff(row.want, titles) != "" {
			t.Errorf("%s: %q, %v; want %q", row.name, titles, err, row.want)
		}
	}
}

func TestNews_SearchesForWords(t *testing.T) {
	for _, row := range []struct {
		q    market.NewsQuery
		want string
	}{
		{market.NewsQuery{Symbol: "AAPL"}, `"AAPL" stock`},
		{market.NewsQuery{Symbol: "AAPL", Name: `Apple "Computer"  Inc.`}, `"Apple Computer Inc."`},
		{market.NewsQuery{Symbol: "AAPL", Text: " supply\nchain "}, `supply chain "AAPL" stock`},
		{market.NewsQuery{Text: "rates", After: utc("2026-01-02T00:00:00Z"), Before: utc("2026-01-31T12:00:00Z")}, "rates after:2026-01-01 before:2026-02-02"},
	} {
		script := markettest.NewScript(map[string]markettest.Response{path: {Body: []byte(feed)}})
		if _, err := sourceOf(script).News(t.Context(), row.q); err != nil {
			t.Fatalf("News(%+v) = %v", row.q, err)
		}
		if got := script.Requests()[0].URL.Query().Get("q"); got != row.want {
			t.Errorf("News(%+v) searches %q, want %q", row.q, got, row.want)
		}
	}
	if _, err := answering(feed).News(t.Context(), market.NewsQuery{}); !errors.Is(err, market.ErrNoData) {
		t.Errorf("News of nothing = %v, want ErrNoData", err)
	}
}

func TestNews_BadDaysEndInTheirSentinel(t *testing.T) {
	for _, bad := range append(markettest.BadResponses([]byte(feed)),
		markettest.BadResponse{Name: "JSON", Response: markettest.JSONResponse(`{"a":1}`), Want: market.ErrMalformed},
		markettest.BadResponse{Name: "another document", Response: markettest.Response{Body: []byte(`<opml><body/></opml>`)}, Want: market.ErrMalformed},
	) {
		t.Run(bad.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := sourceOf(markettest.NewScript(map[string]markettest.Response{path: bad.Response}))
				if _, err := s.News(t.Context(), market.NewsQuery{Text: "x"}); !errors.Is(err, bad.Want) {
					t.Errorf("News = %v, want %v", err, bad.Want)
				}
			})
		})
	}
}
