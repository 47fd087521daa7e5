package skill

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// MaxExcerpt is the longest text, in bytes, that is given whole; what is longer
// is given as an outline to choose from.
const MaxExcerpt = ResourceChunk

const (
	// maxRows is how many lines an outline may have and maxTitle how much of a
	// heading it shows, in bytes: together with room for JSON, one tool result.
	maxRows  = 100
	maxTitle = 90
)

// What may be wrong with a section asked for.
var (
	ErrNoSection        = errors.New("no such section")
	ErrAmbiguousSection = errors.New("more than one section is called that")
)

// SectionError answers a section that cannot be told, with those that can be
// asked for instead. It is ErrNoSection or ErrAmbiguousSection.
type SectionError struct {
	Wanted  string
	Choices []Part
	err     error
}

func (e *SectionError) Error() string {
	rows := make([]string, min(len(e.Choices), 20))
	for i := range rows {
		rows[i] = strings.TrimSpace(e.Choices[i].Section + " " + e.Choices[i].Title)
	}
	if more := len(e.Choices) - len(rows); more > 0 {
		rows = append(rows, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("section %q: %v; there are: %s", clipTitle(e.Wanted), e.err, strings.Join(rows, "; "))
}

func (e *SectionError) Unwrap() error { return e.err }

// Part is one line of an outline.
type Part struct {
	Section string `json:"section"` // by which it is asked for, unlike any other
	Title   string `json:"title"`
	Size    int    `json:"size"` // in bytes, with the sections below it
}

// Excerpt is what one tool result shows of a body.
type Excerpt struct {
	Section string // by which it was found; empty for the whole body
	Text    string // all of it, unless there is an outline
	// Outline lists the parts of what is longer than MaxExcerpt. Together they
	// are the whole; those that are too long themselves have outlines in turn.
	Outline []Part
}

// Read gives a body, or one section of it with those below, whole where it fits
// into one tool result and as an outline where it does not. Nothing is cut off.
//
// A section is asked for by its number in the outline, which goes first because
// it is the one name that is never given twice; by its title, exactly, or in any
// case and without its marks; and where the title begins with a number of its
// own, by the title without it or by that number. The error is a *SectionError.
func Read(body, section string) (Excerpt, error) {
	root := bodyTree(body)
	found, err := root.find(section, body)
	if err != nil {
		return Excerpt{}, err
	}
	if found.size() <= MaxExcerpt {
		return Excerpt{Section: found.number, Text: body[found.from:found.to]}, nil
	}
	return Excerpt{Section: found.number, Outline: found.outline(body)}, nil
}

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
	for _, h := range Outline(body) {
		for len(open) > 1 && open[len(open)-1].level >= h.Level {
			open = open[:len(open)-1]
		}
		above := open[len(open)-1]
		s := &section{title: h.Title, level: h.Level, from: h.start, to: h.start + h.Size}
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
		if to-from > MaxExcerpt {
			to = from + edge([]byte(body[from:s.to]), MaxExcerpt)
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

func firstWords(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return clipTitle(line)
}

func clipTitle(title string) string {
	title = oneLine(title)
	if len(title) <= maxTitle {
		return title
	}
	return title[:edge([]byte(title), maxTitle)] + "…"
}

// find gives the section that wanted means, which is s itself when it is empty.
func (s *section) find(wanted, body string) (*section, error) {
	wanted = strings.TrimSpace(wanted)
	if found, ok := s.at(wanted, body); ok {
		return found, nil
	}
	all, bare := s.all(), plainTitle(wanted)
	for _, means := range []func(*section) bool{
		func(x *section) bool { return x.title == wanted },
		func(x *section) bool { return plainTitle(x.title) == bare },
		func(x *section) bool { return plainTitle(clipTitle(x.title)) == bare },
		func(x *section) bool { return x.number+" "+plainTitle(x.title) == bare },
		func(x *section) bool {
			number, rest := ownNumber(plainTitle(x.title))
			return number != "" && (rest == bare || number == strings.TrimRight(bare, ".):"))
		},
	} {
		var matches []*section
		for _, x := range all {
			if bare != "" && means(x) {
				matches = append(matches, x)
			}
		}
		switch {
		case len(matches) == 1:
			return matches[0], nil
		case len(matches) > 1:
			return nil, &SectionError{Wanted: wanted, Choices: partsOf(matches), err: ErrAmbiguousSection}
		}
	}
	return nil, &SectionError{Wanted: wanted, Choices: partsOf(all), err: ErrNoSection}
}

// at gives the section with a number, counting those that divide adds.
func (s *section) at(number, body string) (*section, bool) {
	if number == "" {
		return s, true
	}
	above := ""
	if before, _, ok := cutLast(number, "part "); ok {
		above = strings.TrimSpace(before)
	} else if before, last, ok := cutLast(number, "."); ok && last == "0" {
		above = before
	} else if number != "0" {
		all := s.all()
		i := slices.IndexFunc(all, func(x *section) bool { return x.number == number })
		if i < 0 {
			return nil, false
		}
		return all[i], true
	}
	whole, ok := s.at(above, body)
	if !ok || whole.size() <= MaxExcerpt {
		return nil, false
	}
	parts := whole.divide(body)
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

func partsOf(sections []*section) []Part {
	parts := make([]Part, len(sections))
	for i, s := range sections {
		parts[i] = s.part()
	}
	return parts
}

func (s *section) all() []*section {
	var list []*section
	for _, below := range s.below {
		list = append(append(list, below), below.all()...)
	}
	return list
}

// plainTitle is a title without the marks of Markdown, in lower case.
func plainTitle(title string) string {
	title = strings.Map(func(r rune) rune {
		if strings.ContainsRune("*_`", r) {
			return -1
		}
		return unicode.ToLower(r)
	}, strings.TrimLeft(title, "#"))
	return strings.Join(strings.Fields(title), " ")
}

// ownNumber takes "3" and "rank them" from "3. rank them", "3) rank them" and
// "step 3: rank them".
func ownNumber(title string) (number, rest string) {
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
