package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/nfa-cli/nfa/internal/trace"
)

// CheckResult compares a report with its record.
type CheckResult struct {
	Unchanged bool // byte for byte, since it was written
	SHA256    string
	Total     int // figures of the current report
	Traced    int
	Numbers   []CheckedNumber // of the current report
	Missing   []CheckedNumber // recorded, but no longer in the report
}

// CheckedNumber is a number of a report with its recorded status.
type CheckedNumber struct {
	Line     int          `json:"line"`
	Text     string       `json:"text"`
	Status   trace.Status `json:"status"`
	Recorded trace.Status `json:"recorded,omitempty"` // empty for an unrecorded number
	Note     int          `json:"note,omitempty"`
	// Sound is true if the number is as recorded, and is traced to its figure or needs no source.
	Sound bool `json:"sound"`
}

// Check compares a report with its record: whether the file is unchanged, which numbers it has, and
// whether each still matches its recorded figure in the rounding shown.
func (p *Provenance) Check(data []byte) (CheckResult, error) {
	sum := sha256.Sum256(data)
	f := CheckResult{SHA256: hex.EncodeToString(sum[:]), Numbers: []CheckedNumber{}, Missing: []CheckedNumber{}}
	f.Unchanged = f.SHA256 == p.SHA256
	body, err := p.textOf(data)
	if err != nil {
		return f, err
	}
	if countDigitRuns(body) > maxDigitRuns {
		return f, fmt.Errorf("more than %d runs of digits: %w", maxDigitRuns, ErrTooLarge)
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
		return f, fmt.Errorf("%d numbers, the limit is %d: %w", len(numbers), maxNumbers, ErrTooLarge)
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
	// Keep the order of the record.
	for _, n := range p.Numbers {
		if remaining := recorded[n.Text]; len(remaining) > 0 {
			gone := remaining[0]
			recorded[n.Text] = remaining[1:]
			f.Missing = append(f.Missing, CheckedNumber{Line: gone.Line, Text: gone.Text, Status: gone.Status, Recorded: gone.Status, Note: gone.Note})
		}
	}
	return f, nil
}

// maxDigitRuns limits the work on a file full of digits.
const maxDigitRuns = 10 * maxNumbers

// countDigitRuns counts the runs of digits in a text, without parsing them.
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

// compare removes the recorded number and returns its current status. If fewer figures are known
// than when the report was written, an untraced number may seem to contradict one; the recorded
// status then applies.
func (p *Provenance) compare(n Number, recorded map[string][]Number) CheckedNumber {
	c := CheckedNumber{Line: n.Line, Text: n.Text, Status: n.Status, Note: n.Note}
	remaining := recorded[n.Text]
	if len(remaining) == 0 {
		if c.Status == StatusStated {
			c.Status = trace.Untraced // its source is no longer known
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

// sources returns the recorded figures with their inputs, and the numbers that need no source.
func (p *Provenance) sources() (*trace.Sources, error) {
	var e trace.Sources
	for i, f := range p.Figures {
		value, err := f.decimal()
		if err != nil {
			return nil, fmt.Errorf("note %d: %w", f.Note, err)
		}
		e.Add(trace.KnownFigure{ID: f.ID, Label: f.Label, Value: value, Unit: f.Unit, Symbols: trace.SymbolsOf(f.Call.Arguments), AsOf: f.AsOf, Inputs: f.Inputs, Index: i})
	}
	return &e, nil
}
