package positions

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// WarnOfSplits warns about splits on which prices and ledger disagree, for open positions since
// their oldest lot, because their value would be wrong by that factor. It returns the securities
// whose splits no source reports.
func (o Portfolio) WarnOfSplits(v Valuation, n *toolkit.Notes) (unchecked []market.Symbol) {
	m := performance.Market{Series: map[market.Symbol]market.Series{}}
	checked := false
	for _, l := range v.Lines {
		m.Series[l.Symbol] = l.Price.Series
		// Only these prices can be restored to prices as traded, by undoing their splits.
		s := l.Price.Series
		checkable := s.Provenance.Adjustment == market.AdjustmentSplit || s.Provenance.Adjustment == market.AdjustmentRaw
		switch {
		case l.Missing != "":
		case s.Actions == nil || len(s.Bars) == 0 || !checkable:
			unchecked = append(unchecked, l.Symbol)
		default:
			checked = true
		}
	}
	if !checked {
		return unchecked
	}
	disagreements, err := performance.FindDisagreements(o.Ledger, m, performance.Request{Base: v.Base, To: o.Day, Accounts: v.Accounts})
	if err != nil {
		if !errors.Is(err, performance.ErrNoTransactions) {
			n.Warn("splits_unchecked", "could not check for splits: %s", Redact(err))
		}
		return unchecked
	}
	for _, dis := range disagreements {
		held := func(lot portfolio.Lot) bool {
			return lot.Symbol == dis.Symbol && lot.Account == dis.Account && (lot.Acquired.IsZero() || !lot.Acquired.After(dis.Date))
		}
		if slices.ContainsFunc(v.Lots(), held) {
			o.WarnOfSplit(dis, n)
		}
	}
	return unchecked
}

// WarnOfSplit warns about one split on which prices and ledger disagree.
func (o Portfolio) WarnOfSplit(dis performance.Disagreement, n *toolkit.Notes) {
	format, args := o.splitFix(dis)
	n.Warn("split_mismatch", format, args...)
}

// splitFix returns the format and arguments of a warning and of the exact call that fixes it.
func (o Portfolio) splitFix(dis performance.Disagreement) (format string, args []any) {
	day := toolkit.FormatDate(dis.Date)
	recorded := func(ratio string) string {
		fresh, old, _ := strings.Cut(ratio, ":")
		kind := splitKind(fresh, old)
		return fmt.Sprintf(`add_transaction {"kind":%q,"symbol":%q,"account":%q,"date":%q,"new":%s,"old":%s} (nfa portfolio add %s %s --new %s --old %s --date %s --account %s)`,
			kind, dis.Symbol, dis.Account, day, fresh, old, kind, dis.Symbol, fresh, old, day, shellQuote(dis.Account))
	}
	// A ratio that is not in lowest terms may contain the user's quantities.
	ledgerRatio := func(text string) any {
		if dis.LedgerRatio != "" && !ratioInLowestTerms(dis.LedgerRatio) {
			return toolkit.OwnWords(text)
		}
		return text
	}
	message := ledgerRatio(dis.Message)
	switch {
	case dis.StillValued:
		return `%s To fix it: add_transaction {"kind":"spin_off","symbol":%q,"account":%q,"date":%q,"to_symbol":"(the new company)","quantity":"(shares received)"} (nfa portfolio add spin_off %s SHARES --to-symbol COMPANY --date %s --account %s)`,
			[]any{message, dis.Symbol, dis.Account, day, dis.Symbol, day, shellQuote(dis.Account)}
	case dis.LedgerRatio == "":
		return "%s Until then quantity and value may be wrong by the factor %s. To fix it: %s; ignore this if the quantity was entered after the split.",
			[]any{message, dis.SeriesRatio, recorded(dis.SeriesRatio)}
	case dis.SeriesRatio == "":
		return "%s Until then quantity and value may be wrong by the factor %s. To fix it: %s.", []any{message, ledgerRatio(dis.LedgerRatio), o.removeSplitCall(dis)}
	}
	return "%s Quantity and value may be wrong. To fix it: %s, then %s.", []any{message, o.removeSplitCall(dis), recorded(dis.SeriesRatio)}
}

// ratioInLowestTerms reports whether ratio, such as "3:2", has whole numbers without a common
// divisor.
func ratioInLowestTerms(ratio string) bool {
	fresh, old, _ := strings.Cut(ratio, ":")
	n, isWhole := new(big.Int).SetString(fresh, 10)
	o, oldIsWhole := new(big.Int).SetString(old, 10)
	return isWhole && oldIsWhole && new(big.Int).GCD(nil, nil, n, o).Cmp(big.NewInt(1)) == 0
}

// splitKind returns the kind of transaction for a split ratio.
func splitKind(fresh, old string) portfolio.Kind {
	n, err := decimal.NewFromString(fresh)
	o, oldErr := decimal.NewFromString(old)
	if err == nil && oldErr == nil && n.LessThan(o) {
		return portfolio.KindReverseSplit
	}
	return portfolio.KindSplit
}

// splitDateToleranceDays is how far apart the dates of a split in the ledger and in the prices may
// be.
const splitDateToleranceDays = 10

// shellQuote quotes text as one word of a command line.
func shellQuote(text string) string {
	if !strings.ContainsAny(text, " \t\"'()\\$`&|;<>*?") {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// removeSplitCall returns the call that removes the split from the ledger.
func (o Portfolio) removeSplitCall(dis performance.Disagreement) string {
	for _, t := range o.Engine.OrderedTransactions() {
		split := t.Kind == portfolio.KindSplit || t.Kind == portfolio.KindReverseSplit
		if split && t.Symbol == dis.Symbol && t.Account == dis.Account && t.New.String()+":"+t.Old.String() == dis.LedgerRatio {
			if gap := t.Date.Sub(dis.Date).Abs(); gap.Hours() <= 24*splitDateToleranceDays {
				return fmt.Sprintf(`remove_transaction {"id":%q} (nfa portfolio remove %s)`, t.ID, t.ID)
			}
		}
	}
	return "remove_transaction (nfa portfolio remove) with the id shown by portfolio_transactions (nfa portfolio list)"
}
