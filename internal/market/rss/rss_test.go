package rss_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/market/rss"
	"github.com/nfa-cli/nfa/internal/recordings"
)

const (
	// base stands for the server; the answers come from memory.
	base = "http://127.0.0.1"
	path = "/rss/search"
)

var noon = time.Date(2026, 9, 26, 12, 0, 0, 0, time.UTC)

func sourceOf(script *markettest.Script) *rss.Source {
	return rss.New(client.New(client.Options{Transport: script, Now: func() time.Time { return noon }}), rss.Options{BaseURL: base})
}

func answering(body string) *rss.Source {
	return sourceOf(markettest.NewScript(map[string]markettest.Response{path: {Body: []byte(body)}}))
}

func recorded(t testing.TB, name string) string {
	t.Helper()
	return string(recordings.Read(t, "market", "rss", name))
}

func utc(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t.UTC()
}

// feed is what Google News sends, made up.
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

func TestParse_RecordedFeeds(t *testing.T) {
	for file, want := range map[string][]rss.Item{
		"google-news-search-2026-09-25.xml": {
			{Title: "Ketanji Brown Jackson criticizes supreme court’s handling of emergency docket - The Guardian", Outlet: "The Guardian",
				URL: "https://news.google.com/rss/articles/CBMiogFBVV95cUxQZ3MtNXd1?oc=5", Published: utc("2026-09-25T16:11:00Z")},
			{Title: "Fall Related Emergency Visits for Older Adults Continue to Climb - countynewscenter.com", Outlet: "countynewscenter.com",
				URL: "https://news.google.com/rss/articles/CBMinwFBVV95cUxObDNTMW1VT3pC?oc=5", Published: utc("2026-09-25T13:53:48Z")},
		},
		"yahoo-symbol-headline-AAPL-2026-07-16.xml": {
			{Title: "Warren Buffett's Successor Holds Nearly 30% of the Portfolio in 2 AI Stocks",
				URL: "https://www.fool.com/investing/2026/07/16/warren-buffetts-successor-greg-abel/?.tsrc=rss", Published: utc("2026-07-16T15:05:00Z")},
		},
		"sec-litigation-releases-2024-07-01-head.xml": {
			{Title: "Adrian J. Kawuba", URL: "https://www.sec.gov/node/963776", Published: utc("2024-07-01T19:00:56Z")},
			{Title: "Consensys Software Inc.", URL: "https://www.sec.gov/node/963771", Published: utc("2024-07-01T18:34:32Z")},
		},
	} {
		got, err := rss.Parse([]byte(recorded(t, file)))
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(rss.Item{}, "Summary")); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", file, err, diff)
		}
	}
}

func TestParse_FormsOfFeeds(t *testing.T) {
	want := []rss.Item{{Title: "Émile's “résumé”", URL: "https://example.com/1", Summary: "a bold text", Published: utc("2024-02-29T17:00:00Z")}}
	for name, text := range map[string]string{
		"RSS 2.0, named zone":         `<rss><channel><item><title>&Eacute;mile's &ldquo;r&#233;sum&eacute;&rdquo;</title><link> https://example.com/1` + "\n" + `</link><description><![CDATA[a <b>bold</b> text]]></description><pubDate>Thu, 29 Feb 2024 12:00:00 EST</pubDate></item></channel></rss>`,
		"RSS 2.0 with links of Atom":  `<rss xmlns:a="http://www.w3.org/2005/Atom"><channel><item><title>Émile's “résumé”</title><a:link href="https://example.com/0"/><link>https://example.com/1</link><description>a bold text</description><pubDate>29 Feb 2024 17:00:00 GMT</pubDate></item></channel></rss>`,
		"RSS 2.0, the name is a link": `<rss><channel><item><title>Émile's “résumé”</title><guid>https://example.com/1</guid><description>a bold text</description><pubDate>Thu, 29 Feb 24 17:00:00 UT</pubDate></item></channel></rss>`,
		"RSS 1.0":                     `<rdf:RDF xmlns:rdf="r" xmlns:dc="d"><channel><title>x</title></channel><item><title>Émile's “résumé”</title><link>https://example.com/1</link><description>a bold text</description><dc:date>2024-02-29T18:00:00+01:00</dc:date></item></rdf:RDF>`,
		"Atom":                        `<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><entry><title type="html">Émile's &amp;ldquo;résumé&amp;rdquo;</title><link rel="self" href="https://example.com/0"/><link rel="alternate" href="https://example.com/1"/><published>2024-02-29T17:00:00Z</published><updated>2025-01-01T00:00:00Z</updated><summary>a bold text</summary></entry></feed>`,
		"Latin-1":                     "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><rss><channel><item><title>\xc9mile's \x93r\xe9sum\xe9\x94</title><link>https://example.com/1</link><description>a bold text</description><pubDate>Thu, 29 Feb 2024 17:00:00 +0000</pubDate></item></channel></rss>",
	} {
		got, err := rss.Parse([]byte(text))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestParse_LeavesOutWhatIsNoArticle(t *testing.T) {
	got, err := rss.Parse([]byte(`<rss><channel>
		<item><title>a script</title><link>javascript:alert(1)</link></item><item><title>a file</title><link>file:///etc/passwd</link></item>
		<item><title> </title><link>https://example.com/1</link></item><item><title>nowhere</title></item>
		<item><title>ring` + "\u200b\u202e" + `the bell</title><link>https://example.com/2</link></item></channel></rss>`))
	// The marks turn text around, or hide in it.
	if err != nil || len(got) != 1 || got[0].Title != "ring the bell" {
		t.Errorf("Parse = %+v, %v; want the bell alone", got, err)
	}
	if _, err := rss.Parse([]byte("<rss><channel><item><title>\a</title></item></channel></rss>")); !errors.Is(err, market.ErrMalformed) {
		t.Errorf("Parse of control characters, which are no XML = %v, want ErrMalformed", err)
	}
}

func TestParse_IsBounded(t *testing.T) {
	var many strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&many, "<item><title>%s</title><link>https://example.com/%d</link></item>", strings.Repeat("x", 500), i)
	}
	got, err := rss.Parse([]byte("<rss><channel>" + many.String() + "</channel></rss>"))
	if err != nil || len(got) != 200 || len([]rune(got[0].Title)) != 300 {
		t.Errorf("Parse of 5000 = %d items, %v; want 200 with titles of 300", len(got), err)
	}
	// Entities of a document's own are not expanded.
	bomb := `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><rss><channel><item><title>&b;</title><link>https://example.com/</link></item></channel></rss>`
	if got, err := rss.Parse([]byte(bomb)); err != nil || len(got) != 1 || got[0].Title != "&b;" {
		t.Errorf("Parse of nested entities = %+v, %v; want them as they stand", got, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(feed))
	f.Add([]byte(`<feed><entry><title>t</title><link href="http://x/"/><updated>2024-02-29T17:00:00Z</updated></entry></feed>`))
	f.Add([]byte("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><rss><channel/></rss>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := rss.Parse(body)
		if err != nil && !errors.Is(err, market.ErrMalformed) {
			t.Errorf("error %v, want ErrMalformed", err)
		}
		for _, i := range got {
			if i.Title == "" || !strings.HasPrefix(strings.ToLower(i.URL), "http") || strings.ContainsAny(i.Title+i.Outlet+i.Summary, "\x1b\n\r\x00") {
				t.Errorf("item %+v", i)
			}
		}
	})
}
