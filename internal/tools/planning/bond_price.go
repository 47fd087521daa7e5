package planning

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

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

const bondDetails = `Also Macaulay and modified duration and the value of a basis point. Prices are per 100 of face value. Yields and coupons are annual fractions, compounded as often as coupons are paid; for a zero-coupon bond, frequency sets how often the yield is compounded.

US Treasuries: frequency 2, act/act (ICMA). US corporates: 2, 30/360 (US). German Bunds: 1, act/act. Coupon dates are counted back from maturity; the last period is discounted with simple interest. Odd first and last periods, and bills on a discount basis, are not covered.`

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
	Clean      float64       `json:"clean_price" label:"clean price" as:"price" unit:"per 100" key:"1"`
	Accrued    float64       `json:"accrued_interest" label:"accrued interest" as:"price" unit:"per 100" formula:"100 coupon/f * days since the coupon / days of the period"`
	Dirty      float64       `json:"dirty_price" label:"dirty price" as:"price" unit:"per 100" key:"3" formula:"clean + accrued"`
	Yield      float64       `json:"yield_to_maturity" label:"yield to maturity" as:"rate" key:"2"`
	Current    float64       `json:"current_yield" label:"current yield" as:"rate" formula:"coupon / clean price"`
	Coupon     float64       `json:"coupon" as:"rate" input:"coupon"`
	Redemption float64       `json:"redemption" input:"redemption"`
	Macaulay   float64       `json:"macaulay_duration" label:"Macaulay duration" unit:"years" formula:"sum(t * present value) / sum(present value)"`
	Modified   float64       `json:"modified_duration" label:"modified duration" unit:"years" key:"4" formula:"Macaulay / (1 + y/f)"`
	Convexity  float64       `json:"convexity" label:"convexity" unit:"years²" formula:"second derivative of the price / price"`
	PointValue float64       `json:"basis_point_value" label:"value of a basis point" as:"price" unit:"per 100" formula:"price - price at yield + 0.0001"`
	Coupons    int           `json:"coupons_to_come"`
	Previous   string        `json:"previous_coupon"`
	Next       string        `json:"next_coupon"`
	Settlement string        `json:"settlement" input:"settlement"`
	Maturity   string        `json:"maturity" input:"maturity"`
	Frequency  int           `json:"frequency" input:"coupons per year"`
	DayCount   string        `json:"day_count" input:"day count"`
	Currency   string        `json:"currency,omitempty"`
	PerFace    int           `json:"per_face_value"`
	Warnings   toolkit.Notes `json:"warnings"`

	settled   time.Time
	fromPrice bool
}

// newBondPrice returns the tool that values a bond.
func newBondPrice() tool.Tool {
	return toolkit.New("bond_price", bondDescription, tool.Reads, bondPrice).WithDetails(bondDetails).Find("valuation", bondKeywords, bondPhrasings...).Computes()
}

func bondPrice(_ context.Context, in bondInput) (bondResult, error) {
	b, currency, err := in.bond()
	if err != nil {
		return bondResult{}, toolkit.InvalidArgs(err)
	}
	var yield float64
	switch {
	case in.Yield != nil && in.Price != nil, in.Yield == nil && in.Price == nil:
		return bondResult{}, toolkit.InvalidArgs(errors.New("use either yield or price; the other is computed"))
	case in.Yield != nil && *in.Yield > highestYield:
		return bondResult{}, toolkit.InvalidArgsf("bond_price: a yield of %v is %s a year; write 0.05 for 5%%", *in.Yield, toolkit.Format(*in.Yield, toolkit.Rate, ""))
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
		err = fmt.Errorf("%w: at a yield of %v the price is not above the accrued interest", fixedincome.ErrInvalidBond, yield)
	}
	if err != nil {
		return bondResult{}, toolkit.InvalidArgsf("bond_price: %w", err)
	}
	answer := bondResult{
		Clean: v.Clean, Accrued: v.Accrued, Dirty: v.Dirty, Yield: v.Yield, Coupon: b.Coupon, Redemption: b.Redemption,
		Current: 100 * b.Coupon / v.Clean, Macaulay: v.Macaulay, Modified: v.Modified, Convexity: v.Convexity, PointValue: v.BasisPointValue, Coupons: v.Coupons,
		Previous: toolkit.FormatDate(v.PreviousCoupon), Next: toolkit.FormatDate(v.NextCoupon), Settlement: toolkit.FormatDate(b.Settlement), Maturity: toolkit.FormatDate(b.Maturity),
		Frequency: b.Frequency, DayCount: string(b.Basis), Currency: currency, PerFace: 100, Warnings: bondWarnings(b, v), settled: b.Settlement, fromPrice: in.Price != nil,
	}
	return answer, nil
}

// highestYield is the highest yield a call may give. A price may imply a higher one, for a bond in
// distress.
const highestYield = 1

// Above these bounds, a rate is probably a percentage written as a fraction.
const (
	highCoupon = 0.2
	highYield  = 0.3
)

// bondWarnings warns about a coupon, price or yield that is probably a typo.
func bondWarnings(b fixedincome.Bond, v fixedincome.BondValuation) (out toolkit.Notes) {
	yield := toolkit.Format(v.Yield, toolkit.Rate, "")
	if b.Coupon > highCoupon {
		out.Warn("unusual_rate", "%s", toolkit.UnusualRateNote("coupon", b.Coupon))
	}
	switch {
	case v.Yield < -0.05:
		out.Warn("unusual_yield", "A yield of %s is unusual: check that the price is per 100 of face value, without accrued interest.", yield)
	case v.Yield > highYield:
		out.Warn("unusual_yield", "A yield of %s suggests distress, or a price that is not per 100 of face value. 5%% is written 0.05.", yield)
	}
	out.Note("method", "The yield is compounded as often as coupons are paid.")
	out.Note("coupons", "%d coupons remaining, the next on %s.", v.Coupons, toolkit.FormatDate(v.NextCoupon))
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

func (a bondResult) Explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{AsOf: a.settled}
	yieldFormula, priceFormula := "as given", "sum of payments * (1 + y/f)^-periods - accrued interest"
	if a.Coupons == 1 {
		priceFormula = "last payment / (1 + periods * y/f) - accrued interest"
	}
	e.Inputs = []string{"yield " + toolkit.Format(a.Yield, toolkit.Rate, "")}
	if a.fromPrice {
		yieldFormula, priceFormula = "the yield at which the price formula gives the clean price", "as given"
		e.Inputs = []string{"clean price " + toolkit.Format(a.Clean, toolkit.Price, a.Currency)}
	}
	switch field {
	case "clean_price":
		e.Formula = priceFormula
	case "yield_to_maturity":
		e.Formula = yieldFormula
	}
	return e
}

func (a bondResult) Headline(lang string) string {
	price, yield := toolkit.Format(a.Clean, toolkit.Price, a.Currency), toolkit.Format(a.Yield, toolkit.Rate, "")
	duration := toolkit.Format(a.Modified, toolkit.Number, "")
	if lang == "zh" {
		return fmt.Sprintf("%s 到期的债券净价为每 100 面值 %s，到期收益率 %s，修正久期 %s 年。", a.Maturity, price, yield, duration)
	}
	return fmt.Sprintf("The bond maturing %s has a clean price of %s per 100 at a yield of %s, with a modified duration of %s years.", a.Maturity, price, yield, duration)
}

func (a bondResult) Title() string { return "bond to " + a.Maturity }
