package skill

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// heading begins a section, which ends where the next of its level or above begins.
type heading struct {
	level      int    // 1 to 6
	title      string // as written, without the marks
	start, end int
}

// headings are those of a body in order. What looks like one inside a code block or a
// quotation is not one.
func headings(body string) []heading {
	src := []byte(body)
	doc := goldmark.DefaultParser().Parse(text.NewReader(src))
	var list []heading
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Lines().Len() == 0 {
			continue
		}
		first := h.Lines().At(0)
		title := strings.Join(strings.Fields(string(h.Lines().Value(src))), " ")
		list = append(list, heading{level: h.Level, title: title, start: bytes.LastIndexByte(src[:first.Start], '\n') + 1})
	}
	for i := range list {
		list[i].end = sectionEnd(list, i, len(src))
	}
	return list
}

func sectionEnd(list []heading, i, bodyEnd int) int {
	for _, later := range list[i+1:] {
		if later.level <= list[i].level {
			return later.start
		}
	}
	return bodyEnd
}
