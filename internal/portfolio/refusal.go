package portfolio

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// about names the transaction that an error is about.
func about(t *Transaction, err error) error {
	return &TransactionError{Transaction: *t, Err: err}
}

// Describe names a transaction in errors: its ID, and in words what happened.
func (t Transaction) Describe() string {
	var s strings.Builder
	if t.ID != "" {
		fmt.Fprintf(&s, "%s ", t.ID)
	}
	fmt.Fprintf(&s, "(%s", t.Kind)
	if !t.Quantity.IsZero() {
		fmt.Fprintf(&s, " %s", brief(t.Quantity))
	}
	if t.Symbol != "" {
		fmt.Fprintf(&s, " %s", t.Symbol)
	}
	fmt.Fprintf(&s, " on %s in %q)", written(t.Date), t.Account)
	return s.String()
}

func written(d market.Date) string { return d.Format("2006-01-02") }

// brief is for numbers that may be absurd: written out they could fill a screen.
func brief(d decimal.Decimal) string {
	if bounded("", d) != nil {
		return "a number out of bounds"
	}
	return d.String()
}

// notHeld says what there is, and where else there is some.
func (b *Book) notHeld(t *Transaction, h *holding) error {
	var held strings.Builder
	fmt.Fprintf(&held, "%q has %s %s", t.Account, h.signed(), t.Symbol)
	for _, a := range b.accounts {
		other, ok := b.holdings[place{a.Name, t.Symbol}]
		if ok && a.Name != t.Account && other.quantity.IsPositive() {
			fmt.Fprintf(&held, ", %q has %s", a.Name, other.signed())
		}
	}
	way := "record what brought it in first"
	if t.Kind == KindSell && len(t.Lots) == 0 {
		way += ", or mark the sale as short"
	}
	return fmt.Errorf("%w: on %s %s: %s", ErrNotHeld, written(t.Date), &held, way)
}

// choosable tells whether the lots that a transaction takes are known.
func (h *holding) choosable(t *Transaction, takes decimal.Decimal, picks []LotPick) error {
	for _, p := range picks {
		l := h.lot(p.Lot)
		if l == nil {
			return fmt.Errorf("%w: %q has no lot %s of %s: open are %s", ErrNotHeld, t.Account, p.Lot, t.Symbol, h.lotNames())
		}
		if p.Quantity.GreaterThan(l.quantity) {
			return fmt.Errorf("%w: lot %s has %s %s, not %s", ErrNotHeld, p.Lot, l.quantity, t.Symbol, p.Quantity)
		}
	}
	if h.account.Method == MethodSpecific && len(picks) == 0 && !takes.Equal(h.held()) {
		return fmt.Errorf("%w: %q names the lots of each sale, and this one names none: open are %s", ErrInvalid, t.Account, h.lotNames())
	}
	return nil
}

// lotNames lists the first few lots, oldest first.
func (h *holding) lotNames() string {
	const most = 8
	names := make([]string, 0, most)
	for i, l := range h.ordered() {
		if i == most {
			names = append(names, fmt.Sprintf("and %d more", len(h.queue.lots)-most))
			break
		}
		names = append(names, fmt.Sprintf("%s (%s)", l.id, l.quantity))
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// receives tells whether lots can be added other than by a purchase.
func (h *holding) receives() error {
	if !h.short {
		return nil
	}
	return fmt.Errorf("%w: %q is short of %s %s, and only a purchase closes that: record one first",
		ErrInvalid, h.account.Name, h.quantity, h.symbol)
}

func (b *balance) before(other *balance) bool {
	return cmp.Or(strings.Compare(b.account, other.account), strings.Compare(b.currency, other.currency)) < 0
}

func overdrawnError(b *balance, day market.Date) error {
	return &OverdrawnError{Account: b.account, Currency: b.currency, Amount: b.amount.sum(), Date: day}
}
