package skill

import (
	"fmt"
	"strconv"
	"strings"
)

// maxOutlineRows is how many lines an outline may have: with titles of maxTitleBytes and the JSON
// around them, they fit into one tool result.
const maxOutlineRows = 100

// section is a stretch of a body: the body itself, what a heading begins, or a
// piece of either.
type section struct {
	number     string
	title      string
	level      int
	start, end int
	children   []*section
}

func (s *section) size() int { return s.end - s.start }

func (s *section) outlineItem() OutlineItem {
	return OutlineItem{Section: s.number, Title: clipTitle(s.title), Size: s.size()}
}

// sectionTree puts the headings of a body under one another.
func sectionTree(body string) *section {
	root := &section{end: len(body)}
	open := []*section{root}
	for _, h := range headings(body) {
		for len(open) > 1 && open[len(open)-1].level >= h.level {
			open = open[:len(open)-1]
		}
		above := open[len(open)-1]
		s := &section{title: h.title, level: h.level, start: h.start, end: h.end}
		s.number = above.childNumber(strconv.Itoa(len(above.children) + 1))
		above.children = append(above.children, s)
		open = append(open, s)
	}
	return root
}

func (s *section) childNumber(number string) string {
	return strings.TrimPrefix(s.number+"."+number, ".")
}

// outline lists what s consists of, and as many levels below that as fit.
func (s *section) outline(body string) []OutlineItem {
	parts := s.divide(body)
	for depth := 1; ; depth++ {
		rows := flattenOutline(parts, depth)
		if len(rows) > maxOutlineRows {
			return flattenOutline(parts, depth-1)
		}
		if len(rows) == len(flattenOutline(parts, depth+1)) {
			return rows
		}
	}
}

func flattenOutline(sections []*section, depth int) []OutlineItem {
	var rows []OutlineItem
	if depth < 0 {
		return nil
	}
	for _, s := range sections {
		rows = append(rows, s.outlineItem())
		if depth > 0 {
			rows = append(rows, flattenOutline(s.children, depth-1)...)
		}
	}
	return rows
}

// divide gives the sections directly below s and, first, the text before them.
// A stretch without headings, or with more of them than an outline can list, is
// divided by length.
func (s *section) divide(body string) []*section {
	if len(s.children) == 0 || len(s.children) >= maxOutlineRows {
		return s.splitBySize(body)
	}
	lead := &section{number: s.childNumber("0"), title: "(the beginning)", start: s.start, end: s.children[0].start}
	if s.title != "" {
		lead.title = "(the beginning of " + clipTitle(s.title) + ")"
	}
	if strings.TrimSpace(body[lead.start:lead.end]) == "" {
		return s.children
	}
	return append([]*section{lead}, s.children...)
}

// splitBySize divides s at ends of lines, or of characters in a line that is too long.
func (s *section) splitBySize(body string) []*section {
	var list []*section
	for from := s.start; from < s.end; {
		to := s.end
		if to-from > MaxExcerpt {
			to = from + runeStartIn(body[from:s.end], MaxExcerpt)
			if line := strings.LastIndexByte(body[from:to], '\n'); line > 0 {
				to = from + line + 1
			}
		}
		number := strings.TrimSpace(fmt.Sprintf("%s part %d", s.number, len(list)+1))
		list = append(list, &section{number: number, title: firstLine(body[from:to]), start: from, end: to})
		from = to
	}
	return list
}
