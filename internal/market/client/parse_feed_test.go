package client_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/recordings"
)

func feedTime(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t.UTC()
}

func TestParseFeed_RecordedFeeds(t *testing.T) {
	for file, want := range map[string][]market.Article{
		"google-news-search-2026-09-25.xml": {
			{Title: "Ketanji Brown Jackson criticizes supreme court’s handling of emergency docket - The Guardian", Publisher: "The Guardian",
				URL: "https://news.google.com/rss/articles/CBMiogFBVV95cUxQZ3MtNXd1?oc=5", Published: feedTime("2026-09-25T16:11:00Z")},
			{Title: "Fall Related Emergency Visits for Older Adults Continue to Climb - countynewscenter.com", Publisher: "countynewscenter.com",
				URL: "https://news.google.com/rss/articles/CBMinwFBVV95cUxObDNTMW1VT3pC?oc=5", Published: feedTime("2026-09-25T13:53:48Z")},
		},
		"yahoo-symbol-headline-AAPL-2026-07-16.xml": {
			{Title: "Warren Buffett's Successor Holds Nearly 30% of the Portfolio in 2 AI Stocks",
				URL: "https://www.fool.com/investing/2026/07/16/warren-buffetts-successor-greg-abel/?.tsrc=rss", Published: feedTime("2026-07-16T15:05:00Z")},
		},
		"sec-litigation-releases-2024-07-01-head.xml": {
			{Title: "Adrian J. Kawuba", URL: "https://www.sec.gov/node/963776", Published: feedTime("2024-07-01T19:00:56Z")},
			{Title: "Consensys Software Inc.", URL: "https://www.sec.gov/node/963771", Published: feedTime("2024-07-01T18:34:32Z")},
		},
	} {
		got, err := client.ParseFeed((recordings.Read(t, "market", "rss", file)))
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(market.Article{}, "Summary")); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", file, err, diff)
		}
	}
}

func TestParseFeed_FormsOfFeeds(t *testing.T) {
	want := []market.Article{{Title: "Émile's “résumé”", URL: "https://example.com/1", Summary: "a bold text", Published: feedTime("2024-02-29T17:00:00Z")}}
	for name, text := range map[string]string{
		"RSS 2.0, named zone":         `<rss><channel><item><title>&Eacute;mile's &ldquo;r&#233;sum&eacute;&rdquo;</title><link> https://example.com/1` + "\n" + `</link><description><![CDATA[a <b>bold</b> text]]></description><pubDate>Thu, 29 Feb 2024 12:00:00 EST</pubDate></item></channel></rss>`,
		"RSS 2.0 with links of Atom":  `<rss xmlns:a="http://www.w3.org/2005/Atom"><channel><item><title>Émile's “résumé”</title><a:link href="https://example.com/0"/><link>https://example.com/1</link><description>a bold text</description><pubDate>29 Feb 2024 17:00:00 GMT</pubDate></item></channel></rss>`,
		"RSS 2.0, the name is a link": `<rss><channel><item><title>Émile's “résumé”</title><guid>https://example.com/1</guid><description>a bold text</description><pubDate>Thu, 29 Feb 24 17:00:00 UT</pubDate></item></channel></rss>`,
		"RSS 1.0":                     `<rdf:RDF xmlns:rdf="r" xmlns:dc="d"><channel><title>x</title></channel><item><title>Émile's “résumé”</title><link>https://example.com/1</link><description>a bold text</description><dc:date>2024-02-29T18:00:00+01:00</dc:date></item></rdf:RDF>`,
		"Atom":                        `<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><entry><title type="html">Émile's &amp;ldquo;résumé&amp;rdquo;</title><link rel="self" href="https://example.com/0"/><link rel="alternate" href="https://example.com/1"/><published>2024-02-29T17:00:00Z</published><updated>2025-01-01T00:00:00Z</updated><summary>a bold text</summary></entry></feed>`,
		"Latin-1":                     "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><rss><channel><item><title>\xc9mile's \x93r\xe9sum\xe9\x94</title><link>https://example.com/1</link><description>a bold text</description><pubDate>Thu, 29 Feb 2024 17:00:00 +0000</pubDate></item></channel></rss>",
	} {
		got, err := client.ParseFeed([]byte(text))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestParseFeed_LeavesOutWhatIsNoArticle(t *testing.T) {
	got, err := client.ParseFeed([]byte(`<rss><channel>
		<item><title>a script</title><link>javascript:alert(1)</link></item><item><title>a file</title><link>file:///etc/passwd</link></item>
		<item><title> </title><link>https://example.com/1</link></item><item><title>nowhere</title></item>
		<item><title>ring` + "\u200b\u202e" + `the bell</title><link>https://example.com/2</link></item></channel></rss>`))
	// The characters reverse text or hide it.
	if err != nil || len(got) != 1 || got[0].Title != "ring the bell" {
		t.Errorf("Parse = %+v, %v; want the bell alone", got, err)
	}
	if _, err := client.ParseFeed([]byte("<rss><channel><item><title>\a</title></item></channel></rss>")); !errors.Is(err, market.ErrMalformed) {
		t.Errorf("Parse of control characters, which are no XML = %v, want ErrMalformed", err)
	}
}

func TestParseFeed_IsBounded(t *testing.T) {
	var many strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&many, "<item><title>%s</title><link>https://example.com/%d</link></item>", strings.Repeat("x", 500), i)
	}
	got, err := client.ParseFeed([]byte("<rss><channel>" + many.String() + "</channel></rss>"))
	if err != nil || len(got) != 200 || len([]rune(got[0].Title)) != 300 {
		t.Errorf("Parse of 5000 = %d items, %v; want 200 with titles of 300", len(got), err)
	}
	// Entities defined in the document are not expanded.
	bomb := `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><rss><channel><item><title>&b;</title><link>https://example.com/</link></item></channel></rss>`
	if got, err := client.ParseFeed([]byte(bomb)); err != nil || len(got) != 1 || got[0].Title != "&b;" {
		t.Errorf("Parse of nested entities = %+v, %v; want them as they stand", got, err)
	}
}

func FuzzParseFeed(f *testing.F) {
	f.Add([]byte(`<rss version="2.0"><channel><item><title>a - b</title><link>https://example.com/1</link><pubDate>Fri, 25 Sep 2026 13:53:48 GMT</pubDate><description>&lt;a&gt;x&lt;/a&gt;</description><source>b</source></item></channel></rss>`))
	f.Add([]byte(`<feed><entry><title>t</title><link href="http://x/"/><updated>2024-02-29T17:00:00Z</updated></entry></feed>`))
	f.Add([]byte("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><rss><channel/></rss>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := client.ParseFeed(body)
		if err != nil && !errors.Is(err, market.ErrMalformed) {
			t.Errorf("error %v, want ErrMalformed", err)
		}
		for _, i := range got {
			if i.Title == "" || !strings.HasPrefix(strings.ToLower(i.URL), "http") || strings.ContainsAny(i.Title+i.Publisher+i.Summary, "\x1b\n\r\x00") {
				t.Errorf("item %+v", i)
			}
		}
	})
}
