package widget

import (
	"fmt"
	"slices"
	"strings"
)

// Limits of pasted texts.
const (
	// MaxExpandedLines is the maximum number of lines of a paste that can replace its label, because
	// every key costs time for each line of the draft.
	MaxExpandedLines = 250
	// maxKeptBytes is the maximum size of a pasted text that is stored with the message.
	maxKeptBytes = 4 << 10
)

// MaxUnfoldedLines is the maximum number of lines of a paste that is inserted as text. A longer paste
// becomes a label, because it would fill the screen and slow down every key.
const MaxUnfoldedLines = 8

// Pastes are the long texts that a draft shows as labels. The zero value holds none.
type Pastes struct {
	texts []string // text i belongs to label i+1
	any   bool     // something was pasted, also a short text without a label
}

func (p *Pastes) label(i int) string {
	return fmt.Sprintf("[paste %d: %d lines]", i+1, countLines(p.texts[i]))
}

// countLines counts the lines of a text. A line break at the end adds none.
func countLines(text string) int { return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1 }

// Fold returns the text that the draft shows: a label, or text itself if it is short.
func (p *Pastes) Fold(text string) string {
	if strings.Count(text, "\n")+1 <= MaxUnfoldedLines {
		return text
	}
	// Undo states share the earlier texts.
	p.texts = append(slices.Clip(p.texts), text)
	return p.label(len(p.texts) - 1)
}

// ExpandAll replaces the labels by their texts. It does not replace labels in a pasted text.
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

// LabelBefore returns the length in characters of the label that text ends with, or zero.
func (p *Pastes) LabelBefore(text string) int {
	for i := range p.texts {
		if label := p.label(i); strings.HasSuffix(text, label) {
			return len(label)
		}
	}
	return 0
}

// PasteBefore returns the pasted text whose label is at the end of before.
func (p *Pastes) PasteBefore(before string) (text string, ok bool) {
	for i, t := range p.texts {
		if strings.HasSuffix(before, p.label(i)) {
			return t, true
		}
	}
	return "", false
}

// LabelAfter returns the length in characters of the label that text starts with, or zero.
func (p *Pastes) LabelAfter(text string) int {
	for i := range p.texts {
		if label := p.label(i); strings.HasPrefix(text, label) {
			return len(label)
		}
	}
	return 0
}

// Abridge returns a message as it is stored: with the pasted texts instead of their labels, but only
// the length of a long paste.
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
