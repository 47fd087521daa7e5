package book

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// Disputes are the splits on which prices and book do not agree for what is held,
// since the oldest lot that is left: a value would be wrong by that factor. unchecked
// are the securities of which no source tells.
func (o Opened) Disputes(v Valuation) (warnings []string, unchecked []market.Symbol) {
	warnings = []string{}
	m := performance.Market{Series: map[market.Symbol]market.Series{}}
	for _, l := range v.Lines {
		m.Series[l.Symbol] = l.Price.Series
		if s := l.Price.Series; l.Missing == "" && (s.Actions == nil || len(s.Bars) == 0 || !checkable(s.Provenance.Adjustment)) {
			unchecked = append(unchecked, l.Symbol)
		}
	}
	h, err := performance.New(o.Ledger, m, performance.Question{Base: v.Base, To: o.Day, Accounts: v.Accounts})
	if err != nil {
		if !errors.Is(err, performance.ErrEmpty) {
			warnings = append(warnings, fmt.Sprintf("splits could not be checked: %s", err))
		}
		return warnings, unchecked
	}
	for _, dis := range h.Disagreements() {
		if l, ok := lineOf(v, dis.Symbol); ok && concerns(l, dis) {
			warnings = append(warnings, o.Mend(dis))
		}
	}
	return warnings, unchecked
}

// checkable reports whether a series tells prices as they were paid, once its splits
// are undone.
func checkable(a market.Adjustment) bool {
	return a == market.AdjustmentSplit || a == market.AdjustmentRaw
}

func lineOf(v Valuation, sym market.Symbol) (Line, bool) {
	i := slices.IndexFunc(v.Lines, func(l Line) bool { return l.Symbol == sym })
	if i < 0 {
		return Line{}, false
	}
	return v.Lines[i], true
}

// concerns reports whether a disagreement is of a lot that is still held.
func concerns(l Line, dis performance.Disagreement) bool {
	return slices.ContainsFunc(l.Lots, func(lot portfolio.Lot) bool {
		return lot.Account == dis.Account && (lot.Acquired.IsZero() || !lot.Acquired.After(dis.Date))
	})
}

// Mend says what is wrong and the exact call that would put it right.
func (o Opened) Mend(dis performance.Disagreement) string {
	day := present.Dated(dis.Date)
	recorded := func(ratio string) string {
		fresh, old, _ := strings.Cut(ratio, ":")
		kind := splitKind(fresh, old)
		return fmt.Sprintf(`add_transaction {"kind":%q,"symbol":%q,"account":%q,"date":%q,"new":%s,"old":%s} (nfa portfolio add %s %s --new %s --old %s --date %s --account %s)`,
			kind, dis.Symbol, dis.Account, day, fresh, old, kind, dis.Symbol, fresh, old, day, word(dis.Account))
	}
	switch {
	case dis.Valued:
		return fmt.Sprintf(`%s To mend it: add_transaction {"kind":"spin_off","symbol":%q,"account":%q,"date":%q,"to_symbol":"(the new company)","quantity":"(shares handed out)"} (nfa portfolio add spin_off %s SHARES --to-symbol COMPANY --date %s --account %s)`,
			dis.Says, dis.Symbol, dis.Account, day, dis.Symbol, day, word(dis.Account))
	case dis.Book == "":
		return fmt.Sprintf("%s Until then quantity and value may be wrong by the factor %s. To mend it: %s; leave it where the quantity was entered as of after the split.",
			dis.Says, dis.Series, recorded(dis.Series))
	case dis.Series == "":
		return fmt.Sprintf("%s Until then quantity and value may be wrong by the factor %s. To mend it: %s.",
			dis.Says, dis.Book, o.splitID(dis))
	}
	return fmt.Sprintf("%s Quantity and value may be wrong. To mend it: %s, then %s.", dis.Says, o.splitID(dis), recorded(dis.Series))
}

// splitKind is the kind of transaction that a ratio of two numbers is booked as.
func splitKind(fresh, old string) portfolio.Kind {
	n, err := decimal.NewFromString(fresh)
	o, other := decimal.NewFromString(old)
	if err == nil && other == nil && n.LessThan(o) {
		return portfolio.KindReverseSplit
	}
	return portfolio.KindSplit
}

// splitDays is how far the day of a disagreement may be from that of the book's split.
const splitDays = 10

// word is a text as one word of a command line.
func word(text string) string {
	if !strings.ContainsAny(text, " \t\"'()\\$`&|;<>*?") {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// splitID is the call that takes out the split that the book has.
func (o Opened) splitID(dis performance.Disagreement) string {
	for _, t := range o.Book.Ordered() {
		split := t.Kind == portfolio.KindSplit || t.Kind == portfolio.KindReverseSplit
		if split && t.Symbol == dis.Symbol && t.Account == dis.Account && t.New.String()+":"+t.Old.String() == dis.Book {
			if apart := t.Date.Sub(dis.Date).Abs(); apart.Hours() <= 24*splitDays {
				return fmt.Sprintf(`remove_transaction {"id":%q} (nfa portfolio remove %s)`, t.ID, t.ID)
			}
		}
	}
	return "remove_transaction (nfa portfolio remove) with the id that portfolio_transactions (nfa portfolio list) shows for it"
}
