package skill

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Heading is a heading of a skill's body.
type Heading struct {
	Level int    // 1 to 6
	Title string // as written, without the marks
	Size  int    // in bytes, of its section with those below it

	start int
}

// Outline lists the headings of a body in order. What looks like one inside a
// code block or a quotation is not one.
func Outline(body string) []Heading {
	src := []byte(body)
	doc := goldmark.DefaultParser().Parse(text.NewReader(src))
	var list []Heading
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Lines().Len() == 0 {
			continue
		}
		first := h.Lines().At(0)
		title := strings.Join(strings.Fields(string(h.Lines().Value(src))), " ")
		list = append(list, Heading{Level: h.Level, Title: title, start: bytes.LastIndexByte(src[:first.Start], '\n') + 1})
	}
	for i := range list {
		list[i].Size = sectionEnd(list, i, len(src)) - list[i].start
	}
	return list
}

func sectionEnd(list []Heading, i, bodyEnd int) int {
	for _, later := range list[i+1:] {
		if later.Level <= list[i].Level {
			return later.start
		}
	}
	return bodyEnd
}
