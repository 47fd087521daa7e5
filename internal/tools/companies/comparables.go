package companies

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type compsInput struct {
	Target   business   `json:"target" arg:"brief" jsonschema:"name, shares, net_debt, net_income, revenue, ebitda, ebit, book_value."`
	Peers    []business `json:"peers" arg:"brief" jsonschema:"2 to 40: as target, plus market_cap, free_cash_flow; or multiples."`
	Use      []string   `json:"multiples,omitempty" jsonschema:"pe, pb, ps, p_fcf, ev_sales, ev_ebitda or ev_ebit. Default all." arg:"rare"`
	Trim     bool       `json:"exclude_outliers,omitempty" jsonschema:"Exclude multiples far outside the middle half." arg:"rare"`
	Price    float64    `json:"price,omitempty" jsonschema:"Share price of the target."`
	Currency string     `json:"currency,omitempty" jsonschema:"ISO code of the amounts of the target." arg:"rare"`
}

// business holds a company's figures for one year, all in one unit.
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

const compsDescription = `Value per share from the multiples of peers, such as P/E and EV/EBITDA. Use for "value X by its peers"; for cash flows use dcf_valuation. Take figures for one year from financial_statements. Fewer than 4 peers say little.`

const compsDetails = `Multiples: pe, pb, ps, p_fcf, ev_sales, ev_ebitda and ev_ebit. Each has the median and quartiles of the peers and the implied value of the target, per share and in total. Peers whose figure is missing, zero or negative are excluded from that multiple and listed with the reason. Outliers are listed too; exclude_outliers excludes multiples more than three interquartile ranges outside the middle half.
Give 2 to 40 peers, each with market_cap and figures, or with ready multiples such as {"pe": 18.2}. Multiples of enterprise value (ev_...) are converted to equity value with the net_debt of the target and need net_debt of the peers too. net_debt is debt less cash, negative for net cash; book_value is shareholders' equity. All figures of a company must be in one unit; price and currency are those of the target. Choose peers for their business, not for the result.`

const compsKeywords = `comps comparable comparables peers peer multiple multiples relative valuation value median quartile ev/ebitda ev/sales competitors worth 可比公司 同行 同业 相对估值 倍数 估值 对标 中位数 竞争对手`

var compsPhrasings = []string{
	"value <sym> by the multiples of its peers",
	"comparable company valuation of <sym>",
	"what is <sym> worth at the median multiple of <sym> and <sym>",
	"peers trade at <num> times ebitda what is a share worth",
	"用同行的市盈率给<sym>估值",
	"可比公司估值法算<sym>值多少",
}

// newComps returns the tool that values a company by comparison with peers.
func newComps() tool.Tool {
	return toolkit.New("comps_valuation", compsDescription, tool.Reads, func(_ context.Context, in compsInput) (compsResult, error) {
		answer, err := compareMultiples(in)
		if err != nil {
			return compsResult{}, toolkit.InvalidArgsf("comps_valuation: %w", err)
		}
		return answer, nil
	}).
		WithDetails(compsDetails).Find("valuation", compsKeywords, compsPhrasings...)
}

type compsResult struct {
	Target   string          `json:"target"`
	Currency string          `json:"currency,omitempty"`
	PerShare *perShareSpread `json:"value_per_share" label:"value per share,"` // from the medians; null if no multiple gives one
	Upside   *float64        `json:"upside,omitempty" label:"value above the price" as:"change" key:"2" formula:"median value per share / price - 1"`
	Price    *float64        `json:"price,omitempty" label:"price" as:"price" input:"price"`
	Lines    []peersMultiple `json:"multiples"`
	Warnings toolkit.Notes   `json:"warnings"`

	peers, used int // number of peers, and of multiples that give a value
}

// peersMultiple is one multiple of the peers and the value it implies for the target.
type peersMultiple struct {
	Name     string     `json:"name"`
	Label    string     `json:"label"`
	Count    int        `json:"peers"`
	Spread   *spread    `json:"spread"`                    // null if it is known for no peer
	Target   *float64   `json:"target_multiple,omitempty"` // at the target's price
	Values   *spread    `json:"value_per_share,omitempty"`
	Excluded []excluded `json:"excluded"`
	Reason   string     `json:"no_value_because,omitempty"`
}

type excluded struct {
	Peer   string `json:"peer"`
	Reason string `json:"reason"`
}

type spread struct {
	Low    float64 `json:"low"`
	First  float64 `json:"first_quartile"`
	Median float64 `json:"median"`
	Third  float64 `json:"third_quartile"`
	High   float64 `json:"high"`
}

// perShareSpread is a spread of values per share.
type perShareSpread struct {
	Low    float64 `json:"low" label:"lowest" as:"money" key:"3"`
	First  float64 `json:"first_quartile"`
	Median float64 `json:"median" label:"median" as:"money" key:"1"`
	Third  float64 `json:"third_quartile"`
	High   float64 `json:"high" label:"highest" as:"money" key:"4"`
}

func newSpread(s fundamental.Distribution, f func(float64) float64) *spread {
	return &spread{Low: f(s.Low), First: f(s.Q1), Median: f(s.Median), Third: f(s.Q3), High: f(s.High)}
}

const (
	minPeers         = 2
	maxPeers         = 40
	minReliablePeers = 4
)

// Bounds within which every multiple and every value per share is finite.
const (
	largestSum  = 1e18
	minShares   = 1e-6
	minPrice    = 1e-9
	maxMultiple = 1e9 // a multiple
)

// measurable reports whether all figures of a business are within bounds.
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
		return compsResult{}, fmt.Errorf("need %[2]d to %[3]d peers, got %[1]d", len(in.Peers), minPeers, maxPeers)
	}
	if err := in.check(); err != nil {
		return compsResult{}, err
	}
	used, err := chosenMultiples(in.Use)
	if err != nil {
		return compsResult{}, err
	}
	a := compsResult{Target: in.Target.Name, Currency: currency, peers: len(in.Peers)}
	if in.Price > 0 {
		a.Price = &in.Price
	}
	var few []string
	for _, m := range used {
		line := m.line(in, &a.Warnings)
		if line.Count == 0 && len(in.Use) == 0 {
			continue // no figure for it, and not requested
		}
		a.Lines = append(a.Lines, line)
		if line.Count > 0 && line.Count < minReliablePeers {
			few = append(few, fmt.Sprintf("%s has %d", m.label, line.Count))
		}
		for _, e := range line.Excluded {
			a.Warnings.Note("excluded", "%s without %s: %s", m.label, e.Peer, e.Reason)
		}
	}
	if len(a.Lines) == 0 {
		return a, errors.New("no multiple can be computed; each peer needs market_cap and figures, or multiples")
	}
	if len(few) > 0 {
		a.Warnings.Warn("few_peers", "unreliable, fewer than %d peers: %s", minReliablePeers, strings.Join(few, ", "))
	}
	a.addPerShareRange()
	return a, nil
}

// check returns an error for arguments that allow no valid result.
func (in compsInput) check() error {
	if !(in.Target.Shares >= minShares) {
		return errors.New("target.shares is required for a value per share")
	}
	if in.Price < 0 || in.Price > 0 && in.Price < minPrice {
		return fmt.Errorf("price %v is invalid; use the positive price of one share", in.Price)
	}
	for _, b := range append([]business{in.Target}, in.Peers...) {
		if !b.measurable() {
			return fmt.Errorf("a figure of %.40q is too large; check the units", b.Name)
		}
	}
	seen := map[string]bool{strings.ToLower(strings.TrimSpace(in.Target.Name)): true}
	for i, peer := range in.Peers {
		name := strings.ToLower(strings.TrimSpace(peer.Name))
		if name == "" || seen[name] {
			return fmt.Errorf("peer %d, %.40q: each peer needs a unique name, and the target cannot be its own peer", i+1, peer.Name)
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
			return nil, fmt.Errorf("unknown multiple %.20q; use pe, pb, ps, p_fcf, ev_sales, ev_ebitda or ev_ebit", name)
		}
		out = append(out, all[i])
	}
	return out, nil
}

// addPerShareRange adds the range of the values that the medians imply.
func (a *compsResult) addPerShareRange() {
	var medians []float64
	for _, l := range a.Lines {
		if l.Values != nil {
			medians = append(medians, l.Values.Median)
		}
	}
	if len(medians) == 0 {
		a.Warnings.Warn("no_value", "no multiple could be applied to the target")
		return
	}
	all := newSpread(fundamental.NewDistribution(medians), func(v float64) float64 { return v })
	a.PerShare, a.used = (*perShareSpread)(all), len(medians)
	if all.Low < 0 {
		a.Warnings.Warn("negative_value", "negative value per share: the enterprise value by this multiple is below the net debt")
	}
	if a.Price != nil && all.Median > 0 {
		a.Upside = new(all.Median / *a.Price - 1)
		warnOfUnits(&a.Warnings, all.Median / *a.Price)
	}
}

func (a compsResult) Headline(lang string) string {
	name := toolkit.Abbreviate(a.Target)
	if a.PerShare == nil {
		if lang == "zh" {
			return name + "：同行倍数无法得出价值。"
		}
		return fmt.Sprintf("The peers' multiples imply no value for %s.", name)
	}
	values := perShareText(lang, a.PerShare.Median, a.PerShare.Low, a.PerShare.High, a.Currency) + fromPriceText(lang, a.Upside)
	if lang == "zh" {
		return fmt.Sprintf("按同行倍数，%s%s。", name, values)
	}
	return fmt.Sprintf("Peer multiples value %s at %s.", name, values)
}

func (a compsResult) Title() string {
	return strings.TrimSpace(fmt.Sprintf("%s vs. %d peers", toolkit.Abbreviate(a.Target), a.peers))
}

func (a compsResult) Explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{Inputs: []string{fmt.Sprintf("medians of %d multiples", a.used)}}
	switch field {
	case "value_per_share.median":
		e.Formula = "median of the values from each multiple's median"
	case "value_per_share.low":
		e.Formula = "lowest of these values"
	case "value_per_share.high":
		e.Formula = "highest of these values"
	}
	return e
}

func (a compsResult) Tables() []toolkit.Table {
	t := toolkit.Table{Title: "Multiples", Columns: []string{"multiple", "peers:", "first quartile:", "median:", "third quartile:", "target:", "value per share:"}}
	if a.Currency != "" {
		t.Columns[6] = "value per share (" + a.Currency + "):"
	}
	times := func(v float64) string { return toolkit.Format(decimal.NewFromFloat(v).Round(2), toolkit.Number, "") }
	for i, l := range a.Lines {
		row := []string{l.Label, fmt.Sprint(l.Count), toolkit.NotAvailable, toolkit.NotAvailable, toolkit.NotAvailable, toolkit.NotAvailable, l.Reason}
		if l.Spread != nil {
			row[2], row[3], row[4] = times(l.Spread.First), times(l.Spread.Median), times(l.Spread.Third)
		}
		if l.Target != nil {
			row[5] = times(*l.Target)
		}
		if l.Values != nil {
			row[6] = fmt.Sprintf("%s (%s to %s)", formatBare(l.Values.Median, a.Currency), formatBare(l.Values.First, a.Currency), formatBare(l.Values.Third, a.Currency))
		}
		t.Rows = append(t.Rows, row)
		t.Figures = append(t.Figures, l.figures(fmt.Sprintf("multiples.%d.", i), cmp.Or(a.Currency, "units of money"))...)
	}
	return []toolkit.Table{t}
}

func (l peersMultiple) figures(path, money string) []tool.Figure {
	var out []tool.Figure
	add := func(id, label string, v float64, unit, formula string) {
		out = append(out, tool.Figure{ID: path + id, Label: label, Value: decimal.NewFromFloat(v), Unit: unit, Formula: formula, Inputs: []string{fmt.Sprintf("%d peers", l.Count)}})
	}
	for _, q := range []struct {
		id, label string
		pick      func(*spread) float64
	}{
		{"low", "lowest", func(s *spread) float64 { return s.Low }}, {"first_quartile", "first quartile", func(s *spread) float64 { return s.First }},
		{"median", "median", func(s *spread) float64 { return s.Median }}, {"third_quartile", "third quartile", func(s *spread) float64 { return s.Third }},
		{"high", "highest", func(s *spread) float64 { return s.High }},
	} {
		if l.Spread != nil {
			add("spread."+q.id, l.Label+" of the peers, "+q.label, q.pick(l.Spread), "x", q.label)
		}
		if l.Values != nil {
			add("value_per_share."+q.id, "value per share by "+l.Label+", "+q.label, q.pick(l.Values), money, "(multiple * figure - net debt if ev_) / shares")
		}
	}
	if l.Target != nil {
		add("target_multiple", l.Label+" of the target at its price", *l.Target, "x", "(price * shares + net debt if ev_) / figure")
	}
	return out
}

// multiple is a price divided by a figure.
type multiple struct {
	name, label string
	firm        bool // of enterprise value, not equity
	figure      func(business) *float64
}

func multiples() []multiple {
	return []multiple{
		{"pe", "P/E", false, func(b business) *float64 { return b.NetIncome }},
		{"pb", "P/B", false, func(b business) *float64 { return b.Book }},
		{"ps", "P/S", false, func(b business) *float64 { return b.Revenue }},
		{"p_fcf", "P/FCF", false, func(b business) *float64 { return b.FCF }},
		{"ev_sales", "EV/sales", true, func(b business) *float64 { return b.Revenue }},
		{"ev_ebitda", "EV/EBITDA", true, func(b business) *float64 { return b.EBITDA }},
		{"ev_ebit", "EV/EBIT", true, func(b business) *float64 { return b.EBIT }},
	}
}

// multipleOf returns the multiple of a peer, or the reason why it has none.
func (m multiple) multipleOf(b business) (float64, string) {
	if v, ok := b.Multiples[m.name]; ok {
		if !(v > 0) || v > maxMultiple {
			return 0, fmt.Sprintf("a multiple of %v is not meaningful", v)
		}
		return v, ""
	}
	amount, figure := b.MarketCap, m.figure(b)
	switch {
	case m.firm && b.NetDebt == nil:
		return 0, "net_debt is missing"
	case m.firm:
		amount += *b.NetDebt
	}
	switch {
	case figure == nil:
		return 0, "the figure is missing"
	case !(b.MarketCap > 0):
		return 0, "market_cap is missing"
	case *figure <= 0:
		return 0, "the figure is not positive, so the multiple is not meaningful"
	case amount <= 0:
		return 0, "the enterprise value is not positive: net cash is at least the market cap"
	}
	if amount / *figure > maxMultiple {
		return 0, "the figure is close to zero, so the multiple is not meaningful"
	}
	return amount / *figure, ""
}

// line computes a multiple of the peers. It warns about each outlier that it includes.
func (m multiple) line(in compsInput, warnings *toolkit.Notes) peersMultiple {
	line := peersMultiple{Name: m.name, Label: m.label, Excluded: []excluded{}}
	var values []float64
	var names []string
	for _, peer := range in.Peers {
		v, why := m.multipleOf(peer)
		if why != "" {
			line.Excluded = append(line.Excluded, excluded{peer.Name, why})
			continue
		}
		values, names = append(values, v), append(names, peer.Name)
	}
	all := fundamental.NewDistribution(values)
	var kept []float64
	for i, v := range values {
		shown := toolkit.Format(v, toolkit.Number, "")
		switch {
		case !all.IsOutlier(v):
			kept = append(kept, v)
		case in.Trim:
			line.Excluded = append(line.Excluded, excluded{names[i], shown + " is an outlier"})
		default:
			kept = append(kept, v)
			warnings.Warn("outlier", "%s of %s, %s, is an outlier; set exclude_outliers to exclude it", m.label, names[i], shown)
		}
	}
	found := fundamental.NewDistribution(kept)
	if line.Count = found.Count; line.Count > 0 {
		line.Spread = newSpread(found, func(v float64) float64 { return v })
	}
	m.value(&line, in, found)
	return line
}

// value applies the peers' multiples to the target's figure.
func (m multiple) value(line *peersMultiple, in compsInput, found fundamental.Distribution) {
	figure := m.figure(in.Target)
	switch {
	case found.Count == 0:
		line.Reason = "no peer has this multiple"
	case figure == nil:
		line.Reason = "the target's figure is missing"
	case *figure <= 0:
		line.Reason = "the target's figure is not positive"
	case m.firm && in.Target.NetDebt == nil:
		line.Reason = "the target's net_debt is missing"
	default:
		debt := 0.0
		if m.firm {
			debt = *in.Target.NetDebt
		}
		line.Values = newSpread(found, func(v float64) float64 { return (v**figure - debt) / in.Target.Shares })
		if in.Price > 0 {
			line.Target = new((in.Price*in.Target.Shares + debt) / *figure)
		}
	}
}
