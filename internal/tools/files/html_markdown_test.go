package files_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tools/files"
)

func readPage(t testing.TB, html string) files.WebPage {
	t.Helper()
	p, err := newAnsweringClient(t, "text/html; charset=utf-8", html).Get(t.Context(), "http://example.com/news/today.html?x=1")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const articleHTML = `<!DOCTYPE html><html lang="en"><head><title> Fund  news </title>
<meta name="author" content="A. Writer"><meta property="article:published_time" content="2026-03-05T10:00:00Z">
<style>p{color:red}</style><script>steal()</script></head><body>
<nav><a href="/">Home</a></nav><header>Site</header>
<main><h1>Costs fall</h1><p>The fund costs <b>0.35 %</b>, says <a href="../about#us">the company</a>.
<a href="javascript:run()">click</a> <a href="//other.example.org/x">other</a> <a href="http://u:p@example.org/">login</a></p>
<img src="pixel.gif?who=me" alt="Chart of costs"><img src="data:image/png;base64,AAAA">
<table><tr><th>Year</th><th>Cost</th></tr><tr><td>2025</td><td>0.40 %</td></tr></table>
<ul><li>one</li><li>two</li></ul>
<p hidden>ASSISTANTS 1</p><p style="display: none">ASSISTANTS 2</p><div aria-hidden="TRUE">ASSISTANTS 3</div>
<span style="color:red;VISIBILITY:hidden">ASSISTANTS 4</span><!-- ASSISTANTS 5 --><template>ASSISTANTS 6</template>
<noscript>ASSISTANTS 7</noscript><span style="font-size:0">ASSISTANTS 8</span><form>ASSISTANTS 9<input value="x"></form>
<p style="opacity:0">ASSISTANTS 10</p><p style="opacity:0.9">seen</p></main>
<aside>Advert</aside><footer>Imprint</footer></body></html>`

func TestGet_OfAPageWhatAReaderSees(t *testing.T) {
	got := readPage(t, articleHTML)
	want := files.PageMeta{Title: "Fund news", Author: "A. Writer", Published: "2026-03-05T10:00:00Z", Language: "en"}
	if diff := cmp.Diff(want, got.PageMeta); diff != "" {
		t.Errorf("what the page says of itself (-want +got):\n%s", diff)
	}
	for _, part := range []string{
		"# Costs fall", "**0.35 %**", "[the company](http://example.com/about#us)", "[other](http://other.example.org/x)", "[login](http://example.org/)",
		"Chart of costs", "| Year | Cost", "| 2025 | 0.40 % |", "- one", "click", "seen",
	} {
		if !strings.Contains(got.Text, part) {
			t.Errorf("the text misses %q:\n%s", part, got.Text)
		}
	}
	for _, part := range []string{"ASSISTANTS", "steal", "color:red", "javascript", "pixel.gif", "base64", "Advert", "Imprint", "Home", "u:p@"} {
		if strings.Contains(got.Text, part) {
			t.Errorf("the text holds %q:\n%s", part, got.Text)
		}
	}
}

func TestGet_WithoutAMainPartTheBodyWithoutItsSurroundings(t *testing.T) {
	for name, html := range map[string]string{
		"body":         `<nav>menu</nav><p>text</p><footer>foot</footer>`,
		"one article":  `<p>menu</p><article><p>text</p></article>`,
		"role":         `<div>menu</div><div role="main">text</div>`,
		"empty main":   `<main> </main><nav>menu</nav><p>text</p>`,
		"hidden main":  `<main hidden>menu</main><p>text</p>`,
		"two articles": `<nav>menu</nav><article>text</article><article></article>`,
	} {
		if got := readPage(t, html).Text; got != "text" {
			t.Errorf("%s: %q, want the text alone", name, got)
		}
	}
}

func TestGet_ABaseMovesTheLinks(t *testing.T) {
	got := readPage(t, `<base href="https://docs.example.org/v2/"><a href="guide">guide</a>`)
	if got.Text != "[guide](https://docs.example.org/v2/guide)" {
		t.Errorf("text = %q", got.Text)
	}
}

func TestGet_HostilePagesEndQuickly(t *testing.T) {
	for name, html := range map[string]string{
		"deep":         strings.Repeat("<div>", 20_000),
		"deep lists":   strings.Repeat("<ul><li>", 5_000),
		"formatting":   strings.Repeat("<b><i><a href=x>", 1_000),
		"tables":       strings.Repeat("<table><tr><td>", 500),
		"attributes":   "<p " + strings.Repeat("a=b ", 20_000) + ">",
		"entities":     strings.Repeat("&lt;", 20_000),
		"not closed":   "<p>" + strings.Repeat("x ", 20_000) + "<!--",
		"only markers": strings.Repeat("*_`[#>", 5_000),
		"headings":     strings.Repeat("<h1>x</h1>", 5_000),
		"code":         "<pre><code>" + strings.Repeat("`", 50_000) + "</code></pre>",
		"one table":    "<table>" + strings.Repeat("<tr><td>a<td>b</tr>", 2_000) + "</table>",
		"wide table":   "<table><tr>" + strings.Repeat("<td>a", 2_000) + "</tr></table>",
		"spans":        "<table><tr><td colspan=99999 rowspan=99999>a</table>",
		"many spans":   "<table>" + strings.Repeat("<tr><td colspan=12 rowspan=99>a<td colspan=12>b", 1_000) + "</table>",
		"spaces":       strings.Repeat("<b> </b>", 5_000),
		"lines":        strings.Repeat("<br>", 20_000),
		"list":         "<ol>" + strings.Repeat("<li>x", 5_000),
		"names":        strings.Repeat("<a name=x></a>", 5_000),
		"links":        strings.Repeat("<a href=/x>[y]</a>", 5_000),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := newAnsweringClient(t, "text/html", html).Get(t.Context(), "http://example.com/")
			if err != nil && !errors.Is(err, files.ErrNotTextPage) {
				t.Errorf("Get = %v, want a page or ErrNotText", err)
			}
		})
	}
}

func BenchmarkGet_Article(b *testing.B) {
	long := strings.Replace(articleHTML, "<ul>", strings.Repeat("<p>Another <em>paragraph</em> with a <a href='x'>link</a>.</p>", 2000)+"<ul>", 1)
	c := newAnsweringClient(b, "text/html; charset=utf-8", long)
	b.SetBytes(int64(len(long)))
	for b.Loop() {
		if _, err := c.Get(b.Context(), "http://example.com/"); err != nil {
			b.Fatal(err)
		}
	}
}
