package planning

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/fixedincome"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type bondInput struct {
	Settlement string   `json:"settlement" jsonschema:"YYYY-MM-DD."`
	Maturity   string   `json:"maturity" jsonschema:"YYYY-MM-DD."`
	Coupon     float64  `json:"coupon" jsonschema:"Annual: 0.045; 0 for a zero-coupon bond."`
	Frequency  int      `json:"frequency,omitempty" jsonschema:"1, 2 (default), 4 or 12 a year."`
	Yield      *float64 `json:"yield,omitempty" jsonschema:"Annual: 0.065; or give price."`
	Price      *float64 `json:"price,omitempty" jsonschema:"Clean, per 100; or give yield."`
	Redemption float64  `json:"redemption,omitempty" arg:"rare" jsonschema:"Per 100 of face value. Default 100."`
	DayCount   string   `json:"day_count,omitempty" jsonschema:"30/360 (default), 30E/360, act/act, act/360 or act/365."`
	Currency   string   `json:"currency,omitempty" jsonschema:"ISO 4217 code, for display only."`
}

const bondDescription = "Clean and dirty price, accrued interest, yield to maturity, duration and convexity of a fixed-coupon bond, from a yield or a clean price. For market yields use yield_curve. Callable, floating and inflation-linked bonds and bills are not covered: say so."

const bondDetails = `Also Macaulay and modified duration and the value of a basis point. Prices are per 100 of face value. Yields and coupons are annual fractions, compounded as often as coupons are paid; for a zero-coupon bond, frequency says how often the yield is compounded.

US Treasuries: frequency 2, act/act (ICMA). US corporates: 2, 30/360 (US). German Bunds: 1, act/act. Coupons are counted back from the maturity; the last period is discounted with simple interest. Odd first and last periods, and bills on a discount basis, are not covered.`

const bondKeywords = "bond bonds coupon yield maturity duration modified macaulay convexity clean dirty accrued interest ytm treasury bund corporate zero-coupon price value dv01 债券 久期 到期收益率 票息 凸性 净价 全价 应计利息 国债"

var bondPhrasings = []string{
	"price of a <pct> coupon bond maturing in <num> at a yield of <pct>",
	"yield to maturity of a bond at <num> with a <pct> coupon",
	"duration and convexity of a <num> year bond",
	"accrued interest on a <pct> bond",
	"what is a zero coupon bond due in <num> worth",
	"票息<pct>的债券久期是多少",
	"<num>年到期的债券收益率<pct>值多少钱",
	"债券价格<num>的到期收益率",
}

type bondResult struct {
	Clean      float64 `json:"clean_price"`
	Accrued    float64 `json:"accrued_interest"`
	Dirty      float64 `json:"dirty_price"`
	Yield      float64 `json:"yield_to_maturity"`
	Current    float64 `json:"current_yield"`
	Coupon     float64 `json:"coupon"`
	Redemption float64 `json:"redemption"`
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

	Warnings []string `json:"warnings"`
}

// newBondPrice is the tool that values a bond.
func newBondPrice() tool.Tool {
	return tool.New("bond_price", bondDescription, tool.Reads, func(_ context.Context, in bondInput) (tool.Result, error) {
		return bondPrice(in)
	}).WithDetails(bondDetails).Find("valuation", bondKeywords, bondPhrasings...)
}

func bondPrice(in bondInput) (tool.Result, error) {
	b, currency, err := in.bond()
	if err != nil {
		return toolkit.InvalidResult(err)
	}
	var yield float64
	switch {
	case in.Yield != nil && in.Price != nil, in.Yield == nil && in.Price == nil:
		return toolkit.InvalidResult(errors.New("give either yield or price: the other comes out"))
	case in.Yield != nil && *in.Yield > highestYield:
		return toolkit.InvalidResult(fmt.Errorf("bond_price: a yield of %v is %s a year; give 5 %% as 0.05", *in.Yield, toolkit.FormatRate(*in.Yield)))
	case in.Yield != nil:
		yield = *in.Yield
	default:
		yield, err = b.Yield(*in.Price)
	}
	var v fixedincome.BondValuation
	if err == nil {
		v, err = b.Value(yield)
	}
	if err == nil && v.Clean <= 0 {
		err = fmt.Errorf("%w: at a yield of %v the bond is worth no more than its accrued interest", fixedincome.ErrInvalidBond, yield)
	}
	if err != nil {
		return toolkit.InvalidResult(fmt.Errorf("bond_price: %w", err))
	}
	answer := bondResult{
		Clean: roundPrice(v.Clean), Accrued: roundPrice(v.Accrued), Dirty: roundPrice(v.Dirty), Yield: toolkit.RoundSignificant(v.Yield),
		Coupon: b.Coupon, Redemption: b.Redemption, Warnings: bondWarnings(b, v),
		Current: toolkit.RoundSignificant(100 * b.Coupon / v.Clean), Macaulay: toolkit.RoundSignificant(v.Macaulay), Modified: toolkit.RoundSignificant(v.Modified),
		Convexity: toolkit.RoundSignificant(v.Convexity), PointValue: toolkit.RoundSignificant(v.BasisPointValue), Coupons: v.Coupons,
		Previous: toolkit.FormatDate(v.PreviousCoupon), Next: toolkit.FormatDate(v.NextCoupon), Settlement: toolkit.FormatDate(b.Settlement), Maturity: toolkit.FormatDate(b.Maturity),
		Frequency: b.Frequency, DayCount: string(b.Basis), Currency: currency, PerFace: 100,
	}
	return answer.result(b, in.Price != nil), nil
}

// highestYield is what a call may name; a price may imply more, of a bond in
// distress.
const highestYield = 1

// roundPrice keeps a price per 100 to a millionth, as it is quoted at the most.
func roundPrice(v float64) float64 { return math.Round(v*1e6) / 1e6 }

// Bounds above which a rate is more likely a percentage than a fraction.
const (
	highCoupon = 0.2
	highYield  = 0.3
)

// bondWarnings are what a coupon, price or yield is more likely to be than the market.
func bondWarnings(b fixedincome.Bond, v fixedincome.BondValuation) []string {
	out := []string{}
	if b.Coupon > highCoupon {
		out = append(out, toolkit.UnusualRateNote("coupon", b.Coupon))
	}
	switch {
	case v.Yield < -0.05:
		out = append(out, fmt.Sprintf("a yield of %s is rare: prices are per 100 of face value, without accrued interest", toolkit.FormatRate(v.Yield)))
	case v.Yield > highYield:
		out = append(out, fmt.Sprintf("a yield of %s is that of a bond in distress, or of a price that is not per 100 of face value; give 5 %% as 0.05", toolkit.FormatRate(v.Yield)))
	}
	return out
}

func (in bondInput) bond() (fixedincome.Bond, string, error) {
	currency, err := toolkit.ParseCurrency(in.Currency)
	b := fixedincome.Bond{Coupon: in.Coupon, Frequency: in.Frequency, Redemption: in.Redemption, Basis: fixedincome.DayCount(in.DayCount)}
	if err == nil {
		b.Settlement, err = toolkit.ParseDay("settlement", in.Settlement)
	}
	if err == nil {
		b.Maturity, err = toolkit.ParseDay("maturity", in.Maturity)
	}
	if b.Frequency == 0 {
		b.Frequency = 2
	}
	if b.Redemption == 0 {
		b.Redemption = 100
	}
	for _, known := range fixedincome.DayCounts() {
		if strings.EqualFold(in.DayCount, string(known)) {
			b.Basis = known
		}
	}
	if b.Basis == "" {
		b.Basis = fixedincome.Thirty360
	}
	return b, currency, err
}

func (a bondResult) result(b fixedincome.Bond, fromPrice bool) tool.Result {
	s := toolkit.CalculationSheet{Tool: "bond_price", Currency: a.Currency, AsOf: b.Settlement}
	inputs := []string{
		fmt.Sprintf("coupon %v %%, %d a year", toolkit.RoundPercent(b.Coupon, 6), b.Frequency), "settlement " + a.Settlement, "maturity " + a.Maturity,
		toolkit.FormatInput("redemption", b.Redemption), "day count " + a.DayCount,
	}
	from := append([]string{}, inputs...)
	yieldFormula, priceFormula := "as given", "sum of payments * (1 + y/f)^-periods, less accrued interest"
	if a.Coupons == 1 {
		priceFormula = "last payment / (1 + periods * y/f), less accrued interest"
	}
	if fromPrice {
		yieldFormula, priceFormula = "the yield at which the formula of the price gives the clean price", "as given"
		from = append(from, fmt.Sprintf("clean price %v", toolkit.RoundDecimal(a.Clean, 6)))
	} else {
		from = append(from, fmt.Sprintf("yield %v %%", toolkit.RoundPercent(a.Yield, 6)))
	}
	add := func(id, label string, v float64, places int32, unit, formula string) {
		l := toolkit.SheetLine{ID: id, Label: label, Value: toolkit.RoundDecimalSignificant(v, places), Unit: unit, Formula: formula, Inputs: from}
		if unit == "%" {
			l.Value = toolkit.RoundDecimalSignificant(v*100, places)
		}
		s.Add(l)
	}
	per := s.MoneyUnit() + " per 100"
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
		Value: a, ForUser: s.Table("Bond, "+a.Maturity, append([]string{
			"day count " + a.DayCount + ", yield compounded as often as coupons are paid",
			fmt.Sprintf("%d coupons to come, the next on %s", a.Coupons, a.Next),
		}, a.Warnings...)),
		Title: "bond to " + a.Maturity, Summary: fmt.Sprintf("%v clean at %v %%", toolkit.RoundDecimal(a.Clean, 3), toolkit.RoundPercent(a.Yield, 3)), Figures: s.Figures(),
	}
}
