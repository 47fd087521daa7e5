package figures

import (
	"iter"
	"math"
	"sort"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/figures/numeral"
	"github.com/nfa-cli/nfa/internal/figures/page"
)

// Status is what came of looking for a number's source.
type Status string

// The statuses.
const (
	Traced       Status = "traced"
	Untraced     Status = "untraced"     // from no tool
	Contradicted Status = "contradicted" // the tool's figure of that name says otherwise
)

// Matched is a figure of a text with what came of it.
type Matched struct {
	Start  int    `json:"start"` // in bytes of the text
	End    int    `json:"end"`
	Text   string `json:"text"`
	Status Status `json:"status"`
	// Note is the number of the figure's footnote, from 1 in the order of the
	// text; 0 for an untraced one.
	Note int `json:"note,omitempty"`
	// Index is that of the Known it goes back to, or that contradicts it. It means
	// nothing for an untraced one.
	Index int `json:"-"`
}

// Report counts the figures of a text and lists them in its order.
type Report struct {
	Total, Traced, Contradicted int
	Numbers                     []Matched
}

// Match compares the figures of a text to what tools gave and to the question it
// answers.
func Match(text string, known []Known, question string) Report {
	var e Evidence
	e.Add(known...)
	e.Said(question)
	return e.Match(text)
}

// Match compares the figures of a text to the evidence. Numbers that are no
// figures, and those that were said before it, are not in the report.
func (e *Evidence) Match(text string) Report {
	e.order()
	p := &surroundings{Page: page.Read(text)}
	r := Report{Numbers: []Matched{}}
	notes := map[int]int{}
	for _, n := range numeral.Read(p.Page) {
		if n.Class != numeral.Figure {
			continue
		}
		status, found := e.judge(p, &n)
		if status == "" {
			continue
		}
		m := Matched{Start: n.Start, End: n.End, Text: n.Text, Status: status}
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

func (r *Report) count(m Matched) {
	r.Total++
	switch m.Status {
	case Traced:
		r.Traced++
	case Contradicted:
		r.Contradicted++
	}
	r.Numbers = append(r.Numbers, m)
}

// judge looks for the source of a number. The status is empty for one that needs
// none.
func (e *Evidence) judge(p *surroundings, n *numeral.Number) (Status, *fact) {
	found, reversed := e.find(p, n)
	if found != nil && !reversed {
		return Traced, found
	}
	if named := e.contradicting(p, n); named != nil {
		return Contradicted, named
	}
	switch {
	case e.wasSaid(n):
		return "", nil
	case reversed && (n.Significant() >= 3 || p.overlap(n, found) > 0):
		return Contradicted, found
	}
	return Untraced, nil
}

// How much is done for a number that very many figures are near to: so many of the
// nearest are looked at, and of these so many compared whose unit can be its own.
const (
	mostLooked   = 4096
	mostCompared = 256
)

// find is the fact that a number states, where several fit the best named one and
// the newest;
// reversed, where its sign says the opposite of all that do.
func (e *Evidence) find(p *surroundings, n *numeral.Number) (found *fact, reversed bool) {
	best, newest := -1, -1
	low, high := n.Bounds()
	for _, shift := range shifts(n) {
		from, to := low.Shift(shift), high.Shift(shift)
		looked, compared := 0, 0
		for i := range e.near(n.Value.Abs().Shift(shift), from, to) {
			f := &e.facts[i]
			if looked++; looked > mostLooked || compared == mostCompared {
				break
			}
			if !fits(n, f, shift) {
				continue
			}
			compared++
			if size := f.value.Abs(); size.LessThan(from) || size.GreaterThan(to) || p.byChance(n, f, shift) {
				continue
			}
			if grade := p.grade(n, f, shift); grade > best || grade == best && i > newest {
				best, newest, found = grade, i, f
			}
		}
	}
	return found, found != nil && best < ofRightSign
}

// near gives the facts whose size is about between two bounds, those nearest to size
// first and of one size the newest first. Sizes are compared as floats, with room for
// what these lose.
func (e *Evidence) near(size, from, to decimal.Decimal) iter.Seq[int] {
	middle, low, high := size.InexactFloat64(), from.InexactFloat64(), to.InexactFloat64()
	slack := 1e-9 * math.Abs(high)
	above := sort.Search(len(e.sizes), func(i int) bool { return e.sizes[i].size >= middle })
	below := above - 1
	return func(yield func(int) bool) {
		for {
			up := above < len(e.sizes) && e.sizes[above].size <= high+slack
			down := below >= 0 && e.sizes[below].size >= low-slack
			from, to := above, above+1
			switch {
			case up && (!down || e.sizes[above].size-middle <= middle-e.sizes[below].size):
				above++
			case down: // all of one size, from the first of them, which is the newest
				size := e.sizes[below].size
				from, to = sort.Search(below, func(i int) bool { return e.sizes[i].size >= size }), below+1
				below = from - 1
			default:
				return
			}
			for _, s := range e.sizes[from:to] {
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
	ofRightSign = 1000
	ofItsName   = 10
	ofItself    = 5
	inItsUnit   = 1
)

func (p *surroundings) grade(n *numeral.Number, f *fact, shift int32) int {
	grade := ofItsName * p.overlap(n, f)
	if !opposite(n, f) {
		grade += ofRightSign
	}
	if !f.Input {
		grade += ofItself
	}
	if shift == 0 && (n.Kind == f.kind || n.Currency != "" && n.Currency == f.currency) {
		grade += inItsUnit
	}
	return grade
}
