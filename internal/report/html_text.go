package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlText returns the text of a page as Markdown, with the structure that affects its numbers:
// headings, items, tables, code. Added elements are omitted.
func htmlText(page []byte) (string, error) {
	r := &htmlReader{tokens: html.NewTokenizer(bytes.NewReader(page))}
	r.tokens.SetMaxBuf(MaxReport)
	for {
		switch r.tokens.Next() {
		case html.ErrorToken:
			if err := r.tokens.Err(); !errors.Is(err, io.EOF) {
				return "", fmt.Errorf("parse HTML: %w", err)
			}
			return r.out.String(), nil
		case html.TextToken:
			r.text(string(r.tokens.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			r.open(r.tokens.Token())
		case html.EndTagToken:
			r.close(r.tokens.Token().DataAtom)
		}
	}
}

// htmlReader writes the Markdown of a page token by token.
type htmlReader struct {
	tokens  *html.Tokenizer
	out     strings.Builder
	inBody  bool
	skipped atom.Atom // the element being skipped
	depth   int       // nesting depth of that element
	lists   []int     // the next number of each list; 0 for an unnumbered one
	inTable bool
	cells   int  // of the current row
	heading bool // the row is the header of its table
	fenced  bool
}

func (r *htmlReader) text(s string) {
	if !r.inBody || r.skipped != 0 || r.inTable && r.cells == 0 {
		return
	}
	if r.cells > 0 {
		s = strings.NewReplacer("\n", " ", "|", "/").Replace(s)
	}
	r.out.WriteString(s)
}

func (r *htmlReader) open(t html.Token) {
	a := t.DataAtom
	if r.skipped != 0 {
		if a == r.skipped {
			r.depth++
		}
		return
	}
	if a == atom.Body {
		r.inBody = true
	}
	if isSkippedElement(t) || a == atom.Script || a == atom.Style {
		r.skipped, r.depth = a, 1
		return
	}
	switch a {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		r.out.WriteString("\n" + strings.Repeat("#", int(t.Data[1]-'0')) + " ")
	case atom.P, atom.Blockquote, atom.Hr, atom.Br:
		r.text("\n")
	case atom.Ul, atom.Ol:
		r.lists = append(r.lists, listStart(t))
		r.out.WriteString("\n")
	case atom.Li:
		r.item()
	case atom.Table:
		r.inTable, r.heading = true, true
		r.out.WriteString("\n\n")
	case atom.Tr:
		r.cells = 0
	case atom.Th, atom.Td:
		r.out.WriteString("| ")
		r.cells++
	case atom.Pre:
		r.fenced = true
		r.out.WriteString("\n```\n")
	case atom.Code:
		if !r.fenced {
			r.out.WriteString("`")
		}
	}
}

// isSkippedElement reports whether nfa added an element, or whether it holds the text's own
// footnotes, which are also ignored in Markdown.
func isSkippedElement(t html.Token) bool {
	for _, a := range t.Attr {
		if a.Key == "class" && (a.Val == headClass || a.Val == markClass || a.Val == notesClass || a.Val == "footnotes") {
			return true
		}
	}
	return false
}

func listStart(t html.Token) int {
	if t.DataAtom == atom.Ul {
		return 0
	}
	return 1
}

func (r *htmlReader) item() {
	mark := "\n- "
	if last := len(r.lists) - 1; last >= 0 && r.lists[last] > 0 {
		mark = fmt.Sprintf("\n%d. ", r.lists[last])
		r.lists[last]++
	}
	r.out.WriteString(mark)
}

func (r *htmlReader) close(a atom.Atom) {
	if r.skipped != 0 {
		if a == r.skipped {
			r.depth--
		}
		if r.depth == 0 {
			r.skipped = 0
		}
		return
	}
	switch a {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.P, atom.Li:
		r.text("\n")
	case atom.Ul, atom.Ol:
		r.lists = r.lists[:max(len(r.lists)-1, 0)]
	case atom.Th, atom.Td:
		r.out.WriteString(" ")
	case atom.Tr:
		r.row()
	case atom.Table:
		r.inTable, r.cells = false, 0
	case atom.Pre:
		r.fenced = false
		r.out.WriteString("\n```\n")
	case atom.Code:
		if !r.fenced {
			r.out.WriteString("`")
		}
	}
}

// row ends a row. After the first row of a table it writes the line below the header.
func (r *htmlReader) row() {
	r.out.WriteString("|\n")
	if r.heading {
		r.out.WriteString(strings.Repeat("|---", r.cells) + "|\n")
	}
	r.heading, r.cells = false, 0
}
