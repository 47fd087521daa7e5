package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/nfa-cli/nfa/internal/trace"
)

// CheckResult is what came of reading a report against its record.
type CheckResult struct {
	Unchanged bool // byte for byte, since it was written
	SHA256    string
	Total     int // figures of the report as it is now
	Traced    int
	Numbers   []CheckedNumber // in the report now
	Missing   []CheckedNumber // recorded, and not in the report any more
}

// CheckedNumber is a number of a report with what the record says of it.
type CheckedNumber struct {
	Line     int          `json:"line"`
	Text     string       `json:"text"`
	Status   trace.Status `json:"status"`
	Recorded trace.Status `json:"recorded,omitempty"` // empty for a number that is not on record
	Note     int          `json:"note,omitempty"`
	// Sound is set for a number that is as it was recorded, and is traced to its figure or needs none.
	Sound bool `json:"sound"`
}

// Check reads a report against its record: whether it is the same file, which
// numbers it states, and whether each one still is what the recorded figure says,
// in the rounding shown.
func (p *Provenance) Check(data []byte) (CheckResult, error) {
	sum := sha256.Sum256(data)
	f := CheckResult{SHA256: hex.EncodeToString(sum[:]), Numbers: []CheckedNumber{}, Missing: []CheckedNumber{}}
	f.Unchanged = f.SHA256 == p.SHA256
	body, err := p.textOf(data)
	if err != nil {
		return f, err
	}
	if countDigitRuns(body) > maxDigitRuns {
		return f, fmt.Errorf("it has more than %d runs of digits: %w", maxDigitRuns, ErrTooLarge)
	}
	sources, err := p.sources()
	if err != nil {
		return f, err
	}
	matched := sources.Match(body).Numbers
	for i, m := range matched {
		if m.Note > 0 {
			matched[i].Note = p.Figures[m.Index].Note
		}
	}
	numbers := p.numbersIn(body, matched)
	if len(numbers) > maxNumbers {
		return f, fmt.Errorf("it states %d numbers, the limit is %d: %w", len(numbers), maxNumbers, ErrTooLarge)
	}
	recorded := map[string][]Number{}
	for _, n := range p.Numbers {
		recorded[n.Text] = append(recorded[n.Text], n)
	}
	for _, n := range numbers {
		c := p.compare(n, recorded)
		if c.Status != StatusStated {
			f.Total++
		}
		if c.Status == trace.Traced {
			f.Traced++
		}
		f.Numbers = append(f.Numbers, c)
	}
	// In the order of the record.
	for _, n := range p.Numbers {
		if remaining := recorded[n.Text]; len(remaining) > 0 {
			gone := remaining[0]
			recorded[n.Text] = remaining[1:]
			f.Missing = append(f.Missing, CheckedNumber{Line: gone.Line, Text: gone.Text, Status: gone.Status, Recorded: gone.Status, Note: gone.Note})
		}
	}
	return f, nil
}

// maxDigitRuns bounds the work on a file that is all digits.
const maxDigitRuns = 10 * maxNumbers

// countDigitRuns counts the runs of digits of a text, without reading them.
func countDigitRuns(text string) int {
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
func (p *Provenance) compare(n Number, recorded map[string][]Number) CheckedNumber {
	c := CheckedNumber{Line: n.Line, Text: n.Text, Status: n.Status, Note: n.Note}
	remaining := recorded[n.Text]
	if len(remaining) == 0 {
		if c.Status == StatusStated {
			c.Status = trace.Untraced // nobody knows any more who said it
		}
		return c
	}
	previous := remaining[0]
	recorded[n.Text] = remaining[1:]
	c.Recorded = previous.Status
	switch previous.Status {
	case trace.Traced:
		if n.Status == trace.Traced {
			c.Note = previous.Note
		}
	case trace.Untraced, trace.Contradicted:
		c.Status, c.Note = previous.Status, previous.Note
	case StatusStated:
		c.Status, c.Note = StatusStated, 0
	}
	c.Sound = c.Recorded == c.Status && (c.Status == trace.Traced || c.Status == StatusStated)
	return c
}

// sources is what the record knows: the figures with what they were computed
// from, and the numbers that need no source.
func (p *Provenance) sources() (*trace.Sources, error) {
	var e trace.Sources
	for i, f := range p.Figures {
		value, err := f.decimal()
		if err != nil {
			return nil, fmt.Errorf("note %d: %w", f.Note, err)
		}
		e.Add(trace.KnownFigure{ID: f.ID, Label: f.Label, Value: value, Unit: f.Unit, Index: i})
		e.AddInputs(i, f.Inputs...)
	}
	return &e, nil
}
