package widget

import (
	"fmt"
	"slices"
	"strings"
)

// Bounds of the texts behind labels.
const (
	// MaxExpandedLines is the most lines of a text that can be put in the place of its
	// label: every key costs its part of what is written.
	MaxExpandedLines = 250
	// maxKeptBytes is the most bytes of a pasted text that are kept with the message.
	maxKeptBytes = 4 << 10
)

// MaxUnfoldedLines is the most lines of a text that stand in a draft as they are. A longer
// one is folded into a label: it would push everything else away, and cost at
// every key.
const MaxUnfoldedLines = 8

// Pastes are the long texts that stand in a draft as labels. The zero value
// holds none.
type Pastes struct {
	texts []string // in the order of their labels' numbers
}

func (p *Pastes) label(i int) string {
	return fmt.Sprintf("[paste %d: %d lines]", i+1, countLines(p.texts[i]))
}

// countLines counts the lines of a text as people do: what ends in a line break has no
// empty line behind it.
func countLines(text string) int { return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1 }

// Fold gives what stands for text in the draft: a label, or a short text
// itself.
func (p *Pastes) Fold(text string) string {
	if strings.Count(text, "\n")+1 <= MaxUnfoldedLines {
		return text
	}
	// States that can be gone back to share what was there before.
	p.texts = append(slices.Clip(p.texts), text)
	return p.label(len(p.texts) - 1)
}

// ExpandAll puts the texts back in the place of their labels, once each: a pasted
// text that holds a label's words stays as it is.
func (p *Pastes) ExpandAll(text string) string {
	if len(p.texts) == 0 {
		return text
	}
	pairs := make([]string, 0, 2*len(p.texts))
	for i, t := range p.texts {
		pairs = append(pairs, p.label(i), t)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// LabelBefore is the length in characters of the label that text ends with, or
// zero.
func (p *Pastes) LabelBefore(text string) int {
	for i := range p.texts {
		if label := p.label(i); strings.HasSuffix(text, label) {
			return len(label)
		}
	}
	return 0
}

// PasteBefore is the text that the label at the end of before stands for.
func (p *Pastes) PasteBefore(before string) (text string, ok bool) {
	for i, t := range p.texts {
		if strings.HasSuffix(before, p.label(i)) {
			return t, true
		}
	}
	return "", false
}

// LabelAfter is the length in characters of the label that text begins with, or
// zero.
func (p *Pastes) LabelAfter(text string) int {
	for i := range p.texts {
		if label := p.label(i); strings.HasPrefix(text, label) {
			return len(label)
		}
	}
	return 0
}

// Abridge is a message as it is worth keeping: with the pasted texts in the place
// of their labels, but for long ones, of which it says how long they were.
func (p *Pastes) Abridge(text string) string {
	pairs := make([]string, 0, 2*len(p.texts))
	for i, t := range p.texts {
		if len(t) > maxKeptBytes {
			t = fmt.Sprintf("[%d pasted lines]", countLines(t))
		}
		pairs = append(pairs, p.label(i), t)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
