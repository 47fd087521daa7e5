package planning

import (
	"context"
	"errors"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/fixedincome"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type loanInput struct {
	Principal float64 `json:"principal"`
	Rate      float64 `json:"annual_rate" jsonschema:"Nominal: 0.0425 for 4.25%."`
	Years     float64 `json:"years,omitempty" jsonschema:"Or payments in details."`
	Payments  int     `json:"payments,omitempty" arg:"rare" jsonschema:"Number of payments, at most 2400; or give years."`
	PerYear   int     `json:"payments_per_year,omitempty" arg:"rare" jsonschema:"Default 12."`
	Extra     float64 `json:"extra_payment,omitempty" jsonschema:"On top of each payment."`
	Schedule  string  `json:"schedule,omitempty" arg:"rare" jsonschema:"years (default), payments (each one) or none."`
	Currency  string  `json:"currency,omitempty" jsonschema:"ISO 4217 code; amounts are rounded to its smallest unit."`
}

const loanDescription = "Payment, total interest and schedule of a loan with level payments, and what extra payments save. Use for a mortgage or a car loan; for an unknown rate or term use time_value. Fees, insurance and taxes are not included: say so."

const loanDetails = `Exact to the cent. The rate of a period is the nominal annual rate divided by payments_per_year. Each payment is made at the end of its period; the last one settles the rounding. Amounts are rounded to the smallest unit of the currency, or to hundredths without one. With extra_payment, the result has the number of payments and the interest saved. Give either years or payments.`

const loanKeywords = "loan mortgage payment installment amortization amortize borrow borrowed debt interest monthly principal schedule payoff prepay extra car student credit repayment 房贷 贷款 月供 等额本息 还款 利息 提前还款 按揭 车贷"

var loanPhrasings = []string{
	"monthly payment on a <num> mortgage at <pct> over <num> years",
	"how much interest do I pay on a loan of <num>",
	"amortization schedule for <num> at <pct>",
	"what if I pay <num> extra each month on my mortgage",
	"car loan of <num> over <num> months",
	"贷款<num>万<num>年利率<pct>月供多少",
	"房贷<num>万总利息是多少",
	"提前还款能省多少利息",
}

type loanResult struct {
	Payment   string            `json:"payment"` // without the extra one
	Last      string            `json:"last_payment"`
	Payments  int               `json:"payments"`
	Total     string            `json:"total_paid"`
	Interest  string            `json:"total_interest"`
	Saved     string            `json:"interest_saved,omitempty"`
	Fewer     int               `json:"payments_saved,omitempty"`
	Principal string            `json:"principal"`
	Rate      string            `json:"annual_rate"`
	Extra     string            `json:"extra_payment"`
	PerYear   int               `json:"payments_per_year"`
	Currency  string            `json:"currency,omitempty"`
	Schedule  []installmentJSON `json:"schedule,omitempty"`
	Warnings  []string          `json:"warnings"`
}

type installmentJSON struct {
	Number    int    `json:"number"` // of the payment, or of the year
	Payment   string `json:"payment"`
	Interest  string `json:"interest"`
	Principal string `json:"principal"`
	Balance   string `json:"balance"`
}

// newLoanPayment is the tool that amortises a loan.
func newLoanPayment() tool.Tool {
	return tool.New("loan_payment", loanDescription, tool.Reads, func(_ context.Context, in loanInput) (tool.Result, error) {
		return loanPayment(in)
	}).WithDetails(loanDetails).Find("planning", loanKeywords, loanPhrasings...)
}

func loanPayment(in loanInput) (tool.Result, error) {
	loan, currency, err := in.loan()
	if err != nil {
		return toolkit.InvalidResult(err)
	}
	paid, err := loan.Amortize()
	if err != nil {
		return toolkit.InvalidResult(fmt.Errorf("loan_payment: %w", err))
	}
	last := paid.Schedule[len(paid.Schedule)-1]
	answer := loanResult{
		Payment: paid.LevelPayment.StringFixed(loan.CurrencyPlaces), Last: last.Payment.StringFixed(loan.CurrencyPlaces), Payments: len(paid.Schedule),
		Total: paid.Total.StringFixed(loan.CurrencyPlaces), Interest: paid.Interest.StringFixed(loan.CurrencyPlaces), Principal: loan.Principal.String(),
		Rate: loan.AnnualRate.String(), Extra: loan.Extra.StringFixed(loan.CurrencyPlaces), PerYear: loan.PerYear, Currency: currency, Warnings: []string{},
	}
	if in.Rate > 1 {
		answer.Warnings = append(answer.Warnings, fmt.Sprintf("the loan costs %s %% a year; if %s %% was meant, give annual_rate %s", loan.AnnualRate.Shift(2), loan.AnnualRate, loan.AnnualRate.Shift(-2)))
	}
	if loan.Extra.IsPositive() {
		plain := loan
		plain.Extra = decimal.Zero
		if without, err := plain.Amortize(); err == nil {
			answer.Saved = without.Interest.Sub(paid.Interest).StringFixed(loan.CurrencyPlaces)
			answer.Fewer = len(without.Schedule) - len(paid.Schedule)
		}
	}
	switch in.Schedule {
	case "payments":
		answer.Schedule = scheduleRows(paid.Schedule, 1, loan.CurrencyPlaces)
	case "", "years":
		answer.Schedule = scheduleRows(paid.Schedule, loan.PerYear, loan.CurrencyPlaces)
	case "none":
	default:
		return toolkit.InvalidResult(fmt.Errorf("schedule %.20q: it is years, payments or none", in.Schedule))
	}
	return answer.result(loan), nil
}

func (in loanInput) loan() (fixedincome.Loan, string, error) {
	currency, err := toolkit.ParseCurrency(in.Currency)
	if err != nil {
		return fixedincome.Loan{}, "", err
	}
	loan := fixedincome.Loan{
		Principal: decimal.NewFromFloat(in.Principal), AnnualRate: decimal.NewFromFloat(in.Rate), PerYear: in.PerYear, Payments: in.Payments,
		Extra: decimal.NewFromFloat(in.Extra), CurrencyPlaces: toolkit.CurrencyPlaces(currency),
	}
	if loan.PerYear == 0 {
		loan.PerYear = 12
	}
	switch {
	case in.Years != 0 && in.Payments != 0:
		return loan, "", errors.New("give either years or payments, not both")
	case in.Years == 0 && in.Payments == 0:
		return loan, "", errors.New("the length is missing: give years or payments")
	case in.Years != 0:
		n := decimal.NewFromFloat(in.Years).Mul(decimal.NewFromInt(int64(loan.PerYear)))
		if !n.IsInteger() || n.Abs().GreaterThan(decimal.NewFromInt(1_000_000)) {
			return loan, "", fmt.Errorf("%v years are %s payments; give a whole number of payments", in.Years, n)
		}
		loan.Payments = int(n.IntPart())
	}
	return loan, currency, nil
}

// scheduleRows adds up so many payments to a row.
func scheduleRows(schedule []fixedincome.Installment, each int, places int32) []installmentJSON {
	var out []installmentJSON
	for start := 0; start < len(schedule); start += each {
		var payment, interest, principal decimal.Decimal
		part := schedule[start:min(start+each, len(schedule))]
		for _, p := range part {
			payment, interest, principal = payment.Add(p.Payment), interest.Add(p.Interest), principal.Add(p.Principal)
		}
		out = append(out, installmentJSON{
			Number: len(out) + 1, Payment: payment.StringFixed(places), Interest: interest.StringFixed(places),
			Principal: principal.StringFixed(places), Balance: part[len(part)-1].Balance.StringFixed(places),
		})
	}
	return out
}

func (a loanResult) result(loan fixedincome.Loan) tool.Result {
	s := toolkit.CalculationSheet{Tool: "loan_payment", Currency: a.Currency}
	inputs := []string{"principal " + a.Principal, "rate " + a.Rate + " a year", fmt.Sprintf("%d payments, %d a year", loan.Payments, a.PerYear)}
	if loan.Extra.IsPositive() {
		inputs = append(inputs, "extra "+a.Extra+" a payment")
	}
	sum := func(id, label, value, formula string) {
		s.Add(toolkit.SheetLine{ID: id, Label: label, Value: decimal.RequireFromString(value), Unit: s.MoneyUnit(), Formula: formula, Inputs: inputs})
	}
	sum("payment", "payment, before any extra one", a.Payment, "P i / (1 - (1+i)^-n), i = rate / payments a year")
	sum("last_payment", "last payment", a.Last, "balance + interest")
	sum("total_interest", "total interest", a.Interest, "sum of round(balance * i)")
	sum("total_paid", "total paid", a.Total, "principal + total interest")
	s.Add(toolkit.SheetLine{ID: "payments", Label: "payments", Value: decimal.NewFromInt(int64(a.Payments)), Unit: "payments", Inputs: inputs})
	if a.Saved != "" {
		sum("interest_saved", "interest saved by the extra payment", a.Saved, "interest without - interest with")
		s.Add(toolkit.SheetLine{ID: "payments_saved", Label: "payments saved", Value: decimal.NewFromInt(int64(a.Fewer)), Unit: "payments", Inputs: inputs})
	}
	addScheduleFigures(&s, a.Schedule, inputs)
	return tool.Result{
		Value: a, ForUser: s.Table("Loan", append([]string{"level payments at the end of each period, rounded to the smallest unit; no fees, insurance or taxes"}, a.Warnings...)) + a.scheduleTable(loan),
		Title:   fmt.Sprintf("%s at %s %% over %d payments", a.Principal, loan.AnnualRate.Shift(2), loan.Payments),
		Summary: a.Payment + " " + s.MoneyUnit() + " a payment", Figures: s.Figures(),
	}
}

// maxScheduled bounds the figures of a schedule: a model quotes a few of them.
const maxScheduled = 60

// addScheduleFigures makes figures of the schedule's rows; people see them in a table of
// their own.
func addScheduleFigures(s *toolkit.CalculationSheet, rows []installmentJSON, inputs []string) {
	for _, row := range rows[:min(len(rows), maxScheduled)] {
		for _, f := range []struct{ name, value string }{{"interest", row.Interest}, {"principal", row.Principal}, {"balance", row.Balance}} {
			s.AddFigure(toolkit.SheetLine{
				ID: fmt.Sprintf("%s_%d", f.name, row.Number), Label: fmt.Sprintf("%s, row %d of the schedule", f.name, row.Number),
				Value: decimal.RequireFromString(f.value), Unit: s.MoneyUnit(), Formula: "amortisation", Inputs: inputs,
			})
		}
	}
}

func (a loanResult) scheduleTable(loan fixedincome.Loan) string {
	if len(a.Schedule) == 0 {
		return ""
	}
	what := "year"
	if len(a.Schedule) == a.Payments && loan.PerYear != 1 {
		what = "payment"
	}
	rows := make([][]string, len(a.Schedule))
	for i, r := range a.Schedule {
		rows[i] = []string{fmt.Sprint(r.Number), r.Payment, r.Interest, r.Principal, r.Balance}
	}
	return "\n" + toolkit.MarkdownTable([]string{what + ":", "paid:", "interest:", "principal:", "balance:"}, rows)
}
