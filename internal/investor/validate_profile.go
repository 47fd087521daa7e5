package investor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/shopspring/decimal"
)

// Validate reports what no answer of an interview could have made. It asks nothing
// of the present day. The error is ErrInvalidDocument.
func (p Profile) Validate() error {
	// First of all, because even writing down such a number takes a long time.
	for _, n := range p.decimals() {
		if !hasBoundedDigits(n) {
			return fmt.Errorf("%w: a number has more digits than any answer", ErrInvalidDocument)
		}
	}
	reread, interview := Profile{UpdatedAt: p.UpdatedAt}, NewInterview(time.Time{})
	for _, e := range interview.entries {
		answer := e.get(&p)
		if err := interview.Set(&reread, e.ID, answer); err != nil {
			return fmt.Errorf("%w: %w", ErrInvalidDocument, err)
		}
		if e.get(&reread) != answer {
			return fmt.Errorf("%w: %s holds what no answer gives", ErrInvalidDocument, e.ID)
		}
	}
	return p.checkRoundTrip(reread)
}

// checkRoundTrip finds what stands in p besides its answers, such as a sum without a currency.
func (p Profile) checkRoundTrip(reread Profile) error {
	ours, err := json.Marshal(profileFields(p))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInvalidDocument, err)
	}
	theirs, err := json.Marshal(profileFields(reread))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrInvalidDocument, err)
	}
	if !bytes.Equal(ours, theirs) {
		return fmt.Errorf("%w: something in it belongs to no answer, such as a sum without a currency", ErrInvalidDocument)
	}
	return nil
}

// decimals are all decimals of p.
func (p Profile) decimals() []decimal.Decimal {
	sums := []Money{p.Finances.Income, p.Finances.NetWorth, p.Finances.Liquid, p.Limits.CashAmount}
	for _, o := range p.Objectives {
		sums = append(sums, o.Amount)
	}
	for _, n := range p.Needs {
		sums = append(sums, n.Amount)
	}
	for _, a := range p.OtherInvestments {
		sums = append(sums, a.Value)
	}
	l := p.Limits
	parts := []decimal.NullDecimal{p.Tax.ShortGains, p.Tax.LongGains, p.Tax.Income, l.LargestPosition, l.LossCapacity, l.CashShare}
	for _, c := range l.Classes {
		parts = append(parts, c.Min, c.Max)
	}
	var out []decimal.Decimal
	for _, m := range sums {
		out = append(out, m.Amount)
	}
	for _, part := range parts {
		out = append(out, part.Decimal)
	}
	return out
}
