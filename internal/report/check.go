package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/nfa-cli/nfa/internal/figures"
)

// Finding is what came of reading a report against its record.
type Finding struct {
	Unchanged bool // byte for byte, since it was written
	SHA256    string
	Total     int // figures of the report as it is now
	Traced    int
	// Numbers are those that stand in the report now.
	Numbers []Checked
	Gone    []Number // were recorded, and are not in the report any more
}

// Checked is a number of a report with what the record says of it.
type Checked struct {
	Number
	// Recorded is the status on record, "" for a number that is not on record.
	Recorded figures.Status
}

// Sound reports whether a number is as it was recorded, and goes back to its
// figure or needs none.
func (c Checked) Sound() bool {
	return c.Recorded == c.Status && (c.Status == figures.Traced || c.Status == Stated)
}

// Check reads a report against its record: whether it is the same file, which
// numbers it states, and whether each one still is what the recorded figure says,
// in the rounding shown.
func (p *Provenance) Check(data []byte) (Finding, error) {
	sum := sha256.Sum256(data)
	f := Finding{SHA256: hex.EncodeToString(sum[:])}
	f.Unchanged = f.SHA256 == p.SHA256
	body, err := p.body(data)
	if err != nil {
		return f, err
	}
	if digits(body) > mostDigits {
		return f, fmt.Errorf("it has more than %d runs of digits: %w", mostDigits, ErrTooLarge)
	}
	evidence, err := p.evidence()
	if err != nil {
		return f, err
	}
	matched := evidence.Match(body).Numbers
	for i, m := range matched {
		if m.Note > 0 {
			matched[i].Note = p.Figures[m.Index].Note
		}
	}
	now := p.listed(body, matched)
	if len(now) > mostNumbers {
		return f, fmt.Errorf("it states %d numbers, the limit is %d: %w", len(now), mostNumbers, ErrTooLarge)
	}
	recorded := map[string][]Number{}
	for _, n := range p.Numbers {
		recorded[n.Text] = append(recorded[n.Text], n)
	}
	for _, n := range now {
		c := p.compare(n, recorded)
		if c.Status != Stated {
			f.Total++
		}
		if c.Status == figures.Traced {
			f.Traced++
		}
		f.Numbers = append(f.Numbers, c)
	}
	// In the order of the record.
	for _, n := range p.Numbers {
		if left := recorded[n.Text]; len(left) > 0 {
			f.Gone, recorded[n.Text] = append(f.Gone, left[0]), left[1:]
		}
	}
	return f, nil
}

// mostDigits bounds the work on a file that is all digits.
const mostDigits = 10 * mostNumbers

// digits counts the runs of digits of a text, without reading them.
func digits(text string) int {
	count, within := 0, false
	for i := range len(text) {
		digit := text[i] >= '0' && text[i] <= '9'
		if digit && !within {
			count++
		}
		within = digit
	}
	return count
}

// compare takes the record of a number away and gives what it is now. Where fewer
// figures are known than when it was written, a number that goes back to none may
// seem to contradict one: what was recorded stands.
func (p *Provenance) compare(n Number, recorded map[string][]Number) Checked {
	c := Checked{Number: n}
	left := recorded[n.Text]
	if len(left) == 0 {
		if c.Status == Stated {
			c.Status = figures.Untraced // nobody knows any more who said it
		}
		return c
	}
	was := left[0]
	recorded[n.Text] = left[1:]
	c.Recorded = was.Status
	switch was.Status {
	case figures.Traced:
		if n.Status == figures.Traced {
			c.Note = was.Note
		}
	case figures.Untraced, figures.Contradicted:
		c.Status, c.Note = was.Status, was.Note
	case Stated:
		c.Status, c.Note = Stated, 0
	}
	return c
}

// evidence is what the record knows: the figures with what they were computed
// from, and the numbers that need no source.
func (p *Provenance) evidence() (*figures.Evidence, error) {
	var e figures.Evidence
	for i, f := range p.Figures {
		value, err := f.decimal()
		if err != nil {
			return nil, fmt.Errorf("note %d: %w", f.Note, err)
		}
		e.Add(figures.Known{ID: f.ID, Label: f.Label, Value: value, Unit: f.Unit, Index: i})
		e.AddInputs(i, f.Inputs...)
	}
	return &e, nil
}
