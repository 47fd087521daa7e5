package report_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/nfa-cli/nfa/internal/report"
)

func TestNew_APageHasItsNotesAsLinksBesideTheFigures(t *testing.T) {
	page := string(newReport(t, sampleText, options(report.HTML)).Data)
	for _, part := range []string{
		`<title>Apple</title>`, `<p class="nfa-count">3 of 5 figures traced; 1 contradicted by a tool, marked [contradicted].</p>`,
		`AAPL costs 70.70 USD<sup class="nfa-mark"><a href="#nfa-note-1">1</a></sup>, up <strong>9.6%<sup class="nfa-mark"><a href="#nfa-note-2">2</a></sup></strong>`,
		`$99<sup class="nfa-mark"><em>[untraced]</em></sup>.` + "\n", `<a href="#nfa-note-2">2</a> <em>[contradicted]</em></sup>, of`,
		`<li id="nfa-note-1">AAPL price 70.7 USD · as of 2020-04-17 · source: SAMPLE_data · tool: <code>quote {&#34;symbols&#34;:[&#34;AAPL&#34;]}</code></li>`,
		`prefers-color-scheme: dark`, `default-src 'none'`,
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page misses %q:\n%s", part, page)
		}
	}
}

// hostile has texts that try to inject code or links into the page.
var hostile = []string{
	"<script>steal()</script>", "[x](javascript:steal())", "![70.70 USD](https://spy.example/p.gif \"9.6%\")", "[70.70 USD](https://x.example/\"onclick=steal())",
	"<img src=x onerror=steal()>", "[a](https://x.example \"70.70 USD\\\"><script>\")", "# </title><script>steal()</script>", "<style>@import 'https://spy.example'</style>",
	"![a ![9.6%](x)](y)", "`</code><script>`", "<javascript:steal()>", "a\n<iframe src=\"https://spy.example\">\n70.70 USD", "<p class=\"nfa-notes\">99%</p>",
}

// wantHarmless checks that a page cannot run or load anything.
func wantHarmless(t testing.TB, page string) {
	t.Helper()
	tokens := html.NewTokenizer(strings.NewReader(page))
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		token := tokens.Token()
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		switch token.Data {
		case "script", "img", "iframe", "link", "object", "embed", "form", "base", "svg":
			t.Errorf("the page has <%s>", token.Data)
		}
		for _, a := range token.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src" || strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.Val)), "javascript:") {
				t.Errorf("the page has <%s %s=%q>", token.Data, a.Key, a.Val)
			}
		}
	}
	if strings.Count(page, "<style>") != 1 || strings.Count(page, "default-src 'none'") < 1 {
		t.Error("the page has another style, or no policy")
	}
}

func TestNew_APageLoadsAndRunsNothing(t *testing.T) {
	for _, text := range append(hostile, strings.Join(hostile, "\n\n")) {
		r := newReport(t, text, options(report.HTML))
		wantHarmless(t, string(r.Data))
		wantSound(t, r)
	}
}

func FuzzNew(f *testing.F) {
	for _, text := range append(hostile, sampleText, "|a|b|\n|-|-|\n|=1+1|9.6%|", "a,b\n1,'=2", "70.70 USD\r\n[^1]: x", "9.6%(x) [^1][untraced]") {
		f.Add(text, uint8(0))
		f.Add(text, uint8(1))
		f.Add(text, uint8(2))
	}
	f.Fuzz(func(t *testing.T, text string, format uint8) {
		o := options([]report.Format{report.Markdown, report.HTML, report.CSV}[format%3])
		r, err := report.New(text, o)
		if err != nil {
			return
		}
		if o.Format == report.HTML {
			wantHarmless(t, string(r.Data))
		}
		if f := checked(t, r.Provenance, r.Data); !f.Unchanged || len(f.Missing) > 0 {
			t.Errorf("unchanged %v, gone %v", f.Unchanged, f.Missing)
		}
	})
}
