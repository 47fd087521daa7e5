package excerpt

import (
	"slices"
	"strings"
)

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
	if !ok || whole.size() <= Max {
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
