package skill

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// MaxExcerpt is the longest text, in bytes, that is given whole; what is longer is given
// as an outline to choose from.
const MaxExcerpt = 16 << 10

// What may be wrong with a section asked for.
var (
	ErrNoSection        = errors.New("no such section")
	ErrAmbiguousSection = errors.New("more than one section is called that")
)

// SectionError reports a section that cannot be returned, with the sections that can be requested
// instead. It is ErrNoSection or ErrAmbiguousSection.
type SectionError struct {
	Requested string
	Choices   []OutlineItem
	err       error
}

func (e *SectionError) Error() string {
	rows := make([]string, min(len(e.Choices), 20))
	for i := range rows {
		rows[i] = strings.TrimSpace(e.Choices[i].Section + " " + e.Choices[i].Title)
	}
	if more := len(e.Choices) - len(rows); more > 0 {
		rows = append(rows, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("section %q: %v; there are: %s", clipTitle(e.Requested), e.err, strings.Join(rows, "; "))
}

func (e *SectionError) Unwrap() error { return e.err }

// OutlineItem is one line of an outline.
type OutlineItem struct {
	Section string `json:"section"` // by which it is asked for, unlike any other
	Title   string `json:"title"`
	Size    int    `json:"size"` // in bytes, with the sections below it
}

// Excerpt is what one tool result shows of a text, the body.
type Excerpt struct {
	Section string // by which it was found; empty for the whole body
	Text    string // all of it, unless there is an outline
	// Outline lists the parts of a text longer than MaxExcerpt. Together they are the whole; those
	// that are too long themselves have outlines in turn.
	Outline []OutlineItem
}

// NewExcerpt gives a body, or one section of it with those below, whole where it fits
// into one tool result and as an outline where it does not. Nothing is cut off.
//
// A section is asked for by its number in the outline, which goes first because
// it is the one name that is never given twice; by its title, exactly, or in any
// case and without its marks; and where the title begins with a number of its
// own, by the title without it or by that number. The error is a *SectionError.
func NewExcerpt(body, section string) (Excerpt, error) {
	root := sectionTree(body)
	found, err := root.find(section, body)
	if err != nil {
		return Excerpt{}, err
	}
	if found.size() <= MaxExcerpt {
		return Excerpt{Section: found.number, Text: body[found.start:found.end]}, nil
	}
	return Excerpt{Section: found.number, Outline: found.outline(body)}, nil
}

// find gives the section that wanted means, which is s itself when it is empty.
func (s *section) find(wanted, body string) (*section, error) {
	wanted = strings.TrimSpace(wanted)
	if found, ok := s.byNumber(wanted, body); ok {
		return found, nil
	}
	sections, bare := s.descendants(), normalizeTitle(wanted)
	for _, match := range []func(*section) bool{
		func(x *section) bool { return x.title == wanted },
		func(x *section) bool {
			return normalizeTitle(x.title) == bare || normalizeTitle(clipTitle(x.title)) == bare
		},
		func(x *section) bool { return x.number+" "+normalizeTitle(x.title) == bare },
		func(x *section) bool {
			number, rest := splitTitleNumber(normalizeTitle(x.title))
			return number != "" && (rest == bare || number == strings.TrimRight(bare, ".):"))
		},
	} {
		var matches []*section
		for _, x := range sections {
			if bare != "" && match(x) {
				matches = append(matches, x)
			}
		}
		switch {
		case len(matches) == 1:
			return matches[0], nil
		case len(matches) > 1:
			return nil, &SectionError{Requested: wanted, Choices: outlineItems(matches), err: ErrAmbiguousSection}
		}
	}
	return nil, &SectionError{Requested: wanted, Choices: outlineItems(sections), err: ErrNoSection}
}

// byNumber gives the section with a number, counting those that divide adds.
func (s *section) byNumber(number, body string) (*section, bool) {
	if number == "" {
		return s, true
	}
	above := ""
	if before, _, ok := cutLast(number, "part "); ok {
		above = strings.TrimSpace(before)
	} else if before, last, ok := cutLast(number, "."); ok && last == "0" {
		above = before
	} else if number != "0" {
		sections := s.descendants()
		i := slices.IndexFunc(sections, func(x *section) bool { return x.number == number })
		if i < 0 {
			return nil, false
		}
		return sections[i], true
	}
	parent, ok := s.byNumber(above, body)
	if !ok || parent.size() <= MaxExcerpt {
		return nil, false
	}
	parts := parent.divide(body)
	i := slices.IndexFunc(parts, func(x *section) bool { return x.number == number })
	if i < 0 {
		return nil, false
	}
	return parts[i], true
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

func outlineItems(sections []*section) []OutlineItem {
	parts := make([]OutlineItem, len(sections))
	for i, s := range sections {
		parts[i] = s.outlineItem()
	}
	return parts
}

func (s *section) descendants() []*section {
	var list []*section
	for _, child := range s.children {
		list = append(append(list, child), child.descendants()...)
	}
	return list
}

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
		list[i].end = len(src)
		if next := slices.IndexFunc(list[i+1:], func(h heading) bool { return h.level <= list[i].level }); next >= 0 {
			list[i].end = list[i+1+next].start
		}
	}
	return list
}

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
			to = from + runeStart(body[from:s.end], MaxExcerpt)
			if line := strings.LastIndexByte(body[from:to], '\n'); line > 0 {
				to = from + line + 1
			}
		}
		number := strings.TrimSpace(fmt.Sprintf("%s part %d", s.number, len(list)+1))
		title, _, _ := strings.Cut(strings.TrimSpace(body[from:to]), "\n")
		list = append(list, &section{number: number, title: title, start: from, end: to})
		from = to
	}
	return list
}

// maxTitleBytes is how much of a heading an outline shows, in bytes.
const maxTitleBytes = 90

func clipTitle(title string) string {
	title = oneLine(title)
	if len(title) <= maxTitleBytes {
		return title
	}
	return title[:runeStart(title, maxTitleBytes)] + "…"
}

// normalizeTitle is a title without the marks of Markdown, in lower case.
func normalizeTitle(title string) string {
	title = strings.Map(func(r rune) rune {
		if strings.ContainsRune("*_`", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, strings.TrimLeft(title, "#"))
	return strings.Join(strings.Fields(title), " ")
}

// splitTitleNumber takes "3" and "rank them" from "3. rank them", "3) rank them" and
// "step 3: rank them".
func splitTitleNumber(title string) (number, rest string) {
	if first, after, ok := strings.Cut(title, " "); ok && slices.Contains([]string{"step", "phase", "part", "section"}, first) {
		title = after
	}
	end := strings.IndexFunc(title, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(title)
	}
	number = strings.Trim(title[:end], ".")
	return number, strings.TrimLeft(title[end:], " ):-–—")
}
