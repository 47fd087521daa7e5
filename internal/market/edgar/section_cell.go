package edgar

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// maxFigureCell is longer than any figure with its signs.
const maxFigureCell = 64

// joined puts together what filers spread over cells to align it: "$", "(1,234"
// and ")" are one figure, and so are "12" and "%". A bullet or the label of an
// item belongs to the text beside it.
func (t *htmlTable) joined(cells []tableCell) []tableCell {
	out := cells[:0]
	for _, c := range cells {
		if len(out) == 0 {
			out = append(out, c)
			continue
		}
		last := &out[len(out)-1]
		before, text := t.at(*last), t.at(c)
		switch {
		case opensFigure(before) || closesFigure(text) && len(before) <= maxFigureCell && endsFigure(before):
			last.text = t.join(*last, c, "")
			last.columns.to = c.columns.to
		case isLabelCell(before):
			last.text = t.join(*last, c, " ")
			last.columns.to = c.columns.to
		default:
			out = append(out, c)
		}
	}
	return out
}

// join adds one text to another. The texts of a row follow each other, so the
// joined one is written anew at the end only where something is between.
func (t *htmlTable) join(a, b tableCell, between string) byteRange {
	if between == "" && a.text.to == b.text.from {
		return byteRange{a.text.from, b.text.to}
	}
	from := len(t.text)
	t.text = append(t.text, t.at(a)...)
	t.text = append(t.text, between...)
	t.text = append(t.text, t.at(b)...)
	return byteRange{from, len(t.text)}
}

// opensFigure reports whether a cell is only what stands before a figure.
func opensFigure(text []byte) bool {
	text = bytes.TrimSuffix(text, []byte("("))
	if len(text) == 0 {
		return true
	}
	return slices.Contains(currencySigns(), string(text))
}

func currencySigns() []string {
	return []string{"$", "€", "£", "¥", "US$", "R$", "C$", "A$", "NT$", "HK$", "RMB", "₩", "₹", "-$", "$-"}
}

// closesFigure reports whether a cell is only what stands after a figure.
func closesFigure(text []byte) bool {
	return len(text) <= 3 && len(bytes.Trim(text, ")% ")) == 0
}

func endsFigure(text []byte) bool {
	r, _ := utf8.DecodeLastRune(text)
	return r >= '0' && r <= '9' || r == ')' || r == '—' || r == '–' || r == '-'
}

// isLabelCell reports whether a cell is a bullet, or the label that a heading begins
// with in its own cell.
func isLabelCell(text []byte) bool {
	switch string(text) {
	case "•", "●", "○", "◦", "▪", "■", "·", "*", "-", "–", "o":
		return true
	}
	if len(text) > 12 || len(text) < 5 || !bytes.EqualFold(text[:4], []byte("item")) {
		return false
	}
	h, ok := headingOf(string(text))
	return ok && len(h.numbers) == 1 && h.title == ""
}

// isFigure reports whether a cell is a number, or the dash that stands for none.
func isFigure(text []byte) bool {
	text = bytes.TrimLeft(text, "$€£¥(-+ ")
	if len(text) == 0 {
		return false
	}
	if r, _ := utf8.DecodeRune(text); r == '—' || r == '–' || r == '−' {
		return len(text) <= 6
	}
	return text[0] >= '0' && text[0] <= '9' || text[0] == '.' && len(text) > 1
}
