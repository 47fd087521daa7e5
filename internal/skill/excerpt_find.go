package skill

import (
	"slices"
	"strings"
)

// find gives the section that wanted means, which is s itself when it is empty.
func (s *section) find(wanted, body string) (*section, error) {
	wanted = strings.TrimSpace(wanted)
	if found, ok := s.byNumber(wanted, body); ok {
		return found, nil
	}
	sections, bare := s.descendants(), normalizeTitle(wanted)
	for _, match := range []func(*section) bool{
		func(x *section) bool { return x.title == wanted },
		func(x *section) bool { return normalizeTitle(x.title) == bare },
		func(x *section) bool { return normalizeTitle(clipTitle(x.title)) == bare },
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
