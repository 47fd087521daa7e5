package companies

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type compsInput struct {
	Target   business   `json:"target" jsonschema:"Figures, net_debt and shares of the company to value."`
	Peers    []business `json:"peers" jsonschema:"2 to 40: market_cap and figures, or multiples such as {\"pe\": 18.2}."`
	Use      []string   `json:"multiples,omitempty" jsonschema:"pe, pb, ps, p_fcf, ev_sales, ev_ebitda or ev_ebit. Default all." arg:"rare"`
	Trim     bool       `json:"exclude_outliers,omitempty" jsonschema:"Leave out multiples far outside the middle half." arg:"rare"`
	Price    float64    `json:"price,omitempty" jsonschema:"Price of a share of the target."`
	Currency string     `json:"currency,omitempty" jsonschema:"ISO code of the amounts of the target."`
}

// business is a company by its figures, of one year and in one unit.
type business struct {
	Name      string             `json:"name"`
	MarketCap float64            `json:"market_cap,omitempty"`
	NetDebt   *float64           `json:"net_debt,omitempty"`
	Shares    float64            `json:"shares,omitempty"`
	NetIncome *float64           `json:"net_income,omitempty"`
	Book      *float64           `json:"book_value,omitempty"`
	Revenue   *float64           `json:"revenue,omitempty"`
	FCF       *float64           `json:"free_cash_flow,omitempty"`
	EBITDA    *float64           `json:"ebitda,omitempty"`
	EBIT      *float64           `json:"ebit,omitempty"`
	Multiples map[string]float64 `json:"multiples,omitempty"`
}

const compsDescription = `Values a company by the multiples of its peers: median, quartiles, value per share. Use for "X compared with its peers"; for cash flows use dcf_valuation. Fetches nothing: take figures from financial_statements, of one year. Fewer than 4 peers say little.`

const compsDetails = `Multiples: pe, pb, ps, p_fcf, ev_sales, ev_ebitda and ev_ebit. Each has the median and quartiles of the peers and the value it gives for the target, per share and in total. Peers whose figure is missing, zero or negative are left out of that multiple and named with the reason. Multiples far outside the others are named too; exclude_outliers leaves out those more than three interquartile ranges outside the middle half.
Give 2 to 40 peers, each with market_cap and figures, or with ready multiples such as {"pe": 18.2}. Multiples of enterprise value (ev_...) are converted to equity value with the net_debt of the target and need net_debt of the peers too. net_debt is debt less cash, negative for net cash; book_value is shareholders' equity. All figures of a company are in one unit; price and currency are those of the target. Choose peers for their business, not for the result.`

const compsKeywords = `comps comparable comparables peers peer multiple multiples relative valuation value median quartile ev/ebitda ev/sales competitors worth 可比公司 同行 同业 相对估值 倍数 估值 对标 中位数 竞争对手`

var compsPhrasings = []string{
	"value <sym> by the multiples of its peers",
	"comparable company valuation of <sym>",
	"what is <sym> worth at the median multiple of <sym> and <sym>",
	"peers trade at <num> times ebitda what is a share worth",
	"用同行的市盈率给<sym>估值",
	"可比公司估值法算<sym>值多少",
}

// newComps is the tool that values by peers.
func newComps() tool.Tool {
	return tool.New("comps_valuation", compsDescription, tool.Reads, func(_ context.Context, in compsInput) (tool.Result, error) {
		answer, err := compareMultiples(in)
		if err != nil {
			return toolkit.InvalidResult(fmt.Errorf("comps_valuation: %w", err))
		}
		return answer.result(), nil
	}).WithDetails(compsDetails).Find("valuation", compsKeywords, compsPhrasings...)
}

type compsResult struct {
	Target   string         `json:"target"`
	Currency string         `json:"currency,omitempty"`
	Price    *float64       `json:"price,omitempty"`
	Lines    []multipleJSON `json:"multiples"`
	PerShare *spreadJSON    `json:"value_per_share"` // of the medians; null without any
	Upside   *float64       `json:"upside,omitempty"`
	Warnings []string       `json:"warnings"`

	used int // multiples that gave a value
}

type multipleJSON struct {
	Name     string          `json:"name"`
	Label    string          `json:"label"`
	Count    int             `json:"peers"`
	Spread   *spreadJSON     `json:"spread"`                    // null where no peer has it
	Target   *float64        `json:"target_multiple,omitempty"` // at its price
	Values   *spreadJSON     `json:"value_per_share,omitempty"`
	Excluded []exclusionJSON `json:"excluded"`
	Reason   string          `json:"no_value_because,omitempty"`
}

type exclusionJSON struct {
	Peer   string `json:"peer"`
	Reason string `json:"reason"`
}

type spreadJSON struct {
	Low    float64 `json:"low"`
	First  float64 `json:"first_quartile"`
	Median float64 `json:"median"`
	Third  float64 `json:"third_quartile"`
	High   float64 `json:"high"`
}

const (
	minPeers         = 2
	maxPeers         = 40
	minReliablePeers = 4
)

// Bounds within which every multiple and every value a share is a number.
const (
	largestSum  = 1e18
	minShares   = 1e-6
	minPrice    = 1e-9
	maxMultiple = 1e9 // a multiple
)

// measurable reports whether all that a business is measured by are sums of money.
func (b business) measurable() bool {
	if math.Abs(b.MarketCap) > largestSum || b.Shares > largestSum {
		return false
	}
	for _, v := range []*float64{b.NetDebt, b.NetIncome, b.Book, b.Revenue, b.FCF, b.EBITDA, b.EBIT} {
		if v != nil && math.Abs(*v) > largestSum {
			return false
		}
	}
	return true
}

func compareMultiples(in compsInput) (compsResult, error) {
	currency, err := toolkit.ParseCurrency(in.Currency)
	if err != nil {
		return compsResult{}, err
	}
	if len(in.Peers) < minPeers || len(in.Peers) > maxPeers {
		return compsResult{}, fmt.Errorf("%d peers; give %d to %d", len(in.Peers), minPeers, maxPeers)
	}
	if err := in.check(); err != nil {
		return compsResult{}, err
	}
	used, err := chosenMultiples(in.Use)
	if err != nil {
		return compsResult{}, err
	}
	a := compsResult{Target: in.Target.Name, Currency: currency, Warnings: []string{}}
	if in.Price > 0 {
		a.Price = &in.Price
	}
	for _, m := range used {
		line, outside := m.line(in)
		if line.Count == 0 && len(in.Use) == 0 {
			continue // nobody gave its figure, and nobody asked
		}
		a.Lines = append(a.Lines, line)
		if line.Count > 0 && line.Count < minReliablePeers {
			a.Warnings = append(a.Warnings, fmt.Sprintf("%s of %d peers says little", m.label, line.Count))
		}
		a.Warnings = append(a.Warnings, outside...)
	}
	if len(a.Lines) == 0 {
		return a, errors.New("no multiple can be made; give each peer its market_cap with figures, or multiples")
	}
	a.addPerShareRange()
	return a, nil
}

// check refuses a question that no multiple could answer rightly.
func (in compsInput) check() error {
	if !(in.Target.Shares >= minShares) {
		return errors.New("the target needs its number of shares, for a value a share")
	}
	if in.Price < 0 || in.Price > 0 && in.Price < minPrice {
		return fmt.Errorf("price %v: it is that of a share, positive", in.Price)
	}
	for _, b := range append([]business{in.Target}, in.Peers...) {
		if !b.measurable() {
			return fmt.Errorf("%.40q: a figure is larger than any sum of money", b.Name)
		}
	}
	seen := map[string]bool{strings.ToLower(strings.TrimSpace(in.Target.Name)): true}
	for i, peer := range in.Peers {
		name := strings.ToLower(strings.TrimSpace(peer.Name))
		if name == "" || seen[name] {
			return fmt.Errorf("peer %d, %.40q: give each a name of its own, and not the target, which would be valued by itself", i+1, peer.Name)
		}
		seen[name] = true
		for multiple := range peer.Multiples {
			if _, err := chosenMultiples([]string{multiple}); err != nil {
				return fmt.Errorf("peer %.40q: %w", peer.Name, err)
			}
		}
	}
	return nil
}

func chosenMultiples(names []string) ([]multiple, error) {
	all := multiples()
	if len(names) == 0 {
		return all, nil
	}
	var out []multiple
	for _, name := range names {
		i := slices.IndexFunc(all, func(m multiple) bool { return m.name == name })
		if i < 0 {
			return nil, fmt.Errorf("multiple %.20q: there are pe, pb, ps, p_fcf, ev_sales, ev_ebitda and ev_ebit", name)
		}
		out = append(out, all[i])
	}
	return out, nil
}

// addPerShareRange spreads what the medians give.
func (a *compsResult) addPerShareRange() {
	var medians []float64
	for _, l := range a.Lines {
		if l.Values != nil {
			medians = append(medians, l.Values.Median)
		}
	}
	if len(medians) == 0 {
		a.Warnings = append(a.Warnings, "no multiple could be put on the target")
		return
	}
	all := roundSpread(fundamental.NewDistribution(medians), func(v float64) float64 { return v })
	a.PerShare, a.used = &all, len(medians)
	if all.Low < 0 {
		a.Warnings = append(a.Warnings, "a negative value a share: by that multiple the firm is worth less than its net debt, and the share nothing")
	}
	if a.Price != nil && all.Median > 0 {
		upside := toolkit.RoundFraction(all.Median / *a.Price - 1)
		a.Upside = &upside
		a.Warnings = append(a.Warnings, unitWarnings(all.Median / *a.Price)...)
	}
}
