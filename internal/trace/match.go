package trace

import (
	"iter"
	"math"
	"sort"

	"github.com/shopspring/decimal"
)

// Status is what came of looking for a number's source.
type Status string

// The statuses.
const (
	Traced       Status = "traced"
	Untraced     Status = "untraced"     // from no tool
	Contradicted Status = "contradicted" // the tool's figure of that name says otherwise
)

// MatchedNumber is a figure of a text with what came of it.
type MatchedNumber struct {
	Start  int    `json:"start"` // in bytes of the text
	End    int    `json:"end"`
	Text   string `json:"text"`
	Status Status `json:"status"`
	// Note is the number of the figure's footnote, from 1 in the order of the
	// text; 0 for an untraced one.
	Note int `json:"note,omitempty"`
	// Index is that of the KnownFigure that the number is traced to, or that contradicts it. It
	// means nothing for an untraced number.
	Index int `json:"-"`
}

// Report counts the figures of a text and lists them in its order.
type Report struct {
	Total, Traced, Contradicted int
	Numbers                     []MatchedNumber
}

// Match compares the figures of a text to what tools gave and to the question it
// answers.
func Match(text string, known []KnownFigure, question string) Report {
	var e Sources
	e.Add(known...)
	e.AddText(question)
	return e.Match(text)
}

// Match compares the figures of a text to the evidence. Numbers that are no
// figures, and those that were said before it, are not in the report.
func (e *Sources) Match(text string) Report {
	e.sortNew()
	p := &textContext{Document: ParseDocument(text)}
	r := Report{Numbers: []MatchedNumber{}}
	notes := map[int]int{}
	for _, n := range ScanDocument(p.Document) {
		if n.Class != ClassFigure {
			continue
		}
		status, found := e.classify(p, &n)
		if status == "" {
			continue
		}
		m := MatchedNumber{Start: n.Start, End: n.End, Text: n.Text, Status: status}
		if found != nil {
			m.Index = found.Index
			if notes[m.Index] == 0 {
				notes[m.Index] = len(notes) + 1
			}
			m.Note = notes[m.Index]
		}
		r.count(m)
	}
	return r
}

func (r *Report) count(m MatchedNumber) {
	r.Total++
	switch m.Status {
	case Traced:
		r.Traced++
	case Contradicted:
		r.Contradicted++
	}
	r.Numbers = append(r.Numbers, m)
}

// classify looks for the source of a number. The status is empty for one that needs
// none.
func (e *Sources) classify(p *textContext, n *Number) (Status, *fact) {
	found, reversed := e.find(p, n)
	if found != nil && !reversed {
		return Traced, found
	}
	if named := e.contradictedFact(p, n); named != nil {
		return Contradicted, named
	}
	switch {
	case e.isStated(n):
		return "", nil
	case reversed && (n.Significant() >= 3 || p.overlap(n, found) > 0):
		return Contradicted, found
	}
	return Untraced, nil
}

// How much is done for a number that very many figures are near to: so many of the
// nearest are looked at, and of these so many compared whose unit can be its own.
const (
	maxLookups  = 4096
	maxCompared = 256
)

// find is the fact that a number states, where several fit the best named one and
// the newest;
// reversed, where its sign says the opposite of all that do.
func (e *Sources) find(p *textContext, n *Number) (found *fact, reversed bool) {
	best, newest := -1, -1
	low, high := n.Bounds()
	for _, shift := range shifts(n) {
		from, to := low.Shift(shift), high.Shift(shift)
		looked, compared := 0, 0
		for i := range e.factsNear(n.Value.Abs().Shift(shift), from, to) {
			f := &e.facts[i]
			if looked++; looked > maxLookups || compared == maxCompared {
				break
			}
			if !fits(n, f, shift) {
				continue
			}
			compared++
			if size := f.value.Abs(); size.LessThan(from) || size.GreaterThan(to) || p.isCoincidence(n, f, shift) {
				continue
			}
			if grade := p.grade(n, f, shift); grade > best || grade == best && i > newest {
				best, newest, found = grade, i, f
			}
		}
	}
	return found, found != nil && best < gradeSign
}

// factsNear yields the facts whose size is about between two bounds, those nearest to size first
// and of one size the newest first. Sizes are compared as floats, with a tolerance for their
// rounding.
func (e *Sources) factsNear(size, from, to decimal.Decimal) iter.Seq[int] {
	middle, low, high := size.InexactFloat64(), from.InexactFloat64(), to.InexactFloat64()
	slack := 1e-9 * math.Abs(high)
	above := sort.Search(len(e.bySize), func(i int) bool { return e.bySize[i].size >= middle })
	below := above - 1
	return func(yield func(int) bool) {
		for {
			up := above < len(e.bySize) && e.bySize[above].size <= high+slack
			down := below >= 0 && e.bySize[below].size >= low-slack
			from, to := above, above+1
			switch {
			case up && (!down || e.bySize[above].size-middle <= middle-e.bySize[below].size):
				above++
			case down: // all of one size, from the first of them, which is the newest
				size := e.bySize[below].size
				from, to = sort.Search(below, func(i int) bool { return e.bySize[i].size >= size }), below+1
				below = from - 1
			default:
				return
			}
			for _, s := range e.bySize[from:to] {
				if !yield(s.fact) {
					return
				}
			}
		}
	}
}

// The grades of a fact that fits a number: its sign counts for more than its
// name, and a figure for more than what it was computed from.
const (
	gradeSign   = 1000
	gradeName   = 10
	gradeItself = 5
	gradeUnit   = 1
)

func (p *textContext) grade(n *Number, f *fact, shift int32) int {
	grade := gradeName * p.overlap(n, f)
	if !hasOppositeSign(n, f) {
		grade += gradeSign
	}
	if !f.Input {
		grade += gradeItself
	}
	if shift == 0 && (n.Kind == f.kind || n.Currency != "" && n.Currency == f.currency) {
		grade += gradeUnit
	}
	return grade
}
