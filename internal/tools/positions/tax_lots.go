package positions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type taxLotsInput struct {
	Kind         string `json:"kind,omitempty" jsonschema:"open, closed, harvest or wash. Default open."`
	Symbol       string `json:"symbol,omitempty" jsonschema:"Symbol. Default: all symbols."`
	Account      string `json:"account,omitempty" jsonschema:"Account name. Default: all accounts."`
	Year         int    `json:"year,omitempty" jsonschema:"For closed and wash: year of the sales, such as 2023."`
	Jurisdiction string `json:"jurisdiction,omitempty" jsonschema:"us or none. Default: from the investor profile."`
	Currency     string `json:"currency,omitempty" jsonschema:"Currency of the _base figures. Default: the base currency."`
}

const taxLotsDescription = `Tax lots: open lots, realized gains by tax year, tax-loss harvesting candidates and wash sales. Use for "which lots should I sell" or "what did I realize". Not tax advice. If no jurisdiction is set, ask for it; an unknown cost basis is not zero.`

const taxLotsDetails = `kind open: each open lot with its acquisition date, cost basis, price, unrealized gain, days held, short or long term, and the date on which it becomes long-term.
kind closed: each sale with its gain and term, and totals by tax year.
kind harvest: lots with a loss in taxable accounts. blocked_by lists purchases of the last 30 days that would disallow the loss; sell_from is the first day to sell without a wash sale; buy_from is the first day to buy the symbol again.
kind wash: losses already disallowed, and the lots whose cost basis includes them.
The figures come from the ledger only. Tax rates, allowances and losses carried forward are not included. Terms and wash sales need a jurisdiction; without one they are omitted.
cost, gain and value are in the currency of the trade. Figures that end in _base use the exchange rate of the day: the acquisition date for the cost basis, the sale date for the proceeds. A lot with an unknown cost basis or acquisition date has no gain.
The wash sale check ignores options, contracts to buy, accounts outside the portfolio, a spouse's purchases and substantially identical funds.`

const taxLotsKeywords = "tax lot lots realized gain loss harvest harvesting wash sale short-term long-term basis capital gains fifo acquired holding deduct offset 税 批次 亏损 已实现 资本利得 成本 洗售 抵税"

var taxLotsPhrasings = []string{
	"tax lots of <sym>",
	"realized gains for <num>",
	"can I sell <sym> at a loss without a wash sale",
	"which shares become long-term soon",
	"short-term and long-term capital gains this year",
	"今年已实现的资本利得",
	"哪些持仓可以卖出亏损来抵税",
	"<sym>每一批的成本和持有天数",
}

const (
	kindOpen    = "open"
	kindClosed  = "closed"
	kindHarvest = "harvest"
	kindWash    = "wash"
)

func lotKinds() []string { return []string{kindOpen, kindClosed, kindHarvest, kindWash} }

// TaxLotDeps holds the portfolio store, the price sources and the owner's jurisdiction.
type TaxLotDeps struct {
	Deps
	// Jurisdiction returns the tax rules that apply to the user, as named by package tax; "" if
	// unknown. It may be nil.
	Jurisdiction func(ctx context.Context) (string, error)
}

// TaxLotTools returns the tool that lists tax lots.
func TaxLotTools(d TaxLotDeps) []tool.Tool {
	return []tool.Tool{newTaxLots(d)}
}

// newTaxLots returns the tool that shows tax lots.
func newTaxLots(d TaxLotDeps) tool.Tool {
	return tool.New("tax_lots", taxLotsDescription, tool.Reads, func(ctx context.Context, in taxLotsInput) (tool.Result, error) {
		a, err := d.answerLots(ctx, in)
		if err != nil {
			return d.ErrorResult(err)
		}
		return toolkit.Render(a), nil
	}).WithOutput(toolkit.OutputSchema[lotsAnswer]()).WithDetails(taxLotsDetails).Find("portfolio", taxLotsKeywords, taxLotsPhrasings...)
}

// lotFilter selects lots by the arguments of a call.
type lotFilter struct {
	kind    string
	symbol  market.Symbol // "" for all
	account string        // "" for all
	year    int           // zero for all
}

func (f lotFilter) matches(account string, symbol market.Symbol) bool {
	return (f.account == "" || f.account == account) && (f.symbol == "" || f.symbol == symbol)
}

func (f lotFilter) matchesSale(account string, symbol market.Symbol, day market.Date) bool {
	return f.matches(account, symbol) && (f.year == 0 || f.year == day.Year())
}

func parseLotFilter(in taxLotsInput) (lotFilter, error) {
	f := lotFilter{kind: strings.TrimSpace(in.Kind), account: strings.TrimSpace(in.Account), year: in.Year}
	if f.kind == "" {
		f.kind = kindOpen
	}
	if !slices.Contains(lotKinds(), f.kind) {
		return f, fmt.Errorf("%w: kind %.40q; use %s", ErrInvalidRequest, in.Kind, strings.Join(lotKinds(), ", "))
	}
	if in.Symbol != "" {
		sym, err := market.ParseSymbol(in.Symbol)
		if err != nil {
			return f, fmt.Errorf("%w: %w", ErrInvalidRequest, err)
		}
		f.symbol = sym
	}
	if in.Year != 0 && (in.Year < 1900 || in.Year > 2400) {
		return f, fmt.Errorf("%w: year %d; use four digits, such as 2023", ErrInvalidRequest, in.Year)
	}
	if in.Year != 0 && (f.kind == kindOpen || f.kind == kindHarvest) {
		return f, fmt.Errorf("%w: year applies only to kind closed and wash, not to %s", ErrInvalidRequest, f.kind)
	}
	return f, nil
}

func (d TaxLotDeps) answerLots(ctx context.Context, in taxLotsInput) (lotsAnswer, error) {
	f, err := parseLotFilter(in)
	if err != nil {
		return lotsAnswer{}, err
	}
	currency, err := RequestedCurrency(in.Currency)
	if err != nil {
		return lotsAnswer{}, err
	}
	rules, notes, err := d.jurisdiction(ctx, in.Jurisdiction)
	if err != nil {
		return lotsAnswer{}, err
	}
	o, err := d.Load(ctx)
	if err != nil {
		return lotsAnswer{}, err
	}
	if _, err := o.CheckAccounts(RequestedAccounts(nil, f.account)); err != nil {
		return lotsAnswer{}, err
	}
	a := lotsAnswer{
		Kind: f.kind, Day: toolkit.FormatDate(o.Day), day: o.Day, Jurisdiction: rules.Name, Notes: notes,
		Prices: []PriceOrigin{}, Rates: []RateLine{}, filter: f, rules: rules,
	}
	a.Warnings.WarnEach("later_transactions", o.LaterWarnings...)
	exempt := cryptoSymbols(o)
	switch f.kind {
	case kindOpen, kindHarvest:
		err = d.addOpenLots(ctx, &a, o, exempt, currency)
	default:
		a.assessed = rules.Assess(o.Engine, o.Ledger.Accounts, tax.Options{AsOf: o.Day, Exempt: exempt})
		err = d.addClosedLots(ctx, &a, currency)
	}
	if err == nil {
		err = ctx.Err()
	}
	a.complete()
	a.assessed = nil // it holds the whole ledger, which the answer would keep in memory while it is written
	return a, err
}

// jurisdiction returns the rules that a call names, else those of the user. If neither is known,
// there are none and a note explains it.
func (d TaxLotDeps) jurisdiction(ctx context.Context, requested string) (rules tax.Jurisdiction, notes toolkit.BackgroundNotes, err error) {
	name := strings.TrimSpace(requested)
	if name == "" && d.Jurisdiction != nil {
		saved, err := d.Jurisdiction(ctx)
		if err != nil {
			return rules, notes, fmt.Errorf("read tax jurisdiction: %w", err)
		}
		name = saved
	}
	if name == "" {
		notes.Add("no_jurisdiction", `No tax jurisdiction is set, so terms and wash sales are missing: set it with tax_lots {"jurisdiction":"us"} (nfa portfolio lots --jurisdiction us), or record it with investor_profile (nfa profile answer tax_jurisdiction us)`)
		return rules, notes, nil
	}
	rules, err = tax.FindJurisdiction(name)
	if errors.Is(err, tax.ErrUnknownJurisdiction) && requested == "" {
		notes.Add("no_jurisdiction", "nfa does not know the tax rules of the user's jurisdiction, so terms and wash sales are missing: %s", err)
		return tax.Jurisdiction{}, notes, nil
	}
	if err != nil {
		return rules, notes, fmt.Errorf("%w: %w", ErrInvalidRequest, err)
	}
	return rules, notes, nil
}

// cryptoSymbols returns the securities that the user recorded as crypto, and the pairs spelled as a
// coin in the currency of the trade. The wash sale rule applies only to stocks and securities. A
// sold position has no price that would tell its kind.
func cryptoSymbols(o Portfolio) map[market.Symbol]bool {
	out := map[market.Symbol]bool{}
	for i := range o.Transactions {
		t := &o.Transactions[i]
		if pair, ok := t.Symbol.CoinPair(); ok && pair.Quote == t.Currency {
			out[ResolveAlias(o.Aliases, t.Symbol)] = true
		}
	}
	for _, s := range o.Securities {
		if s.Class != "" {
			out[s.Symbol] = s.Class == portfolio.ClassCrypto
		}
	}
	return out
}

// addSaleNotes names the sales whose wash sales the user has to check.
func (a *lotsAnswer) addSaleNotes(sales []tax.Sale) {
	a.addShortNotes()
	brought := false
	for _, w := range a.assessed.WashSales {
		brought = brought || w.Transferred && a.filter.matchesSale(w.Account, w.Symbol, w.Date)
	}
	if brought {
		a.Notes.Add("transfer_in", "Transferred shares count as purchases on their acquisition date. Gifts and inherited shares do not replace shares sold.")
	}
	var transferred []string
	for _, s := range sales {
		if lost := s.EconomicGain(); lost.Valid && lost.Decimal.IsNegative() && s.Quantity.IsPositive() {
			transferred = a.transferredOut(transferred, s.Symbol, s.Account, s.Lot, s.Date)
		}
	}
	a.noteTransferredOut(transferred)
}

// addShortNotes names losses of closed short positions that another sale around the closing date
// may disallow, and the end of that period.
func (a *lotsAnswer) addShortNotes() {
	n, reached, open := 0, []string{}, []string{}
	for _, s := range a.assessed.ShortLosses {
		if !a.filter.matchesSale(s.Account, s.Symbol, s.Date) {
			continue
		}
		n++
		switch closed := fmt.Sprintf("%s closed on %s", s.Symbol, toolkit.FormatDate(s.Date)); {
		case len(s.NearbySales) > 0:
			reached = append(reached, closed)
		case !s.Until.Before(a.day):
			open = append(open, fmt.Sprintf("%s until %s", closed, toolkit.FormatDate(s.Until)))
		}
	}
	if n == 0 {
		return
	}
	note := "1 loss of a closed short position is counted in full: it is subject to a separate rule"
	if n > 1 {
		note = fmt.Sprintf("%d losses of closed short positions are counted in full: they are subject to a separate rule", n)
	}
	note += " (26 U.S.C. 1091(e)) that nfa does not apply. The rule disallows a loss if the security was sold again within 30 days before or after."
	if len(reached) > 0 {
		note += " This affects " + toolkit.JoinFew(reached) + "."
	}
	if len(open) > 0 {
		note += " Another short sale can still disallow the loss of " + toolkit.JoinFew(open) + "."
	}
	a.Notes.Add("short_losses", "%s", note)
}

// transferredOut appends a symbol if purchases that would replace shares of a lot sold on a day
// were transferred out of the portfolio.
func (a *lotsAnswer) transferredOut(symbols []string, symbol market.Symbol, account, lot string, day market.Date) []string {
	if slices.Contains(symbols, string(symbol)) || len(a.assessed.TransferredOutFor(symbol, account, lot, day)) == 0 {
		return symbols
	}
	return append(symbols, string(symbol))
}

// noteTransferredOut notes that purchases were transferred out of the portfolio and are no longer
// checked.
func (a *lotsAnswer) noteTransferredOut(symbols []string) {
	if len(symbols) > 0 {
		a.Notes.Add("transfer_out", "Shares of %s left the portfolio soon after their purchase. If you still own them, they may cause a wash sale with shares sold at a loss around that purchase; nfa does not count them after they left.", toolkit.JoinFew(symbols))
	}
}
