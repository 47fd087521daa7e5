package positions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// BrokerSource calls a tool of a broker's server and returns its result. An empty tool name means the tool
// that lists positions.
type BrokerSource func(ctx context.Context, server, tool string) (data any, used string, err error)

type reconcileInput struct {
	Server   string   `json:"server" jsonschema:"Name of the broker's MCP server."`
	Tool     string   `json:"tool,omitempty" jsonschema:"Server tool that lists positions. Default: found by name."`
	Accounts []string `json:"accounts,omitempty" jsonschema:"Accounts at this broker. Default: all accounts."`
}

const reconcileDescription = `Compares the positions that a broker's MCP server reports with the user's portfolio, and explains each difference. Changes nothing. Use after an import, or for "is my portfolio right".`

const reconcileDetails = `Quantities of a symbol are summed over the accounts and compared exactly. ISINs and the broker's symbols are resolved through the portfolio's aliases.
The reason is the likely cause of a difference: a missing split, a transaction that the broker has not booked yet, or a purchase or sale that was not imported. Check the broker's statement before you change anything.`

const reconcileKeywords = "reconcile compare broker positions holdings difference match check statement server sync 对账 核对 券商 持仓 差异"

// NewReconcile returns the tool that compares a broker's positions with the portfolio.
func NewReconcile(d Deps, broker BrokerSource) tool.Tool {
	return tool.New("portfolio_reconcile", reconcileDescription, tool.Reads, func(ctx context.Context, in reconcileInput) (tool.Result, error) {
		o, err := d.Load(ctx)
		if err != nil {
			return d.ErrorResult(err)
		}
		accounts, err := o.CheckAccounts(in.Accounts)
		if err != nil {
			return d.ErrorResult(err)
		}
		data, used, err := broker(ctx, in.Server, in.Tool)
		if err != nil {
			return tool.Errorf("%v", err)
		}
		theirs, skipped, err := brokerQuantities(data, o)
		if err != nil {
			return tool.Errorf("%s of %s: %v", used, in.Server, err)
		}
		return toolkit.Render(d.reconcile(o, accounts, in.Server, theirs, skipped)), nil
	}).WithOutput(toolkit.OutputSchema[reconcileAnswer]()).WithDetails(reconcileDetails).Find("portfolio", reconcileKeywords,
		"does my portfolio match my broker", "compare my positions with the broker", "核对我的持仓和券商")
}

type reconcileAnswer struct {
	Server      string          `json:"server" label:"server"`
	Accounts    []string        `json:"accounts"`
	Matching    int             `json:"matching" label:"matching" unit:"positions" key:"1"`
	Different   int             `json:"different" label:"different" unit:"positions" key:"2"`
	Differences []reconcileLine `json:"differences" table:"Differences" max:"fit"`
	Warnings    toolkit.Notes   `json:"warnings"`
	toolkit.Origin
}

type reconcileLine struct {
	Symbol     market.Symbol    `json:"symbol" label:"symbol"`
	Broker     *decimal.Decimal `json:"broker,omitempty" label:"broker" as:"exact" unit:"units" sensitive:"amount"`
	Portfolio  *decimal.Decimal `json:"portfolio,omitempty" label:"portfolio" as:"exact" unit:"units" formula:"sum of all lots" sensitive:"amount"`
	Difference *decimal.Decimal `json:"difference,omitempty" label:"difference" as:"exact" unit:"units" formula:"broker - portfolio" sensitive:"amount"`
	Reason     string           `json:"reason" label:"likely reason"`
}

// Headline implements toolkit.Answer.
func (a reconcileAnswer) Headline(lang string) string {
	switch {
	case lang == "zh" && a.Different == 0:
		return fmt.Sprintf("投资组合与 %s 一致：%d 个持仓。", a.Server, a.Matching)
	case lang == "zh":
		return fmt.Sprintf("与 %s 对比：%d 个持仓不一致，%d 个一致。未做任何更改。", a.Server, a.Different, a.Matching)
	case a.Different == 0:
		return fmt.Sprintf("The portfolio matches %s: %s.", a.Server, humanize.Count(a.Matching, "position", "positions"))
	}
	return fmt.Sprintf("Compared with %s: %d different, %d matching. Nothing was changed.", a.Server, a.Different, a.Matching)
}

// Title implements toolkit.Titled.
func (a reconcileAnswer) Title() string { return a.Server }

// reconcile compares the quantities of each symbol.
func (d Deps) reconcile(o Portfolio, accounts []string, server string, theirs map[market.Symbol]decimal.Decimal, skipped int) reconcileAnswer {
	a := reconcileAnswer{Server: server, Accounts: accounts, Differences: []reconcileLine{}, Origin: d.LedgerOrigin()}
	ours := map[market.Symbol]decimal.Decimal{}
	for h := range o.Engine.OpenPositions() {
		if slices.Contains(accounts, h.Account) {
			ours[h.Symbol] = ours[h.Symbol].Add(h.Quantity)
		}
	}
	all := maps.Clone(theirs)
	maps.Copy(all, ours)
	for _, sym := range slices.Sorted(maps.Keys(all)) {
		broker, own := theirs[sym], ours[sym]
		switch difference := broker.Sub(own); {
		case !difference.IsZero():
			a.Different++
			a.Differences = append(a.Differences, reconcileLine{Symbol: sym, Broker: &broker, Portfolio: &own, Difference: &difference, Reason: explainDifference(o, accounts, sym, broker, own)})
		case !own.IsZero():
			a.Matching++
		}
	}
	if skipped > 0 {
		a.Warnings.Warn("rows_skipped", "Not compared, because the symbol or the quantity is missing: %s from the broker.", humanize.Count(skipped, "row", "rows"))
	}
	return a
}

// recentTransactions is the number of latest transactions of a symbol that the broker may not have booked
// yet.
const recentTransactions = 5

// explainDifference returns the likely reason why a broker reports another quantity.
func explainDifference(o Portfolio, accounts []string, sym market.Symbol, broker, own decimal.Decimal) string {
	if broker.IsZero() {
		return "the broker reports no position; a sale or transfer was not imported, or the position is at another broker"
	}
	difference := broker.Sub(own)
	sum, checked := decimal.Zero, 0 // of the transactions that the broker may not have booked
	for _, t := range slices.Backward(o.Transactions) {
		if t.Symbol != sym || !slices.Contains(accounts, t.Account) {
			continue
		}
		switch t.Kind {
		case portfolio.KindBuy:
			sum = sum.Sub(t.Quantity)
		case portfolio.KindSell:
			sum = sum.Add(t.Quantity)
		default:
			continue
		}
		if sum.Equal(difference) {
			return fmt.Sprintf("the broker may not have booked transactions since %s yet", toolkit.FormatDate(t.Date))
		}
		if checked++; checked == recentTransactions {
			break
		}
	}
	if own.IsZero() {
		return "the portfolio has no position; a purchase or transfer was not imported"
	}
	if ratio, ok := splitRatio(broker, own); ok {
		return "a split of " + ratio + " may be missing from the portfolio"
	}
	if difference.IsPositive() {
		return "a purchase, transfer or reinvested dividend was not imported"
	}
	return "a sale, transfer or fee in shares was not imported"
}

// splitRatio returns the ratio of two quantities, such as 4:1, if it is a usual split ratio.
func splitRatio(after, before decimal.Decimal) (ratio string, ok bool) {
	for _, r := range [][2]int64{{2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}, {7, 1}, {8, 1}, {10, 1}, {15, 1}, {20, 1}, {25, 1}, {30, 1}, {50, 1}, {100, 1}, {3, 2}, {5, 4}, {4, 3}, {5, 2}} {
		more, less := decimal.NewFromInt(r[0]), decimal.NewFromInt(r[1])
		if after.Mul(less).Equal(before.Mul(more)) {
			return fmt.Sprintf("%d:%d", r[0], r[1]), true
		}
		if after.Mul(more).Equal(before.Mul(less)) {
			return fmt.Sprintf("%d:%d", r[1], r[0]), true
		}
	}
	return "", false
}

// Names of fields in the rows of brokers, without separators and in lower case.
var (
	symbolFields   = []string{"symbol", "ticker", "isin", "instrument", "security"}
	quantityFields = []string{"quantity", "qty", "shares", "units", "position"}
)

// brokerQuantities adds the quantities of each symbol in what a broker reports. skipped counts rows
// without a symbol or a quantity.
func brokerQuantities(data any, o Portfolio) (quantities map[market.Symbol]decimal.Decimal, skipped int, err error) {
	rows := BrokerRows(data, symbolFields, quantityFields)
	if rows == nil {
		return nil, 0, errors.New("the result has no list of positions with symbol and quantity")
	}
	quantities = map[market.Symbol]decimal.Decimal{}
	for _, row := range rows {
		name, hasName := rowText(row, symbolFields)
		text, hasQuantity := rowText(row, quantityFields)
		quantity, err := decimal.NewFromString(strings.ReplaceAll(text, ",", ""))
		if !hasName || !hasQuantity || err != nil || quantity.Exponent() > 15 || quantity.Exponent() < -30 {
			skipped++
			continue
		}
		sym := o.symbolOf(name)
		quantities[sym] = quantities[sym].Add(quantity)
	}
	return quantities, skipped, nil
}

// symbolOf returns the portfolio's symbol for a name that a broker uses.
func (o Portfolio) symbolOf(name string) market.Symbol {
	name = strings.ToUpper(strings.TrimSpace(name))
	sym := market.Symbol(name)
	if i := slices.IndexFunc(o.Transactions, func(t portfolio.Transaction) bool { return t.ISIN == name && t.Symbol != "" }); i >= 0 {
		sym = o.Transactions[i].Symbol
	}
	return ResolveAlias(o.Aliases, sym)
}

// BrokerRows returns the longest list of objects in data that has a field of each kind, in any row.
func BrokerRows(data any, kinds ...[]string) []map[string]any {
	var best []map[string]any
	var walk func(value any)
	walk = func(value any) {
		switch v := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				walk(v[name])
			}
		case []any:
			var rows []map[string]any
			for _, item := range v {
				if row, ok := item.(map[string]any); ok {
					rows = append(rows, row)
				}
				walk(item)
			}
			usable := len(rows) > len(best)
			for _, fields := range kinds {
				usable = usable && slices.ContainsFunc(rows, func(row map[string]any) bool { _, ok := rowText(row, fields); return ok })
			}
			if usable {
				best = rows
			}
		}
	}
	walk(data)
	return best
}

var fieldSeparators = strings.NewReplacer("_", "", "-", "", " ", "")

// rowText returns the text or number of the first of the fields in a row. A field may be an object that
// has one of them.
func rowText(row map[string]any, fields []string) (string, bool) {
	for _, field := range fields {
		for name, value := range row {
			if !strings.EqualFold(fieldSeparators.Replace(name), field) {
				continue
			}
			switch v := value.(type) {
			case string:
				return v, v != ""
			case float64:
				return decimal.NewFromFloat(v).String(), true
			case map[string]any:
				if text, ok := rowText(v, fields); ok {
					return text, true
				}
			}
		}
	}
	return "", false
}
