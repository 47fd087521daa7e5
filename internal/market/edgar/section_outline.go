package edgar

import (
	"strings"
	"unicode"

	"github.com/nfa-cli/nfa/internal/market"
)

// outlineEntry is one item of a form.
type outlineEntry struct {
	item market.FilingItem
	// titles are the normalized beginnings of its titles, the official one first.
	titles []string
	// usualLength is the usual range of its length in characters; zero if it varies too much.
	usualLength byteRange
}

// outline lists the items of a form in order.
type outline struct {
	entries  []outlineEntry
	byNumber map[string][]int
}

// outlineOf returns the items of a form or of its amendments. Unknown forms have none.
func outlineOf(form string) outline {
	form = strings.TrimSuffix(strings.ToUpper(strings.Join(strings.Fields(form), "")), "/A")
	switch {
	case strings.HasPrefix(form, "10-K"), strings.HasPrefix(form, "10K"):
		return newOutline(annualItems, annualLengths())
	case strings.HasPrefix(form, "10-Q"), strings.HasPrefix(form, "10Q"):
		return newOutline(quarterlyItems, quarterlyLengths())
	case strings.HasPrefix(form, "20-F"):
		return newOutline(foreignItems, nil)
	case strings.HasPrefix(form, "8-K"):
		return newOutline(currentItems, nil)
	}
	return outline{}
}

// annualLengths returns usual lengths of items in characters, measured over many filers by the edgartools
// project.
func annualLengths() map[string]byteRange {
	return map[string]byteRange{
		"I-1": {8_000, 321_000}, "I-1A": {16_000, 639_000}, "I-1C": {1_500, 62_000},
		"II-7": {11_000, 458_000}, "II-8": {26_000, 1_045_000}, "II-9A": {800, 32_000},
	}
}

func quarterlyLengths() map[string]byteRange {
	return map[string]byteRange{"I-1": {18_000, 720_000}, "I-2": {10_000, 405_000}}
}

func newOutline(table string, usual map[string]byteRange) outline {
	o := outline{byNumber: make(map[string][]int)}
	for line := range strings.Lines(strings.TrimSpace(table)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		e := outlineEntry{item: market.FilingItem{Part: cells[0], Item: cells[1], Title: cells[2]}}
		e.titles = append([]string{normalizeWords(cells[2])}, cells[3:]...)
		e.usualLength = usual[e.item.Part+"-"+e.item.Item]
		o.byNumber[e.item.Item] = append(o.byNumber[e.item.Item], len(o.entries))
		o.entries = append(o.entries, e)
	}
	return o
}

// find returns the entry with a number. If several parts have the number, the title decides, then
// the part, then the order: the first match after the previous entry.
func (o outline) find(number, title, part string, before int) (int, bool) {
	candidates := o.byNumber[number]
	if len(candidates) == 0 {
		return 0, false
	}
	if len(candidates) > 1 {
		normalized := normalizeWords(title)
		for _, i := range candidates {
			if o.entries[i].hasTitle(normalized) {
				return i, true
			}
		}
		for _, i := range candidates {
			if o.entries[i].item.Part == part {
				return i, true
			}
		}
		for _, i := range candidates {
			if i > before {
				return i, true
			}
		}
	}
	return candidates[0], true
}

// entryByTitle returns the entry with the title. Only a long title may be a mere prefix of the text, because
// many lines start with "Business".
func (o outline) entryByTitle(text, part string) (int, bool) {
	normalized := normalizeWords(text)
	if normalized == "" {
		return 0, false
	}
	found := -1
	for i, e := range o.entries {
		for _, title := range e.titles {
			whole := normalized == title
			start := strings.Count(title, " ") >= 1 && startsWith(normalized, title) && len(normalized) <= len(e.titles[0])+40
			if (whole || start) && (found < 0 || e.item.Part == part && o.entries[found].item.Part != part) {
				found = i
			}
		}
	}
	return found, found >= 0
}

// hasTitle reports whether a normalized text starts with a title of the item.
func (e outlineEntry) hasTitle(normalized string) bool {
	for _, title := range e.titles {
		if startsWith(normalized, title) {
			return true
		}
	}
	return false
}

// title returns the title to show: the official one, unless the document uses another.
func (e outlineEntry) title(found string) string {
	normalized := normalizeWords(found)
	if normalized == "" || len(found) > maxFurnitureSize || startsWith(normalized, e.titles[0]) {
		return e.item.Title
	}
	for _, candidate := range e.titles[1:] {
		if startsWith(normalized, candidate) && startsWith(e.titles[0], candidate) {
			return e.item.Title
		}
	}
	return strings.TrimRight(found, " .:")
}

func startsWith(text, beginning string) bool {
	return strings.HasPrefix(text, beginning) && (len(text) == len(beginning) || text[len(beginning)] == ' ')
}

// normalizeWords returns a text in lower case, with single spaces and no punctuation, so that
// titles can be compared. Long text is cut.
func normalizeWords(text string) string {
	var out strings.Builder
	blank := false
	for _, r := range text[:min(len(text), maxHeadingTitle)] {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if blank && out.Len() > 0 {
				out.WriteByte(' ')
			}
			blank = false
			out.WriteRune(unicode.ToLower(r))
		case r == '\'' || r == '’' || r == '‘':
		default:
			blank = true
		}
	}
	return out.String()
}
