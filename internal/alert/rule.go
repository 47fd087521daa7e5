package alert

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"
)

// Kind is the type of a rule.
type Kind string

// The kinds of rules.
const (
	Price      Kind = "price"
	Move       Kind = "move"
	Drawdown   Kind = "drawdown"
	Average    Kind = "average"
	Series     Kind = "series"
	Release    Kind = "release"
	Spread     Kind = "spread"
	Drift      Kind = "drift"
	Weight     Kind = "weight"
	Cash       Kind = "cash"
	Limits     Kind = "limits"
	Filing     Kind = "filing"
	ExDividend Kind = "ex-dividend"
	Earnings   Kind = "earnings"
	LongTerm   Kind = "long-term"
	Harvest    Kind = "harvest"
	Review     Kind = "review"
	Ratio      Kind = "ratio"
	Note       Kind = "note"
)

// Portfolio is the subject of rules about the whole portfolio.
const Portfolio = "portfolio"

// spreadName is the subject of rules about the yield curve: the 10-year yield minus the 2-year yield.
const spreadName = "2s10s"

// Rule is a parsed rule. Fields that its kind does not use are zero.
type Rule struct {
	Kind     Kind
	Subject  string          // a symbol, a FRED series, "portfolio" or ""
	Above    bool            // fires at or above Value; otherwise at or below it
	Value    decimal.Decimal // a price, percent, or percentage points
	Currency string          // of a price; "" means the currency of the quote
	Count    int             // number of units
	Unit     string          // of a period "d", "w" or "m"; "%" if the level of a ratio is in percent
	Since    string          // first day of a drawdown; "" means the last 365 days
	Form     string          // of a filing
	Item     string          // of an 8-K
	Ratio    string          // ID of a ratio in key_ratios, such as gross_margin
	Time     string          // of a morning note, such as 07:30
	Weekdays bool            // no morning note on Saturdays and Sundays
}

// side returns "above" or "below".
func (r Rule) side() string {
	if r.Above {
		return "above"
	}
	return "below"
}

// String returns the rule in its canonical form, which Parse accepts.
func (r Rule) String() string {
	switch r.Kind {
	case Price:
		return strings.TrimSpace(fmt.Sprintf("%s %s %s %s", r.Subject, r.side(), r.Value, r.Currency))
	case Move:
		direction := "down"
		if r.Above {
			direction = "up"
		}
		return fmt.Sprintf("%s %s %s%% in %d%s", r.Subject, direction, r.Value.Abs(), r.Count, r.Unit)
	case Drawdown:
		text := fmt.Sprintf("%s drawdown above %s%%", r.Subject, r.Value)
		if r.Since != "" {
			text += " since " + r.Since
		}
		return text
	case Average:
		return fmt.Sprintf("%s %s its %dd average", r.Subject, r.side(), r.Count)
	case Series:
		return fmt.Sprintf("series %s %s %s", r.Subject, r.side(), r.Value)
	case Release:
		return fmt.Sprintf("series %s released", r.Subject)
	case Spread:
		return fmt.Sprintf("%s %s %s", spreadName, r.side(), r.Value)
	case Drift:
		return fmt.Sprintf("portfolio drift above %s%%", r.Value)
	case Weight:
		return fmt.Sprintf("weight of %s %s %s%%", r.Subject, r.side(), r.Value)
	case Cash:
		return fmt.Sprintf("cash %s %s%%", r.side(), r.Value)
	case Limits:
		return "profile limit broken"
	case Filing:
		if r.Item != "" {
			return fmt.Sprintf("%s item %s filed by %s", r.Form, r.Item, r.Subject)
		}
		return fmt.Sprintf("%s filed by %s", r.Form, r.Subject)
	case ExDividend:
		if r.Subject != Portfolio {
			return fmt.Sprintf("ex-dividend of %s within %dd", r.Subject, r.Count)
		}
		return fmt.Sprintf("ex-dividend within %dd", r.Count)
	case Earnings:
		return fmt.Sprintf("earnings of %s within %dd", r.Subject, r.Count)
	case LongTerm:
		return fmt.Sprintf("lot turns long-term within %dd", r.Count)
	case Harvest:
		return fmt.Sprintf("loss above %s%% to harvest", r.Value)
	case Review:
		return "decision review due"
	case Ratio:
		return fmt.Sprintf("%s %s %s %s%s", r.Subject, strings.ReplaceAll(r.Ratio, "_", " "), r.side(), r.Value, r.Unit)
	case Note:
		if r.Weekdays {
			return fmt.Sprintf("morning note at %s on weekdays", r.Time)
		}
		return fmt.Sprintf("morning note at %s", r.Time)
	}
	return ""
}

// IsEvent reports whether the rule fires once per event, such as a filing, rather than when a value crosses a
// threshold.
func (r Rule) IsEvent() bool {
	switch r.Kind {
	case Release, Limits, Filing, ExDividend, Earnings, LongTerm, Harvest, Review, Note:
		return true
	}
	return false
}

// NamesSymbol reports whether Subject is a symbol.
func (r Rule) NamesSymbol() bool {
	switch r.Kind {
	case Price, Move, Drawdown, Average, Weight, Filing, ExDividend, Earnings, Ratio:
		return r.Subject != Portfolio
	}
	return false
}
