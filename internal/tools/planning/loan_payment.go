package planning

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
	Extra     float64 `json:"extra_payment,omitempty" jsonschema:"In addition to each payment."`
	Schedule  string  `json:"schedule,omitempty" arg:"rare" jsonschema:"years (default), payments (each one) or none."`
	Currency  string  `json:"currency,omitempty" jsonschema:"ISO 4217 code; amounts are rounded to its smallest unit."`
}

const loanDescription = "Payment, total interest and schedule of a loan with level payments, and what extra payments save. Use for a mortgage or a car loan; for an unknown rate or term use time_value. Fees, insurance and taxes are not included: say so."

const loanDetails = `Exact to the cent. The rate of a period is the nominal annual rate divided by payments_per_year. Each payment is made at the end of its period; the last one absorbs rounding. Amounts are rounded to the smallest unit of the currency, or to hundredths if none is given. With extra_payment, the result has the number of payments and the interest saved. Give years or payments, not both.`

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
	Payment   decimal.Decimal  `json:"payment" label:"payment" as:"money" key:"1" formula:"P i / (1 - (1+i)^-n), i = rate / payments per year"` // without the extra payment
	Last      decimal.Decimal  `json:"last_payment" label:"last payment" as:"money" formula:"balance + interest"`
	Payments  int              `json:"payments" label:"payments" as:"count" unit:"payments" key:"4"`
	Total     decimal.Decimal  `json:"total_paid" label:"total paid" as:"money" key:"3" formula:"principal + total interest"`
	Interest  decimal.Decimal  `json:"total_interest" label:"total interest" as:"money" key:"2" formula:"sum of round(balance * annual_rate / payments per year)"`
	Saved     *decimal.Decimal `json:"interest_saved,omitempty" label:"interest saved by the extra payment" as:"money" formula:"interest without extra payments - interest with them"`
	Fewer     int              `json:"payments_saved,omitempty" label:"payments saved" unit:"payments"`
	Principal decimal.Decimal  `json:"principal" as:"money" input:"principal"`
	Rate      decimal.Decimal  `json:"annual_rate" as:"rate" input:"annual rate"`
	Extra     decimal.Decimal  `json:"extra_payment" as:"money" input:"extra"`
	PerYear   int              `json:"payments_per_year" input:"payments per year"`
	Currency  string           `json:"currency,omitempty"`
	Schedule  []installment    `json:"schedule,omitempty" table:"Schedule" max:"60"`
	Warnings  toolkit.Notes    `json:"warnings"`

	// scheduled is the planned number of payments, rows the kind of schedule rows.
	scheduled, rows string
}

type installment struct {
	Number    int             `json:"number" label:"row"` // of the payment or year
	Payment   decimal.Decimal `json:"payment" label:"paid" as:"money" formula:"interest + principal"`
	Interest  decimal.Decimal `json:"interest" label:"interest" as:"money" formula:"round(balance * annual_rate / payments per year)"`
	Principal decimal.Decimal `json:"principal" label:"principal" as:"money" formula:"paid - interest"`
	Balance   decimal.Decimal `json:"balance" label:"balance" as:"money" formula:"previous balance - principal"`
}

// newLoanPayment returns the tool that computes a loan.
func newLoanPayment() tool.Tool {
	return toolkit.New("loan_payment", loanDescription, tool.Reads, loanPayment).WithDetails(loanDetails).Find("planning", loanKeywords, loanPhrasings...).Computes()
}

func loanPayment(_ context.Context, in loanInput) (loanResult, error) {
	loan, currency, err := in.loan()
	if err != nil {
		return loanResult{}, toolkit.InvalidArgs(err)
	}
	paid, err := loan.Amortize()
	if err != nil {
		return loanResult{}, toolkit.InvalidArgsf("loan_payment: %w", err)
	}
	answer := loanResult{
		Payment: paid.LevelPayment, Last: paid.Schedule[len(paid.Schedule)-1].Payment, Payments: len(paid.Schedule),
		Total: paid.Total, Interest: paid.Interest, Principal: loan.Principal, Rate: loan.AnnualRate, Extra: loan.Extra, PerYear: loan.PerYear, Currency: currency,
		scheduled: toolkit.Format(loan.Payments, toolkit.Count, ""),
	}
	if in.Rate > 1 {
		answer.Warnings.Warn("unusual_rate", "The interest rate is %s a year; for %s, set annual_rate to %s.", toolkit.Format(loan.AnnualRate, toolkit.Rate, ""), toolkit.Format(loan.AnnualRate.Shift(-2), toolkit.Rate, ""), loan.AnnualRate.Shift(-2))
	}
	answer.Warnings.Note("method", "Level payments at the end of each period, rounded to the smallest unit; fees, insurance and taxes are not included.")
	if loan.Extra.IsPositive() {
		plain := loan
		plain.Extra = decimal.Zero
		if without, err := plain.Amortize(); err == nil {
			answer.Saved = new(without.Interest.Sub(paid.Interest))
			answer.Fewer = len(without.Schedule) - len(paid.Schedule)
		}
	}
	switch in.Schedule {
	case "payments":
		answer.Schedule, answer.rows = scheduleRows(paid.Schedule, 1), "payment"
	case "", "years":
		answer.Schedule, answer.rows = scheduleRows(paid.Schedule, loan.PerYear), "year"
	case "none":
	default:
		return loanResult{}, toolkit.InvalidArgsf("unknown schedule %.20q; use years, payments or none", in.Schedule)
	}
	return answer, nil
}

func (a loanResult) Headline(lang string) string {
	money := func(d decimal.Decimal) string { return toolkit.Format(d, toolkit.Money, a.Currency) }
	rate := toolkit.Format(a.Rate, toolkit.Rate, "")
	if lang == "zh" {
		return fmt.Sprintf("贷款 %s，年利率 %s，共 %d 期：每期还款 %s，利息总额 %s。", money(a.Principal), rate, a.Payments, money(a.Payment), money(a.Interest))
	}
	return fmt.Sprintf("A loan of %s at %s costs %s per payment, and %s in interest over %d payments.", money(a.Principal), rate, money(a.Payment), money(a.Interest), a.Payments)
}

func (a loanResult) Title() string {
	return fmt.Sprintf("%s at %s over %s payments", toolkit.Format(a.Principal, toolkit.Money, a.Currency), toolkit.Format(a.Rate, toolkit.Rate, ""), a.scheduled)
}

func (a loanResult) Explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{Inputs: []string{a.scheduled + " payments"}}
	switch {
	case field == "payment" && a.Extra.IsPositive():
		e.Basis = "before the extra payment"
	case field == "schedule.number":
		e.Label = a.rows
	}
	return e
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
		return loan, "", errors.New("use either years or payments")
	case in.Years == 0 && in.Payments == 0:
		return loan, "", errors.New("give years or payments")
	case in.Years != 0:
		n := decimal.NewFromFloat(in.Years).Mul(decimal.NewFromInt(int64(loan.PerYear)))
		if !n.IsInteger() || n.Abs().GreaterThan(decimal.NewFromInt(1_000_000)) {
			return loan, "", fmt.Errorf("%v years are %s payments; the number must be whole", in.Years, n)
		}
		loan.Payments = int(n.IntPart())
	}
	return loan, currency, nil
}

// scheduleRows combines each payments into one row.
func scheduleRows(schedule []fixedincome.Installment, each int) []installment {
	var out []installment
	for part := range slices.Chunk(schedule, each) {
		row := installment{Number: len(out) + 1, Balance: part[len(part)-1].Balance}
		for _, p := range part {
			row.Payment, row.Interest, row.Principal = row.Payment.Add(p.Payment), row.Interest.Add(p.Interest), row.Principal.Add(p.Principal)
		}
		out = append(out, row)
	}
	return out
}
