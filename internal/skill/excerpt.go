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

// MaxExcerpt is the maximum text, in bytes, that is returned whole; longer text is returned as an
// outline.
const MaxExcerpt = 16 << 10

// Errors of a requested section.
var (
	ErrNoSection        = errors.New("no such section")
	ErrAmbiguousSection = errors.New("several sections match")
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
	return fmt.Sprintf("section %q: %v; use one of: %s", clipTitle(e.Requested), e.err, strings.Join(rows, "; "))
}

func (e *SectionError) Unwrap() error { return e.err }

// OutlineItem is one line of an outline.
type OutlineItem struct {
	Section string `json:"section"` // unique ID by which it can be requested
	Title   string `json:"title"`
	Size    int    `json:"size"` // in bytes, including subsections
}

// Excerpt is the part of a body that one tool result shows.
type Excerpt struct {
	Section string // the section found; empty for the whole body
	Text    string // the whole text, unless there is an outline
	// Outline lists the parts of a text longer than MaxExcerpt. Together they are the whole text;
	// parts that are too long have their own outlines.
	Outline []OutlineItem
}

// NewExcerpt returns a body, or one section including its subsections: whole if it fits into one
// tool result, otherwise as an outline. Nothing is cut off.
//
// A section can be requested by its number in the outline, which is unique and therefore tried
// first; by its title, exactly or ignoring case and punctuation; and, if the title begins with a
// number, by that number or the title without it. The error is a *SectionError.
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

// find returns the requested section, or s itself if requested is empty.
func (s *section) find(requested, body string) (*section, error) {
	requested = strings.TrimSpace(requested)
	if found, ok := s.byNumber(requested, body); ok {
		return found, nil
	}
	sections, bare := s.descendants(), normalizeTitle(requested)
	for _, match := range []func(*section) bool{
		func(x *section) bool { return x.title == requested },
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
			return nil, &SectionError{Requested: requested, Choices: outlineItems(matches), err: ErrAmbiguousSection}
		}
	}
	return nil, &SectionError{Requested: requested, Choices: outlineItems(sections), err: ErrNoSection}
}

// byNumber returns the section with a number, including sections added by divide.
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

// heading is the start of a section, which ends at the next heading of the same or a higher level.
type heading struct {
	level      int    // 1 to 6
	title      string // without the marks
	start, end int
}

// headings returns the headings of a body in order, ignoring code blocks and quotations.
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

// maxOutlineRows is the maximum number of lines in an outline: with titles of maxTitleBytes and
// JSON overhead, they fit into one tool result.
const maxOutlineRows = 100

// section is a part of a body: the whole body, the text under a heading, or a piece of either.
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

// sectionTree returns the tree of sections of a body.
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

// outline lists the parts of s, and as many levels below as fit.
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

// divide returns the sections directly below s, preceded by the text before them. Text without
// headings, or with more than an outline can list, is divided by length.
func (s *section) divide(body string) []*section {
	if len(s.children) == 0 || len(s.children) >= maxOutlineRows {
		return s.splitBySize(body)
	}
	lead := &section{number: s.childNumber("0"), title: "(beginning)", start: s.start, end: s.children[0].start}
	if s.title != "" {
		lead.title = "(beginning of " + clipTitle(s.title) + ")"
	}
	if strings.TrimSpace(body[lead.start:lead.end]) == "" {
		return s.children
	}
	return append([]*section{lead}, s.children...)
}

// splitBySize divides s at line ends, or between characters of a line that is too long.
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

// maxTitleBytes is the maximum length of a heading in an outline, in bytes.
const maxTitleBytes = 90

func clipTitle(title string) string {
	title = oneLine(title)
	if len(title) <= maxTitleBytes {
		return title
	}
	return title[:runeStart(title, maxTitleBytes)] + "…"
}

// normalizeTitle returns a title in lower case without Markdown marks.
func normalizeTitle(title string) string {
	title = strings.Map(func(r rune) rune {
		if strings.ContainsRune("*_`", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, strings.TrimLeft(title, "#"))
	return strings.Join(strings.Fields(title), " ")
}

// splitTitleNumber returns "3" and "rank them" for "3. rank them", "3) rank them" and "step 3: rank
// them".
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
