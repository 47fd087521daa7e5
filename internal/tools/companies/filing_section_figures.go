package companies

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/tool"
)

var (
	// printedPattern is a number as a filing prints it: digits with separators, decimals.
	printedPattern = lazyregexp.New(`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`)
	// scalePattern is what a filing writes above a table.
	scalePattern = lazyregexp.New(`(?i)\bin (thousands|millions|billions)\b`)
)

// maxLabelChars is how much of its line a figure carries, to tell what it counts.
const maxLabelChars = 60

// maxPrintedDigits is more digits than any figure of a filing has.
const maxPrintedDigits = 40

// figures are the numbers printed in the piece, once each, so that an answer's
// figures can be traced to it. A cell of a table comes as printed and in the
// scale that was last named above it: an answer may write either.
func (c filingSection) figures() []tool.Figure {
	var out []tool.Figure
	seen := map[string]bool{}
	add := func(text, line, unit string, value decimal.Decimal) {
		id := fmt.Sprintf("%s.%s.%s", c.Accession, strings.ReplaceAll(c.Item, " ", "_"), text)
		if seen[id] {
			return
		}
		seen[id] = true
		out = append(out, tool.Figure{
			ID: id, Label: labelOf(line), Value: value, Unit: unit, AsOf: c.section.Filing.Filed, Source: c.citation() + ", " + c.Source,
		})
	}
	scale := lastScale(c.section.Text[:c.Offset], "")
	for line := range strings.Lines(c.Text) {
		scale = lastScale(line, scale)
		for _, at := range printedPattern().FindAllStringIndex(line, -1) {
			text := strings.ReplaceAll(line[at[0]:at[1]], ",", "")
			if len(text) > maxPrintedDigits {
				continue
			}
			value, err := decimal.NewFromString(text)
			if err != nil || partOfWord(line, at[0]) {
				continue
			}
			add(text, line, "as printed", value)
			if zeros := zerosOf(scale); zeros > 0 && strings.Contains(line, " | ") {
				add(text+"_"+scale, line, "as printed, in "+scale, value.Shift(zeros))
			}
		}
	}
	return out
}

// lastScale is the scale that a text names last, or the one before it. The first
// of a line holds: "in millions, except shares, which are in thousands".
func lastScale(text, before string) string {
	for line := range strings.Lines(text) {
		if m := scalePattern().FindStringSubmatch(line); m != nil {
			before = strings.ToLower(m[1])
		}
	}
	return before
}

func zerosOf(scale string) int32 {
	switch scale {
	case "thousands":
		return 3
	case "millions":
		return 6
	case "billions":
		return 9
	}
	return 0
}

// partOfWord reports whether the digits at i end a word, as in M4.
func partOfWord(line string, i int) bool {
	return i > 0 && (line[i-1] >= 'a' && line[i-1] <= 'z' || line[i-1] >= 'A' && line[i-1] <= 'Z')
}

func labelOf(line string) string {
	line = strings.Join(strings.Fields(line), " ")
	if runes := []rune(line); len(runes) > maxLabelChars {
		return string(runes[:maxLabelChars]) + "…"
	}
	return line
}
