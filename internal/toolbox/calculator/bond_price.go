package calculator

import (
	"context"
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/analytics/bond"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

type bondInput struct {
	Settlement string   `json:"settlement" jsonschema:"day of settlement, YYYY-MM-DD"`
	Maturity   string   `json:"maturity" jsonschema:"day of redemption, YYYY-MM-DD"`
	Coupon     float64  `json:"coupon" jsonschema:"coupon a year as a fraction: 0.045 is 4.5 %; 0 for a zero-coupon bond"`
	Frequency  int      `json:"frequency,omitempty" jsonschema:"coupons a year: 1, 2 (standard), 4 or 12"`
	Yield      *float64 `json:"yield,omitempty" jsonschema:"yield to maturity as a fraction; either this or price"`
	Price      *float64 `json:"price,omitempty" jsonschema:"clean price per 100 of face value; either this or yield"`
	Redemption float64  `json:"redemption,omitempty" jsonschema:"per 100 of face value; 100 when left out"`
	DayCount   string   `json:"day_count,omitempty" jsonschema:"30/360 (US, standard), 30E/360, act/act (ICMA), act/360 or act/365"`
	Currency   string   `json:"currency,omitempty" jsonschema:"ISO 4217 code, for the answer only"`
}

const bondDescription = `Values a bond with fixed coupons: clean and dirty price, accrued interest, yield to maturity, Macaulay and modified duration, convexity and the value of a basis point, from a yield or from a clean price.
Prices are per 100 of face value; yields and coupons are fractions a year, compounded as often as coupons are paid. US Treasuries: frequency 2, act/act; US corporates: 2, 30/360; German Bunds: 1, act/act. Callable, floating and inflation-linked bonds are not covered: say so.`

type bondAnswer struct {
	Clean      float64 `json:"clean_price"`
	Accrued    float64 `json:"accrued_interest"`
	Dirty      float64 `json:"dirty_price"`
	Yield      float64 `json:"yield_to_maturity"`
	Current    float64 `json:"current_yield"`
	Macaulay   float64 `json:"macaulay_duration"`
	Modified   float64 `json:"modified_duration"`
	Convexity  float64 `json:"convexity"`
	PointValue float64 `json:"basis_point_value"`
	Coupons    int     `json:"coupons_to_come"`
	Previous   string  `json:"previous_coupon"`
	Next       string  `json:"next_coupon"`
	Settlement string  `json:"settlement"`
	Maturity   string  `json:"maturity"`
	Frequency  int     `json:"frequency"`
	DayCount   string  `json:"day_count"`
	Currency   string  `json:"currency,omitempty"`
	PerFace    int     `json:"per_face_value"`
}

// newBondPrice is the tool that values a bond.
func newBondPrice() tool.Tool {
	return tool.New("bond_price", bondDescription, tool.Reads, func(_ context.Context, in bondInput) (tool.Result, error) {
		return bondPrice(in)
	})
}

func bondPrice(in bondInput) (tool.Result, error) {
	b, currency, err := in.bond()
	if err != nil {
		return present.Invalid(err)
	}
	var yield float64
	switch {
	case in.Yield != nil && in.Price != nil, in.Yield == nil && in.Price == nil:
		return present.Invalid(errors.New("give either yield or price: the other comes out"))
	case in.Yield != nil:
		yield = *in.Yield
	default:
		yield, err = b.Yield(*in.Price)
	}
	var v bond.Valuation
	if err == nil {
		v, err = b.Value(yield)
	}
	if errors.Is(err, bond.ErrInput) {
		return present.Invalid(fmt.Errorf("bond_price: %w", err))
	}
	answer := bondAnswer{
		Clean: present.Tidy(v.Clean), Accrued: present.Tidy(v.Accrued), Dirty: present.Tidy(v.Dirty), Yield: present.Tidy(v.Yield),
		Current: present.Tidy(100 * b.Coupon / v.Clean), Macaulay: present.Tidy(v.Macaulay), Modified: present.Tidy(v.Modified),
		Convexity: present.Tidy(v.Convexity), PointValue: present.Tidy(v.PointValue), Coupons: v.Coupons,
		Previous: present.Dated(v.PreviousCoupon), Next: present.Dated(v.NextCoupon), Settlement: present.Dated(b.Settlement), Maturity: present.Dated(b.Maturity),
		Frequency: b.Frequency, DayCount: string(b.Basis), Currency: currency, PerFace: 100,
	}
	return answer.result(b, in.Price != nil), nil
}

func (in bondInput) bond() (bond.Bond, string, error) {
	currency, err := currencyOf(in.Currency)
	b := bond.Bond{Coupon: in.Coupon, Frequency: in.Frequency, Redemption: in.Redemption, Basis: bond.DayCount(in.DayCount)}
	if err == nil {
		b.Settlement, err = dateOf("settlement", in.Settlement)
	}
	if err == nil {
		b.Maturity, err = dateOf("maturity", in.Maturity)
	}
	if b.Frequency == 0 {
		b.Frequency = 2
	}
	if b.Redemption == 0 {
		b.Redemption = 100
	}
	if b.Basis == "" {
		b.Basis = bond.Thirty360
	}
	return b, currency, err
}

func (a bondAnswer) result(b bond.Bond, fromPrice bool) tool.Result {
	s := sheet{tool: "bond_price", currency: a.Currency, asOf: b.Settlement}
	inputs := []string{
		fmt.Sprintf("coupon %v %%, %d a year", percent(b.Coupon, 6), b.Frequency), "settlement " + a.Settlement, "maturity " + a.Maturity,
		given("redemption", b.Redemption), "day count " + a.DayCount,
	}
	priced := append([]string{}, inputs...)
	yieldFormula, priceFormula := "", "sum of payments * (1 + y/f)^-periods, less accrued interest"
	if fromPrice {
		yieldFormula, priceFormula = "the yield at which the formula of the price gives the clean price", ""
		priced = append(priced, fmt.Sprintf("clean price %v", rounded(a.Clean, 6)))
	} else {
		priced = append(priced, fmt.Sprintf("yield %v %%", percent(a.Yield, 6)))
	}
	add := func(id, label string, v float64, places int32, unit, formula string) {
		l := line{id: id, label: label, value: rounded(v, places), unit: unit, formula: formula, inputs: priced}
		if unit == "%" {
			l.value = percent(v, places)
		}
		s.add(l)
	}
	per := s.money() + " per 100"
	add("clean_price", "clean price", a.Clean, 5, per, priceFormula)
	add("accrued_interest", "accrued interest", a.Accrued, 5, per, "100 coupon/f * days since the coupon / days of the period")
	add("dirty_price", "dirty price", a.Dirty, 5, per, "clean + accrued")
	add("yield_to_maturity", "yield to maturity", a.Yield, 5, "%", yieldFormula)
	add("current_yield", "current yield", a.Current, 4, "%", "coupon / clean price")
	add("macaulay_duration", "Macaulay duration", a.Macaulay, 4, "years", "sum(t * present value) / sum(present value)")
	add("modified_duration", "modified duration", a.Modified, 4, "years", "Macaulay / (1 + y/f)")
	add("convexity", "convexity", a.Convexity, 4, "years²", "second derivative of the price / price")
	add("basis_point_value", "value of a basis point", a.PointValue, 6, per, "modified * dirty / 10,000")
	return tool.Result{
		Value: a, ForUser: s.table("Bond, "+a.Maturity, []string{
			"day count " + a.DayCount + ", yield compounded as often as coupons are paid",
			fmt.Sprintf("%d coupons to come, the next on %s", a.Coupons, a.Next),
		}),
		Title: "bond to " + a.Maturity, Summary: fmt.Sprintf("%v clean at %v %%", rounded(a.Clean, 3), percent(a.Yield, 3)), Figures: s.figures,
	}
}
