package report

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/trace"
)

// htmlPage converts Markdown to a page that loads and runs nothing. HTML in the text is dropped,
// and pictures are replaced by their descriptions, because loading one would reveal who opens the
// page.
func (p *Provenance) htmlPage(markdown string, numbers []trace.MatchedNumber) ([]byte, error) {
	source := []byte(markdown)
	converter := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))
	doc := converter.Parser().Parse(text.NewReader(source))
	withoutPictures(doc)
	markTexts(doc, numbers)
	var body bytes.Buffer
	if err := converter.Renderer().Render(&body, source, doc); err != nil {
		return nil, fmt.Errorf("convert report to HTML: %w", err)
	}
	title := "Report"
	if m := firstHeading().FindStringSubmatch(markdown); m != nil {
		title = m[1]
	}
	headline := ""
	if len(numbers) > 0 {
		headline = fmt.Sprintf("<p class=%q>%s.</p>\n", headClass, html.EscapeString(p.Summary()))
	}
	return fmt.Appendf(nil, pageTemplate, html.EscapeString(title), headline, body.String(), p.noteList()), nil
}

var firstHeading = lazyregexp.New(`(?m)^# +(.+?) *#*$`)

// Classes of the added elements. Elements of the text have no class.
const (
	headClass  = "nfa-count"
	markClass  = "nfa-mark"
	notesClass = "nfa-notes"
)

const pageTemplate = `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%s</title>
<style>
:root { color-scheme: light dark; --line: #9996; --quiet: #666; --bad: #b00020; }
@media (prefers-color-scheme: dark) { :root { --quiet: #aaa; --bad: #ff8a80; } }
body { max-width: 48rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { padding: .2rem .6rem; border: 1px solid var(--line); }
.nfa-count, .nfa-notes { color: var(--quiet); font-size: .875rem; }
.nfa-count { border-left: 3px solid var(--line); padding-left: .75rem; }
.nfa-notes { border-top: 1px solid var(--line); margin-top: 2rem; }
.nfa-mark a { text-decoration: none; }
.nfa-mark em { color: var(--bad); font-size: .8em; font-style: normal; }
</style>
</head>
<body>
%s%s%s</body>
</html>
`

func withoutPictures(doc ast.Node) {
	var pictures []*ast.Image
	walkNodes(doc, func(n ast.Node) {
		if image, ok := n.(*ast.Image); ok {
			pictures = append(pictures, image)
		}
	})
	for _, image := range pictures {
		parent := image.Parent()
		for child := image.FirstChild(); child != nil; {
			next := child.NextSibling()
			parent.InsertBefore(parent, image, child)
			child = next
		}
		parent.RemoveChild(parent, image)
	}
}

// markTexts inserts the marks of numbers into the text nodes.
func markTexts(doc ast.Node, numbers []trace.MatchedNumber) {
	var texts []*ast.Text
	walkNodes(doc, func(n ast.Node) {
		if t, ok := n.(*ast.Text); ok {
			texts = append(texts, t)
		}
	})
	for _, t := range texts {
		first, _ := slices.BinarySearchFunc(numbers, t.Segment.Start+1, func(m trace.MatchedNumber, at int) int { return cmp.Compare(m.End, at) })
		for _, m := range numbers[first:] {
			if m.End > t.Segment.Stop {
				break
			}
			t = markText(t, m)
		}
	}
}

// markText inserts a mark after the number at the end of a text, and returns the rest of the text.
// After code and links, the mark is outside of them.
func markText(t *ast.Text, m trace.MatchedNumber) *ast.Text {
	mark := ast.NewString([]byte(htmlMark(m)))
	mark.SetCode(true) // write it unescaped
	for n := t.Parent(); n != nil && n.Type() == ast.TypeInline; n = n.Parent() {
		if kind := n.Kind(); kind == ast.KindCodeSpan || kind == ast.KindLink {
			n.Parent().InsertAfter(n.Parent(), n, mark)
			return t
		}
	}
	rest := ast.NewTextSegment(text.NewSegment(m.End, t.Segment.Stop))
	rest.SetSoftLineBreak(t.SoftLineBreak())
	rest.SetHardLineBreak(t.HardLineBreak())
	t.SetSoftLineBreak(false)
	t.SetHardLineBreak(false)
	t.Segment = t.Segment.WithStop(m.End)
	parent := t.Parent()
	parent.InsertAfter(parent, t, mark)
	parent.InsertAfter(parent, mark, rest)
	return rest
}

func walkNodes(doc ast.Node, visit func(ast.Node)) {
	// The visitor returns no error, so neither does the walk.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			visit(n)
		}
		return ast.WalkContinue, nil
	})
}

func htmlMark(m trace.MatchedNumber) string {
	note := fmt.Sprintf(`<a href="#nfa-note-%d">%d</a>`, m.Note, m.Note)
	switch m.Status {
	case trace.Untraced:
		note = "<em>" + untracedMark + "</em>"
	case trace.Contradicted:
		note += " <em>" + contradictedMark + "</em>"
	}
	return fmt.Sprintf("<sup class=%q>%s</sup>", markClass, note)
}

// noteList returns the list of notes at the end of a page.
func (p *Provenance) noteList() string {
	if len(p.Figures) == 0 {
		return ""
	}
	code := func(text string) string { return "<code>" + plain(text) + "</code>" }
	var b strings.Builder
	fmt.Fprintf(&b, "<ol class=%q start=\"%d\">\n", notesClass, p.lowestNote())
	for _, f := range p.Figures {
		fmt.Fprintf(&b, "<li id=\"nfa-note-%d\">%s</li>\n", f.Note, f.line(plain, code))
	}
	return b.String() + "</ol>\n"
}

func plain(text string) string { return html.EscapeString(oneLine(text)) }
