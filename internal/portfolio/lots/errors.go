package lots

import (
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// notHeldError states the quantity in the account and in other accounts.
func (e *Engine) notHeldError(t *portfolio.Transaction, h *position) error {
	var held strings.Builder
	fmt.Fprintf(&held, "%q has %s %s", t.Account, h.signed(), t.Symbol)
	for _, a := range e.accounts {
		other, ok := e.positions[positionKey{a.Name, t.Symbol}]
		if ok && a.Name != t.Account && other.quantity.IsPositive() {
			fmt.Fprintf(&held, ", %q has %s", a.Name, other.signed())
		}
	}
	way := "record the purchase or the incoming transfer first"
	if t.Kind == portfolio.KindSell && len(t.Lots) == 0 {
		way += ", or mark the sale as short"
	}
	return fmt.Errorf("%w: on %s %s; %s", portfolio.ErrNotHeld, t.Date.Format(time.DateOnly), &held, way)
}

// checkPicks checks that the lots named by a transaction exist and are large enough.
func (h *position) checkPicks(t *portfolio.Transaction, amount decimal.Decimal, picks []portfolio.LotPick) error {
	for _, p := range picks {
		l := h.lot(p.Lot)
		if l == nil {
			return fmt.Errorf("%w: %q has no lot %s of %s; open lots: %s", portfolio.ErrNotHeld, t.Account, p.Lot, t.Symbol, h.lotNames())
		}
		if p.Quantity.GreaterThan(l.quantity) {
			return fmt.Errorf("%w: lot %s has %s %s, not %s", portfolio.ErrNotHeld, p.Lot, l.quantity, t.Symbol, p.Quantity)
		}
	}
	if h.account.Method == portfolio.MethodSpecific && len(picks) == 0 && !amount.Equal(h.available()) {
		return fmt.Errorf("%w: %q requires lots for each sale, and this one names none; open lots: %s", portfolio.ErrInvalid, t.Account, h.lotNames())
	}
	return nil
}

// lotNames lists the first few lots, oldest first.
func (h *position) lotNames() string {
	const most = 8
	names := make([]string, 0, most)
	for i, l := range h.lotsOldestFirst() {
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

// checkReceives returns an error if lots can be added only by a purchase, because the position is
// short.
func (h *position) checkReceives() error {
	if !h.short {
		return nil
	}
	return fmt.Errorf("%w: %q is short %s %s; record the purchase that closes the short position first",
		portfolio.ErrInvalid, h.account.Name, h.quantity, h.symbol)
}
