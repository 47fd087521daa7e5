package excerpt

import (
	"fmt"
	"strconv"
	"strings"
)

// maxRows is how many lines an outline may have: with maxTitle and room for JSON,
// one tool result.
const maxRows = 100

// section is a stretch of a body: the body itself, what a heading begins, or a
// piece of either.
type section struct {
	number   string
	title    string
	level    int
	from, to int
	below    []*section
}

func (s *section) size() int { return s.to - s.from }

func (s *section) part() Part {
	return Part{Section: s.number, Title: clipTitle(s.title), Size: s.size()}
}

// bodyTree puts the headings of a body under one another.
func bodyTree(body string) *section {
	root := &section{to: len(body)}
	open := []*section{root}
	for _, h := range headings(body) {
		for len(open) > 1 && open[len(open)-1].level >= h.level {
			open = open[:len(open)-1]
		}
		above := open[len(open)-1]
		s := &section{title: h.title, level: h.level, from: h.start, to: h.end}
		s.number = above.child(strconv.Itoa(len(above.below) + 1))
		above.below = append(above.below, s)
		open = append(open, s)
	}
	return root
}

func (s *section) child(number string) string {
	return strings.TrimPrefix(s.number+"."+number, ".")
}

// outline lists what s consists of, and as many levels below that as there is
// room for.
func (s *section) outline(body string) []Part {
	parts := s.divide(body)
	for depth := 1; ; depth++ {
		rows := listDown(parts, depth)
		if len(rows) > maxRows {
			return listDown(parts, depth-1)
		}
		if len(rows) == len(listDown(parts, depth+1)) {
			return rows
		}
	}
}

func listDown(sections []*section, depth int) []Part {
	var rows []Part
	if depth < 0 {
		return nil
	}
	for _, s := range sections {
		rows = append(rows, s.part())
		if depth > 0 {
			rows = append(rows, listDown(s.below, depth-1)...)
		}
	}
	return rows
}

// divide gives the sections directly below s and, first, the text before them.
// A stretch without headings, or with more of them than an outline can list, is
// divided by length.
func (s *section) divide(body string) []*section {
	if len(s.below) == 0 || len(s.below) >= maxRows {
		return s.pieces(body)
	}
	lead := &section{number: s.child("0"), title: "(the beginning)", from: s.from, to: s.below[0].from}
	if s.title != "" {
		lead.title = "(the beginning of " + clipTitle(s.title) + ")"
	}
	if strings.TrimSpace(body[lead.from:lead.to]) == "" {
		return s.below
	}
	return append([]*section{lead}, s.below...)
}

// pieces divides s at ends of lines, or of characters in a line that is too long.
func (s *section) pieces(body string) []*section {
	var list []*section
	for from := s.from; from < s.to; {
		to := s.to
		if to-from > Max {
			to = from + edge(body[from:s.to], Max)
			if line := strings.LastIndexByte(body[from:to], '\n'); line > 0 {
				to = from + line + 1
			}
		}
		number := strings.TrimSpace(fmt.Sprintf("%s part %d", s.number, len(list)+1))
		list = append(list, &section{number: number, title: firstWords(body[from:to]), from: from, to: to})
		from = to
	}
	return list
}
