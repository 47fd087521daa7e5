package report

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/trace"
)

// ErrNewer means that a record was written by a later version of the program.
var ErrNewer = errors.New("written by a newer version of nfa")

// Bounds of a record's values. Decimals of a few characters can stand for numbers
// of any length.
const (
	longestValue    = 100 // characters
	largestExponent = 60
	longestText     = 64 << 10 // of a name, a formula, a call's arguments
	maxInputs       = 1000
)

// Parse reads a record. One that cannot have been written by nfa is refused: what
// it says is then of no use, and may be meant to harm.
func Parse(data []byte) (Provenance, error) {
	var p Provenance
	if len(data) > MaxProvenance {
		return p, fmt.Errorf("%d bytes, the limit is %d: %w", len(data), MaxProvenance, ErrTooLarge)
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return Provenance{}, fmt.Errorf("not a record of provenance: %w", err)
	}
	if p.Version > recordVersion {
		return Provenance{}, fmt.Errorf("version %d: %w", p.Version, ErrNewer)
	}
	if err := p.check(); err != nil {
		return Provenance{}, fmt.Errorf("not a record of provenance: %w", err)
	}
	return p, nil
}

func (p *Provenance) check() error {
	if p.Version != recordVersion {
		return fmt.Errorf("it has version %d", p.Version)
	}
	if p.Format != Markdown && p.Format != HTML && p.Format != CSV {
		return errors.New("it names no format of reports")
	}
	if sum, err := hex.DecodeString(p.SHA256); err != nil || len(sum) != 32 {
		return errors.New("it has no SHA-256 of the report")
	}
	if len(p.Numbers) > maxNumbers || len(p.Figures) > maxNumbers {
		return fmt.Errorf("it lists more than %d numbers: %w", maxNumbers, ErrTooLarge)
	}
	for i, f := range p.Figures {
		if f.Note != p.Figures[0].Note+i || f.Note < 1 || f.Note > 2_000_000 {
			return fmt.Errorf("its notes are not in order at figure %d", i+1)
		}
		if err := f.check(); err != nil {
			return fmt.Errorf("note %d: %w", f.Note, err)
		}
	}
	for i, n := range p.Numbers {
		if err := p.checkNumber(n); err != nil {
			return fmt.Errorf("number %d: %w", i+1, err)
		}
	}
	return nil
}

func (p *Provenance) checkNumber(n Number) error {
	noted := n.Note >= p.lowestNote() && n.Note <= p.highestNote()
	switch {
	case len(n.Text) > longestValue || !utf8.ValidString(n.Text):
		return errors.New("its text is none of a number")
	case n.Status == trace.Traced || n.Status == trace.Contradicted:
		if !noted {
			return fmt.Errorf("there is no note %d", n.Note)
		}
		return nil
	case n.Status == trace.Untraced || n.Status == StatusStated:
		return nil
	}
	return errors.New("it has no status")
}

func (f Figure) check() error {
	if _, err := f.decimal(); err != nil {
		return err
	}
	for _, text := range []string{f.ID, f.Label, f.Unit, f.Source, f.Formula, f.Call.ID, f.Call.Name, f.Call.Arguments} {
		if len(text) > longestText {
			return fmt.Errorf("a text of %d bytes: %w", len(text), ErrTooLarge)
		}
	}
	if len(f.Inputs) > maxInputs {
		return fmt.Errorf("%d inputs: %w", len(f.Inputs), ErrTooLarge)
	}
	return nil
}

// decimal is the value, of a size that can be worked with.
func (f Figure) decimal() (decimal.Decimal, error) {
	if len(f.Value) > longestValue {
		return decimal.Decimal{}, errors.New("its value is longer than that of any figure")
	}
	d, err := decimal.NewFromString(f.Value)
	if err != nil {
		return decimal.Decimal{}, errors.New("its value is no number")
	}
	if e := d.Exponent(); e > largestExponent || e < -longestValue {
		return decimal.Decimal{}, errors.New("its value is beyond that of any figure")
	}
	return d, nil
}
