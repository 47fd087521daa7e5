package skill

import (
	"errors"
	"fmt"
	"strings"
)

// MaxExcerpt is the longest text, in bytes, that is given whole; what is longer is given
// as an outline to choose from.
const MaxExcerpt = 16 << 10

// What may be wrong with a section asked for.
var (
	ErrNoSection        = errors.New("no such section")
	ErrAmbiguousSection = errors.New("more than one section is called that")
)

// SectionError reports a section that cannot be returned, with the sections that can be requested
// instead. It is ErrNoSection or ErrAmbiguousSection.
type SectionError struct {
	Requested string
	Choices   []OutlineItem
	err       error
}

func (e *SectionError) Error() string {
	rows := make([]string, min(len(e.Choices), 20))
	for i := range rows {
		rows[i] = strings.TrimSpace(e.Choices[i].Section + " " + e.Choices[i].Title)
	}
	if more := len(e.Choices) - len(rows); more > 0 {
		rows = append(rows, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("section %q: %v; there are: %s", clipTitle(e.Requested), e.err, strings.Join(rows, "; "))
}

func (e *SectionError) Unwrap() error { return e.err }

// OutlineItem is one line of an outline.
type OutlineItem struct {
	Section string `json:"section"` // by which it is asked for, unlike any other
	Title   string `json:"title"`
	Size    int    `json:"size"` // in bytes, with the sections below it
}

// Excerpt is what one tool result shows of a text, the body.
type Excerpt struct {
	Section string // by which it was found; empty for the whole body
	Text    string // all of it, unless there is an outline
	// Outline lists the parts of a text longer than MaxExcerpt. Together they are the whole; those
	// that are too long themselves have outlines in turn.
	Outline []OutlineItem
}

// NewExcerpt gives a body, or one section of it with those below, whole where it fits
// into one tool result and as an outline where it does not. Nothing is cut off.
//
// A section is asked for by its number in the outline, which goes first because
// it is the one name that is never given twice; by its title, exactly, or in any
// case and without its marks; and where the title begins with a number of its
// own, by the title without it or by that number. The error is a *SectionError.
func NewExcerpt(body, section string) (Excerpt, error) {
	root := sectionTree(body)
	found, err := root.find(section, body)
	if err != nil {
		return Excerpt{}, err
	}
	if found.size() <= MaxExcerpt {
		return Excerpt{Section: found.number, Text: body[found.start:found.end]}, nil
	}
	return Excerpt{Section: found.number, Outline: found.outline(body)}, nil
}
