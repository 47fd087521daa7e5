package positions

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// IncomeDeps holds what the income calendar needs.
type IncomeDeps struct {
	Deps
	Earnings market.EarningsSource // nil: announced ex-dividend dates are unknown
	// TaxRate returns the user's rate on dividends and interest, as a fraction; invalid if unknown.
	TaxRate func(ctx context.Context) (decimal.NullDecimal, error)
}

type incomeInput struct {
	Accounts []string `json:"accounts,omitempty" jsonschema:"Account names. Default: all accounts."`
	Currency string   `json:"currency,omitempty" jsonschema:"Currency of the total, such as USD. Default: the base currency."`
}

const incomeDescription = `Dividends and coupons that the user's positions will pay in the next 12 months, by month, currency and account: declared and estimated separately, after withholding tax if known. Use for "what dividends will I get". Never call an estimate scheduled.`

const incomeDetails = `A declared payment has an announced date and amount. Other payments are estimated: a payer that has not lowered its dividend, or has paid the latest amount twice, is expected to pay it again on last year's dates; others are expected to repeat last year's payments. Special dividends are not repeated. Payers that stopped or have no record are listed under without.
date is the payment date, or the ex-dividend date if ex_date_only is set. The delay from ex-dividend to payment date is that of the payer's last payment, from the source or the ledger.
Dividends per share come from the source, otherwise from the ledger. Coupons are estimated only from the interest recorded for the security, because no source reports coupon rates and dates.
The withholding rate is the tax recorded with the payments of the last two years, otherwise the rate of the investor profile on dividends and interest. Without either, net is absent.
Quantities are the current positions. The total uses the latest exchange rates.`

const incomeKeywords = "income calendar dividends dividend coupons coupon interest payments expected forecast upcoming next year month monthly receive passive ics 分红 股息 派息 利息 收入 日历 明年 未来 预计 被动收入"

var incomePhrasings = []string{
	"what dividends will I get next year",
	"when do my dividends arrive",
	"my dividend income by month",
	"which coupons will I receive in the next 12 months",
	"how much passive income do my positions pay",
	"我明年能收到多少分红",
	"我每个月的股息收入",
	"未来一年的派息日历",
}

// IncomeTools returns the income calendar.
func IncomeTools(d IncomeDeps) []tool.Tool {
	t := tool.New("income_calendar", incomeDescription, tool.Reads, func(ctx context.Context, in incomeInput) (tool.Result, error) {
		a, err := d.answerIncome(ctx, in)
		if err != nil {
			return d.ErrorResult(err)
		}
		return toolkit.Render(a), nil
	})
	return []tool.Tool{t.WithOutput(toolkit.OutputSchema[incomeAnswer]()).WithDetails(incomeDetails).Find("portfolio", incomeKeywords, incomePhrasings...)}
}

type incomeAnswer struct {
	From       string                  `json:"from"`
	To         string                  `json:"to"`
	Accounts   []string                `json:"accounts"`
	Currency   string                  `json:"currency,omitempty"` // of the total
	Total      *decimal.Decimal        `json:"total,omitempty" label:"expected income" as:"money" key:"1" formula:"sum of the payments, at the latest exchange rates" sensitive:"amount"`
	Declared   *decimal.Decimal        `json:"declared,omitempty" label:"of which declared" as:"money" key:"2" sensitive:"amount"`
	Net        *decimal.Decimal        `json:"net,omitempty" label:"after withholding" as:"money" key:"3" formula:"sum of amount * (1 - withholding rate)" sensitive:"amount"`
	Count      int                     `json:"count" label:"payments" unit:"payments" key:"4"`
	Warnings   toolkit.Notes           `json:"warnings"`
	Currencies []incomeSum             `json:"currencies,omitempty" table:"By currency"`
	Months     []incomeMonth           `json:"months" table:"By month"`
	Payments   []incomePayment         `json:"payments" table:"Payments" max:"fit"`
	Without    []incomeGap             `json:"without,omitempty" table:"Without an estimate"`
	Notes      toolkit.BackgroundNotes `json:"notes"`
	Rates      []RateLine              `json:"rates,omitempty" table:"-"`
	Sources    []PriceOrigin           `json:"sources,omitempty" table:"-" max:"fit"`

	day market.Date
}

// incomeSum is the income in one currency.
type incomeSum struct {
	Currency  string           `json:"currency" label:"currency"`
	Declared  decimal.Decimal  `json:"declared" label:"declared" as:"money" sensitive:"amount"`
	Estimated decimal.Decimal  `json:"estimated" label:"estimated" as:"money" sensitive:"amount"`
	Amount    decimal.Decimal  `json:"amount" label:"total" as:"money" formula:"declared + estimated" sensitive:"amount"`
	Net       *decimal.Decimal `json:"net,omitempty" label:"after withholding" as:"money" sensitive:"amount"` // absent if a rate is unknown
}

type incomeMonth struct {
	Month   string `json:"month" label:"month"`
	Account string `json:"account" label:"account"`
	incomeSum
}

type incomePayment struct {
	Date        string           `json:"date" label:"date"`
	ExDateOnly  bool             `json:"ex_date_only,omitempty"` // the payment date is unknown
	ExDate      string           `json:"ex_date,omitempty" label:"ex-date"`
	Account     string           `json:"account" label:"account"`
	Symbol      market.Symbol    `json:"symbol" label:"symbol"`
	Name        string           `json:"name,omitempty"`
	Kind        portfolio.Kind   `json:"kind" label:"kind"` // dividend or interest
	Quantity    decimal.Decimal  `json:"quantity" label:"quantity" as:"exact" unit:"units" sensitive:"amount"`
	PerUnit     decimal.Decimal  `json:"per_unit" label:"per unit" as:"price"`
	Amount      decimal.Decimal  `json:"amount" label:"amount" as:"money" formula:"quantity * per unit" sensitive:"amount"`
	Currency    string           `json:"currency"`
	WithheldPct *decimal.Decimal `json:"withheld_pct,omitempty" label:"withheld" as:"percent" in:"percent" sparse:"true"`
	WithheldBy  string           `json:"withheld_by,omitempty"`
	Net         *decimal.Decimal `json:"net,omitempty" label:"after withholding" as:"money" formula:"amount * (1 - withholding rate)" sparse:"true" sensitive:"amount"`
	Declared    bool             `json:"declared"`
	Rule        string           `json:"rule" label:"basis"`

	on market.Date
}

type incomeGap struct {
	Symbol  market.Symbol `json:"symbol" label:"symbol"`
	Account string        `json:"account" label:"account"`
	Reason  string        `json:"reason" label:"reason"`
}

// Headline implements [toolkit.Answer].
func (a incomeAnswer) Headline(lang string) string {
	sums := toolkit.Format(a.Total, toolkit.Money, a.Currency)
	if a.Total == nil {
		parts := make([]string, len(a.Currencies))
		for i, c := range a.Currencies {
			parts[i] = toolkit.Format(c.Amount, toolkit.Money, c.Currency)
		}
		sums = strings.Join(parts, ", ")
	}
	declared := ""
	if a.Declared != nil && a.Declared.IsPositive() {
		declared = toolkit.Format(a.Declared, toolkit.Money, a.Currency)
	}
	switch {
	case lang == "zh" && a.Count == 0:
		return fmt.Sprintf("%s 至 %s 没有预计的股息或利息。", a.From, a.To)
	case lang == "zh" && declared != "":
		return fmt.Sprintf("%s 至 %s 预计收入 %s，其中已宣布 %s。", a.From, a.To, sums, declared)
	case lang == "zh":
		return fmt.Sprintf("%s 至 %s 预计收入 %s，均为估算。", a.From, a.To, sums)
	case a.Count == 0:
		return fmt.Sprintf("No dividends or coupons are expected from %s to %s.", a.From, a.To)
	case declared != "":
		return fmt.Sprintf("Expected income from %s to %s: %s, of which %s is declared.", a.From, a.To, sums, declared)
	}
	return fmt.Sprintf("Expected income from %s to %s: %s, all of it estimated.", a.From, a.To, sums)
}

// Title implements [toolkit.Titled].
func (a incomeAnswer) Title() string { return fmt.Sprintf("Income · %s to %s", a.From, a.To) }

// Explain implements [toolkit.Explainer].
func (a incomeAnswer) Explain(string) toolkit.Explanation { return toolkit.Explanation{AsOf: a.day} }

func (d IncomeDeps) answerIncome(ctx context.Context, in incomeInput) (incomeAnswer, error) {
	currency, err := RequestedCurrency(in.Currency)
	if err != nil {
		return incomeAnswer{}, err
	}
	o, err := d.Load(ctx)
	if err != nil {
		return incomeAnswer{}, err
	}
	accounts, err := o.CheckAccounts(RequestedAccounts(in.Accounts, ""))
	if err != nil {
		return incomeAnswer{}, err
	}
	var held []portfolio.Position
	var symbols []market.Symbol
	for _, p := range o.Engine.Positions() {
		if slices.Contains(accounts, p.Account) {
			held, symbols = append(held, p), append(symbols, p.Symbol)
		}
	}
	if len(held) == 0 {
		return incomeAnswer{}, fmt.Errorf("%w in %s on %s", ErrNoPositions, strings.Join(accounts, ", "), toolkit.FormatDate(o.Day))
	}
	slices.Sort(symbols)
	symbols = slices.Compact(symbols)
	payers, _, err := toolkit.FetchAll(ctx, symbols, func(ctx context.Context, sym market.Symbol) (payer, error) { return d.fetchPayer(ctx, o, sym), nil })
	if err != nil {
		return incomeAnswer{}, err
	}
	var taxRate decimal.NullDecimal
	if d.TaxRate != nil {
		if taxRate, err = d.TaxRate(ctx); err != nil {
			return incomeAnswer{}, err
		}
	}
	a := incomeAnswer{
		From: toolkit.FormatDate(o.Day.AddDate(0, 0, 1)), To: toolkit.FormatDate(o.Day.AddDate(1, 0, 0)), Accounts: accounts, Payments: []incomePayment{}, Months: []incomeMonth{}, day: o.Day,
	}
	for _, p := range held {
		h := incomeOf{Portfolio: o, Position: p, payer: payers[p.Symbol]}
		h.rate, h.rateFrom = h.withholding(taxRate)
		a.Payments = append(a.Payments, h.payments(&a.Without)...)
	}
	slices.SortStableFunc(a.Payments, func(x, y incomePayment) int {
		return cmp.Or(x.on.Compare(y.on), cmp.Compare(x.Symbol, y.Symbol), cmp.Compare(x.Account, y.Account))
	})
	for _, sym := range symbols {
		if p := payers[sym]; p.known {
			a.Sources = append(a.Sources, PriceOrigin{sym, toolkit.OriginOf(p.provenance).WithoutAdjustment()})
		}
	}
	a.sumPayments()
	d.convertIncome(ctx, &a, currency)
	if len(a.Currencies) == 1 && a.Total != nil {
		a.Currencies = nil // the total includes them
	}
	a.Warnings.WarnEach("later_transactions", o.LaterWarnings...)
	a.Warnings.Note("estimates", "Estimates repeat past payments. Companies can change or omit them.")
	if slices.ContainsFunc(a.Payments, func(p incomePayment) bool { return p.Kind == portfolio.KindInterest }) {
		a.Warnings.Note("coupons", "Coupons repeat the interest you recorded: no source reports coupon rates and dates.")
	}
	a.Notes.Add("outside", "%s", outsideNamesNote)
	return a, ctx.Err()
}

// payer is what is known about the dividends of a security.
type payer struct {
	dividends  []market.Action // per share of today
	known      bool            // otherwise the source does not report dividends
	provenance market.Provenance
	announced  market.Earnings // ExDividend and DividendPaid are zero if they are past or unknown
}

// incomeHistory is how many months of dividends an estimate needs: two years, plus two months for dates
// that move.
const incomeHistory = 26

func (d IncomeDeps) fetchPayer(ctx context.Context, o Portfolio, sym market.Symbol) payer {
	from := o.Day.AddDate(0, -incomeHistory, 0)
	var s market.Series
	var err error
	if d.Replay {
		s, _, err = d.HistoryOfSymbol(ctx, sym, toolkit.Period{From: from})
	} else {
		s, err = d.Bars.Bars(ctx, sym, market.Range{From: from}) // without an end: announced dividends come after the last close
	}
	p := payer{provenance: s.Provenance, known: err == nil && s.Actions != nil && !s.DividendsUnknown}
	if !p.known {
		return p
	}
	if adjusted, err := s.SplitAdjusted(); err == nil {
		s = adjusted
	}
	p.dividends = slices.DeleteFunc(slices.Clone(s.Actions), func(a market.Action) bool { return a.Kind != market.ActionDividend })
	if len(p.dividends) == 0 || d.Replay || d.Earnings == nil {
		return p
	}
	if e, err := d.Earnings.Earnings(ctx, sym); err == nil {
		p.announced = e
	}
	return p
}

// incomeOf computes the income of one position.
type incomeOf struct {
	Portfolio
	portfolio.Position
	payer
	rate     decimal.NullDecimal // of withholding, as a fraction
	rateFrom string
}

// records returns the recorded payments of the position, of the given kinds, per unit of today, oldest
// first.
func (h incomeOf) records(kinds ...portfolio.Kind) (paid []market.Action, currency string) {
	for _, i := range h.Engine.Incomes() {
		if i.Account != h.Account || i.Symbol != h.Symbol || !slices.Contains(kinds, i.Kind) {
			continue
		}
		units := h.unitsOn(i.Date)
		if !units.IsPositive() || i.Currency == "" {
			continue
		}
		if i.Currency != currency {
			paid, currency = nil, i.Currency // payments in a former currency
		}
		each := i.Amount.DivRound(units, 12)
		if n := len(paid); n > 0 && paid[n-1].Date.Equal(i.Date) {
			paid[n-1].Amount = paid[n-1].Amount.Add(each)
			continue
		}
		paid = append(paid, market.Action{Kind: market.ActionDividend, Date: i.Date, Paid: i.Date, Amount: each})
	}
	return paid, currency
}

// unitsOn returns the units held on a day, in units of today: later splits are applied.
func (h incomeOf) unitsOn(day market.Date) decimal.Decimal {
	units := decimal.Zero
	for _, p := range h.Engine.Postings() {
		if p.Account == h.Account && p.Symbol == h.Symbol && !p.Date.After(day) {
			units = units.Add(p.Quantity)
		}
	}
	for _, t := range h.Engine.OrderedTransactions() {
		if split := t.Kind == portfolio.KindSplit || t.Kind == portfolio.KindReverseSplit; split && t.Symbol == h.Symbol && t.Account == h.Account && t.Date.After(day) && t.Old.IsPositive() {
			units = units.Mul(t.New).DivRound(t.Old, 12)
		}
	}
	return units
}

// withholding returns the rate that was withheld from the payments of the last two years, or the user's
// rate on dividends and interest, and where it is from.
func (h incomeOf) withholding(profile decimal.NullDecimal) (decimal.NullDecimal, string) {
	since := h.Day.AddDate(-2, 0, 0)
	paid, withheld := decimal.Zero, decimal.Zero
	var dates []market.Date
	for _, i := range h.Engine.Incomes() {
		if i.Account != h.Account || i.Symbol != h.Symbol || i.Date.Before(since) {
			continue
		}
		switch i.Kind {
		case portfolio.KindDividend, portfolio.KindReinvest, portfolio.KindInterest:
			paid, withheld, dates = paid.Add(i.Amount), withheld.Add(i.Tax), append(dates, i.Date)
		}
	}
	for _, i := range h.Engine.Incomes() {
		// Other taxes, such as stamp duty, do not belong to a payment.
		if tax := i.Kind == portfolio.KindTax || i.Kind == portfolio.KindTaxRefund; tax && i.Account == h.Account && i.Symbol == h.Symbol && slices.ContainsFunc(dates, i.Date.Equal) {
			withheld = withheld.Sub(i.Amount)
		}
	}
	if paid.IsPositive() && !withheld.IsNegative() && withheld.LessThan(paid) {
		return decimal.NewNullDecimal(withheld.DivRound(paid, 6)), "the tax recorded with past payments"
	}
	taxed := !slices.ContainsFunc(h.Ledger.Accounts, func(a portfolio.Account) bool { return a.Name == h.Account && a.Untaxed })
	if profile.Valid && taxed {
		return profile, "your rate on dividends and interest (profile)"
	}
	return decimal.NullDecimal{}, ""
}

// payments returns the payments of the position in the next 12 months.
func (h incomeOf) payments(without *[]incomeGap) []incomePayment {
	gap := func(reason string) { *without = append(*without, incomeGap{h.Symbol, h.Account, reason}) }
	if h.Quantity.IsNegative() {
		gap("short position")
		return nil
	}
	recorded, currency := h.records(portfolio.KindDividend, portfolio.KindReinvest)
	interest, interestCurrency := h.records(portfolio.KindInterest)
	var out []incomePayment
	add := func(kind portfolio.Kind, actions []market.Action, currency, origin string) string {
		expected, reason := analytics.ExpectDividends(actions, h.Day)
		for _, e := range expected {
			out = append(out, h.payment(kind, e, currency, origin))
		}
		return reason
	}
	if len(interest) > 0 {
		if reason := add(portfolio.KindInterest, interest, interestCurrency, " (your records)"); reason != "" {
			gap("interest: " + reason)
		}
	}
	switch {
	case h.known:
		h.datePayments(recorded)
		if reason := add(portfolio.KindDividend, h.dividends, toolkit.UnitOf(h.provenance), ""); reason != "" && (reason != analytics.NoDividends || len(interest) == 0) {
			gap(reason)
		}
		h.announce(out)
	case len(recorded) > 0:
		if reason := add(portfolio.KindDividend, recorded, currency, " (your records)"); reason != "" {
			gap(reason)
		}
	case len(interest) == 0:
		gap("no source reports its dividends or coupons, and none are recorded")
	}
	return out
}

// paymentDelay is the maximum number of days from the ex-dividend date to the payment.
const paymentDelay = 120

// datePayments sets payment dates that the source does not report: the announced date, and dates recorded
// in the ledger.
func (h incomeOf) datePayments(recorded []market.Action) {
	for i := range h.dividends {
		a := &h.dividends[i]
		if !a.Paid.IsZero() {
			continue
		}
		if a.Date.Equal(h.announced.ExDividend) && !h.announced.DividendPaid.Before(a.Date) {
			a.Paid = h.announced.DividendPaid
		}
		for _, r := range recorded {
			next := i+1 < len(h.dividends) && !r.Date.Before(h.dividends[i+1].Date)
			if !r.Date.Before(a.Date) && !next && r.Date.Before(a.Date.AddDate(0, 0, paymentDelay)) {
				a.Paid = r.Date
				break
			}
		}
	}
}

// announcedWithin is how many days an announced date may be from the estimated one.
const announcedWithin = 45

// announce moves the estimate that is nearest to the announced ex-dividend date to that date.
func (h incomeOf) announce(out []incomePayment) {
	date := h.announced.ExDividend
	if !date.After(h.Day) {
		return
	}
	nearest, best := -1, announcedWithin*24.0
	for i, p := range out {
		ex, err := toolkit.ParseDay("ex_date", p.ExDate)
		if err != nil || p.Kind != portfolio.KindDividend {
			continue
		}
		if distance := ex.Sub(date).Abs().Hours(); distance <= best {
			nearest, best = i, distance
		}
	}
	if nearest < 0 || out[nearest].Declared {
		return
	}
	p := &out[nearest]
	p.ExDate, p.on = toolkit.FormatDate(date), date
	if paid := h.announced.DividendPaid; !paid.Before(date) {
		p.on, p.ExDateOnly = paid, false
	}
	p.Date = toolkit.FormatDate(p.on)
	p.Rule += ", on the announced date"
}

func (h incomeOf) payment(kind portfolio.Kind, e analytics.ExpectedDividend, currency, origin string) incomePayment {
	units := h.Quantity
	if !e.ExDate.After(h.Day) {
		units = h.unitsOn(e.ExDate.AddDate(0, 0, -1)) // shares bought on the ex-dividend date do not receive it
	}
	p := incomePayment{
		Date: toolkit.FormatDate(e.On()), Account: h.Account, Symbol: h.Symbol, Name: h.Name, Kind: kind, Quantity: units, PerUnit: e.Amount, Amount: units.Mul(e.Amount), Currency: currency,
		Declared: e.Rule == analytics.Declared, Rule: string(e.Rule) + origin, on: e.On(),
	}
	if origin == "" {
		p.ExDate, p.ExDateOnly = toolkit.FormatDate(e.ExDate), e.Paid.IsZero()
	}
	if h.rate.Valid {
		p.WithheldPct, p.WithheldBy = new(h.rate.Decimal.Shift(2)), h.rateFrom
		p.Net = new(p.Amount.Mul(decimal.NewFromInt(1).Sub(h.rate.Decimal)))
	}
	return p
}

// sumPayments sums the payments by month and by currency.
func (a *incomeAnswer) sumPayments() {
	a.Count = len(a.Payments)
	for _, p := range a.Payments {
		month := p.Date[:len("2006-01")]
		i := slices.IndexFunc(a.Months, func(m incomeMonth) bool {
			return m.Month == month && m.Account == p.Account && m.Currency == p.Currency
		})
		if i < 0 {
			a.Months, i = append(a.Months, incomeMonth{Month: month, Account: p.Account, incomeSum: newIncomeSum(p.Currency)}), len(a.Months)
		}
		a.Months[i].add(p)
		i = slices.IndexFunc(a.Currencies, func(c incomeSum) bool { return c.Currency == p.Currency })
		if i < 0 {
			a.Currencies, i = append(a.Currencies, newIncomeSum(p.Currency)), len(a.Currencies)
		}
		a.Currencies[i].add(p)
	}
}

func newIncomeSum(currency string) incomeSum {
	return incomeSum{Currency: currency, Net: &decimal.Decimal{}}
}

func (s *incomeSum) add(p incomePayment) {
	if p.Declared {
		s.Declared = s.Declared.Add(p.Amount)
	} else {
		s.Estimated = s.Estimated.Add(p.Amount)
	}
	s.Amount = s.Amount.Add(p.Amount)
	s.Net = sumKnown(s.Net, p.Net)
}

// sumKnown returns the sum, or nil if either is unknown.
func sumKnown(a, b *decimal.Decimal) *decimal.Decimal {
	if a == nil || b == nil {
		return nil
	}
	return new(a.Add(*b))
}

// convertIncome computes the totals in one currency. If a rate is missing, it sets a warning instead.
func (d IncomeDeps) convertIncome(ctx context.Context, a *incomeAnswer, requested string) {
	var used []string
	for _, c := range a.Currencies {
		used = append(used, c.Currency)
	}
	if len(used) == 0 {
		return
	}
	base, err := d.BaseCurrency(requested, used)
	if err != nil {
		a.Warnings.Warn("no_total", "No total: %s", strings.TrimPrefix(err.Error(), "no base currency: "))
		return
	}
	rates := d.NewRateCache()
	total, declared, net := decimal.Zero, decimal.Zero, &decimal.Decimal{}
	for _, c := range a.Currencies {
		rate, err := rates.On(ctx, c.Currency, base, a.day)
		if err != nil {
			a.Warnings.Warn("no_total", "No total in %s: %s", base, err)
			return
		}
		if c.Currency != base {
			a.Rates = append(a.Rates, RateLine{Pair: rate.Pair.String(), Rate: rate.Value, Date: toolkit.FormatDate(rate.Rate.Date), Origin: toolkit.OriginOf(rate.Provenance)})
		}
		total, declared = total.Add(c.Amount.Mul(rate.Value)), declared.Add(c.Declared.Mul(rate.Value))
		if c.Net == nil {
			net = nil
		} else {
			net = sumKnown(net, new(c.Net.Mul(rate.Value)))
		}
	}
	a.Currency, a.Total, a.Declared, a.Net = base, &total, &declared, net
}
