package market

import (
	"context"
	"time"

	"github.com/shopspring/decimal"
)

// Earnings holds the date of a company's next report, the analysts' estimates for it, and its latest results
// compared with the estimates. Fields that a source does not report are empty.
type Earnings struct {
	Symbol Symbol `json:"symbol"`
	// From and To are the day of the next report, or the first and last day on which it is expected.
	// DateEstimated means that the company has not confirmed it.
	From, To      Date
	DateEstimated bool
	// Call is the time of the next call with investors, or of the last one.
	Call time.Time
	// ExDividend and DividendPaid are the newest known dates, which may be past.
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
	// EPSBefore maps a number of days (7, 30, 60 or 90) to the average estimate of earnings per share that
	// many days ago.
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

// EarningsResult compares reported earnings per share, as analysts count them, with the estimate before the
// report.
type EarningsResult struct {
	End                Date // of the fiscal quarter
	Reported, Expected decimal.NullDecimal
	Currency           string
}

// EarningsSource provides current earnings dates and estimates. An unlisted symbol yields ErrUnknownSymbol, a
// symbol without earnings ErrNoData.
type EarningsSource interface {
	Earnings(ctx context.Context, sym Symbol) (Earnings, error)
}
