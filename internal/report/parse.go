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

// ErrNewer means that a record was written by a later version of nfa.
var ErrNewer = errors.New("written by a newer version of nfa")

// These bounds limit the values of a record. A decimal of a few characters can stand for a number
// of any length.
const (
	longestValue    = 100 // characters
	largestExponent = 60
	longestText     = 64 << 10 // of a name, a formula or a call's arguments
	maxInputs       = 1000
)

// Parse parses a record. A record that nfa cannot have written is refused, because it is useless
// and may be malicious.
func Parse(data []byte) (Provenance, error) {
	var p Provenance
	if len(data) > MaxProvenance {
		return p, fmt.Errorf("%d bytes, the limit is %d: %w", len(data), MaxProvenance, ErrTooLarge)
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return Provenance{}, fmt.Errorf("not a provenance record: %w", err)
	}
	if p.Version > recordVersion {
		return Provenance{}, fmt.Errorf("version %d: %w", p.Version, ErrNewer)
	}
	if err := p.check(); err != nil {
		return Provenance{}, fmt.Errorf("not a provenance record: %w", err)
	}
	return p, nil
}

func (p *Provenance) check() error {
	if p.Version != recordVersion {
		return fmt.Errorf("invalid version %d", p.Version)
	}
	if p.Format != Markdown && p.Format != HTML && p.Format != CSV {
		return errors.New("unknown report format")
	}
	if sum, err := hex.DecodeString(p.SHA256); err != nil || len(sum) != 32 {
		return errors.New("missing SHA-256 of the report")
	}
	if len(p.Numbers) > maxNumbers || len(p.Figures) > maxNumbers {
		return fmt.Errorf("more than %d numbers: %w", maxNumbers, ErrTooLarge)
	}
	for i, f := range p.Figures {
		if f.Note != p.Figures[0].Note+i || f.Note < 1 || f.Note > 2_000_000 {
			return fmt.Errorf("notes are out of order at figure %d", i+1)
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
		return errors.New("the text is not a number")
	case n.Status == trace.Traced || n.Status == trace.Contradicted:
		if !noted {
			return fmt.Errorf("no note %d", n.Note)
		}
		return nil
	case n.Status == trace.Untraced || n.Status == StatusStated:
		return nil
	}
	return errors.New("no status")
}

func (f Figure) check() error {
	if _, err := f.decimal(); err != nil {
		return err
	}
	for _, text := range []string{f.ID, f.Label, f.Unit, f.Source, f.Formula, f.Call.ID, f.Call.Name, f.Call.Arguments} {
		if len(text) > longestText {
			return fmt.Errorf("text of %d bytes: %w", len(text), ErrTooLarge)
		}
	}
	if len(f.Inputs) > maxInputs {
		return fmt.Errorf("%d inputs: %w", len(f.Inputs), ErrTooLarge)
	}
	return nil
}

// decimal returns the value if it has a realistic size.
func (f Figure) decimal() (decimal.Decimal, error) {
	if len(f.Value) > longestValue {
		return decimal.Decimal{}, errors.New("the value has too many characters")
	}
	d, err := decimal.NewFromString(f.Value)
	if err != nil {
		return decimal.Decimal{}, errors.New("the value is not a number")
	}
	if e := d.Exponent(); e > largestExponent || e < -longestValue {
		return decimal.Decimal{}, errors.New("the value is too large or too small")
	}
	return d, nil
}
