package market

import (
	"context"
	"time"

	"github.com/shopspring/decimal"
)

// Earnings are a company's next report, what analysts expect of it, and its last results compared with
// what was expected of them. Fields that a source does not report are empty.
type Earnings struct {
	Symbol Symbol `json:"symbol"`
	// From and To are the day of the next report, or the first and last day on which it is expected.
	// DateEstimated means that the company has not confirmed it.
	From, To      Date
	DateEstimated bool
	// Call is the time of the next call with investors, or of the last one.
	Call time.Time
	// ExDividend and DividendPaid are the newest known ones, which may be past.
	ExDividend, DividendPaid Date
	Estimates                []EarningsEstimate // nearest period first
	Results                  []EarningsResult   // newest first
	Provenance               Provenance
}

// EarningsEstimate holds the analysts' estimates for one fiscal period.
type EarningsEstimate struct {
	Period       EstimatePeriod
	End          Date // of the fiscal period
	EPS, Revenue Estimate
	// EPSBefore is the average estimate of earnings per share some days ago, by the number of days: 7,
	// 30, 60, 90.
	EPSBefore map[int]decimal.Decimal
	// Raised and Lowered count the analysts who changed their estimate in the last 30 days.
	Raised, Lowered decimal.NullDecimal
}

// EstimatePeriod is a fiscal period that has not been reported.
type EstimatePeriod string

// Periods of estimates.
const (
	CurrentQuarter EstimatePeriod = "current quarter"
	NextQuarter    EstimatePeriod = "next quarter"
	CurrentYear    EstimatePeriod = "current year"
	NextYear       EstimatePeriod = "next year"
)

// Estimate is the analysts' estimate of one figure. Growth is a fraction of the figure a year
// earlier.
type Estimate struct {
	Average, Low, High, YearAgo, Growth decimal.NullDecimal
	Analysts                            int
	Currency                            string
}

// EarningsResult is a reported figure of earnings per share, as analysts count it, and what they
// expected before.
type EarningsResult struct {
	End                Date // of the fiscal quarter
	Reported, Expected decimal.NullDecimal
	Currency           string
}

// EarningsSource provides earnings dates and estimates of today. An unlisted symbol yields
// ErrUnknownSymbol, one without any ErrNoData.
type EarningsSource interface {
	Earnings(ctx context.Context, sym Symbol) (Earnings, error)
}
