package tui

import (
	"fmt"
	"strings"
)

// foldedLines is from how many lines on a text stands in the composer as a
// label: longer ones would push everything else away, and cost at every key.
const foldedLines = composerRows + 1

// pastes are the long texts that stand in the composer as labels.
type pastes struct {
	texts []string // in the order of their labels' numbers
}

func (p *pastes) label(i int) string {
	return fmt.Sprintf("[paste %d: %d lines]", i+1, strings.Count(p.texts[i], "\n")+1)
}

// fold gives what stands for text in the composer: a label, or a short text
// itself.
func (p *pastes) fold(text string) string {
	if strings.Count(text, "\n")+1 < foldedLines {
		return text
	}
	p.texts = append(p.texts, text)
	return p.label(len(p.texts) - 1)
}

// unfold puts the texts back in the place of their labels, once each: a pasted
// text that holds a label's words stays as it is.
func (p *pastes) unfold(text string) string {
	if len(p.texts) == 0 {
		return text
	}
	pairs := make([]string, 0, 2*len(p.texts))
	for i, t := range p.texts {
		pairs = append(pairs, p.label(i), t)
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// labelBefore is the length in characters of the label that text ends with, or
// zero.
func (p *pastes) labelBefore(text string) int {
	for i := range p.texts {
		if label := p.label(i); strings.HasSuffix(text, label) {
			return len(label)
		}
	}
	return 0
}
