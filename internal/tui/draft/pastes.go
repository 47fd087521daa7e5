// Package draft keeps what stands behind a text that is being written: long
// pasted texts in the place of their labels, and what was sent before.
package draft

import (
	"fmt"
	"strings"
)

// Rows is the most lines of a text that stand in a draft as they are. A longer
// one is folded into a label: it would push everything else away, and cost at
// every key.
const Rows = 8

// Pastes are the long texts that stand in a draft as labels. The zero value
// holds none.
type Pastes struct {
	texts []string // in the order of their labels' numbers
}

func (p *Pastes) label(i int) string {
	return fmt.Sprintf("[paste %d: %d lines]", i+1, strings.Count(p.texts[i], "\n")+1)
}

// Fold gives what stands for text in the draft: a label, or a short text
// itself.
func (p *Pastes) Fold(text string) string {
	if strings.Count(text, "\n")+1 <= Rows {
		return text
	}
	p.texts = append(p.texts, text)
	return p.label(len(p.texts) - 1)
}

// Unfold puts the texts back in the place of their labels, once each: a pasted
// text that holds a label's words stays as it is.
func (p *Pastes) Unfold(text string) string {
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
