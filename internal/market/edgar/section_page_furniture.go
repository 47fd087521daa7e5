package edgar

import (
	"strings"
	"unicode"
)

const (
	// pageEdge is the maximum number of lines in the header and footer of a page.
	pageEdge = 3
	// maxFurnitureSize is the maximum length of a header or footer line in bytes.
	maxFurnitureSize = 120
	// minFurnitureRepeats is the number of repetitions that identify a header or footer line.
	minFurnitureRepeats = 3
)

// dropFurniture removes page numbers, headers and footers.
func (w *textWriter) dropFurniture() documentText {
	drop := w.furniture()
	p := documentText{links: w.links, anchorLines: w.anchorLines, lines: make([]byteRange, 0, len(w.lines))}
	moved := make([]int, len(w.lines)+1)
	var text strings.Builder
	text.Grow(len(w.text))
	for i, line := range w.lines {
		moved[i] = len(p.lines)
		if drop[i] {
			continue
		}
		from := text.Len()
		text.Write(w.text[line.from:line.to])
		p.lines = append(p.lines, byteRange{from, text.Len()})
		text.WriteByte('\n')
	}
	moved[len(w.lines)] = len(p.lines)
	p.text = strings.TrimSuffix(text.String(), "\n")
	for id, at := range p.anchorLines {
		p.anchorLines[id] = moved[at]
	}
	for i := range p.links {
		p.links[i].line = moved[p.links[i].line]
	}
	return p
}

// furniture finds lines at page edges that are page numbers or are repeated on other pages.
func (w *textWriter) furniture() map[int]bool {
	seen := make(map[string]int)
	for n := range w.pages {
		w.edges(n, func(i int) bool {
			seen[w.furnitureKey(i)]++
			return true
		})
	}
	drop, kept := make(map[int]bool), make(map[string]bool)
	for n := range w.pages {
		w.edges(n, func(i int) bool {
			text, likeness := string(w.text[w.lines[i].from:w.lines[i].to]), w.furnitureKey(i)
			_, heading := headingOf(text)
			switch {
			case drop[i]:
			case isPageNumber(text):
				drop[i] = true
			case seen[likeness] < minFurnitureRepeats || !isRunningHead(text):
				return false
			case heading && !kept[likeness]:
				// The first "PART I" may be the heading itself.
				kept[likeness] = true
			default:
				drop[i] = true
			}
			return true
		})
	}
	return drop
}

// edges calls each with the lines next to page break n: upward from the bottom of the page before
// it, then downward from the top of the next page. Each direction stops when each returns false.
func (w *textWriter) edges(n int, each func(i int) bool) {
	at, above, below := w.pages[n], 0, len(w.lines)
	if n > 0 {
		above = w.pages[n-1]
	}
	if n+1 < len(w.pages) {
		below = w.pages[n+1]
	}
	for i := at - 1; i >= max(above, at-pageEdge) && each(i); i-- {
	}
	for i := at; i < min(below, at+pageEdge) && each(i); i++ {
	}
}

// furnitureKey returns what a line shares with the same header or footer on other pages. A heading matches
// only itself, because without numbers all items would match.
func (w *textWriter) furnitureKey(i int) string {
	text := string(w.text[w.lines[i].from:w.lines[i].to])
	if len(text) > maxFurnitureSize {
		return ""
	}
	if _, ok := headingOf(text); ok {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return '#'
		}
		return r
	}, text)
}

// isRunningHead reports whether a line may be a running header or footer. Sentences, figures and
// lines that state the unit of the figures below are not.
func isRunningHead(text string) bool {
	if len(text) > maxFurnitureSize || strings.HasSuffix(text, ".") || strings.HasSuffix(text, ":") || strings.IndexFunc(text, unicode.IsLetter) < 0 {
		return false
	}
	text = strings.ToLower(text)
	if strings.Contains(text, "form 10-") {
		return true
	}
	for _, word := range []string{"million", "thousand", "billion", "per share", "unaudited", " | "} {
		if strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// isPageNumber reports whether a line is a page number: "21", "- 21 -", "F-21", "Page 21", "iv".
// Four digits are a year.
func isPageNumber(text string) bool {
	text = strings.Trim(text, "-–— ")
	text = strings.TrimSpace(strings.TrimPrefix(strings.ToLower(text), "page"))
	text = strings.TrimPrefix(text, "f-")
	if len(text) == 0 || len(text) > 3 {
		return false
	}
	return strings.Trim(text, "0123456789") == "" || strings.Trim(text, "ivx") == ""
}
