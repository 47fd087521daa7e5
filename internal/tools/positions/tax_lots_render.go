package positions

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type lotsAnswer struct {
	Kind         string           `json:"kind"`
	Day          string           `json:"day"`
	Currency     string           `json:"currency,omitempty"` // of the fields that end in _base
	Jurisdiction string           `json:"jurisdiction,omitempty"`
	Gain         *decimal.Decimal `json:"total_gain_base,omitempty" label:"unrealized gain" as:"gain" key:"1" sensitive:"amount"` // of the lots or sales below
	Count        int              `json:"count" label:"lots" unit:"lots" key:"2"`
	Unknown      int              `json:"gain_unknown,omitempty" label:"of unknown gain" unit:"lots" key:"3"` // excluded from the total

	Warnings  toolkit.Notes           `json:"warnings"`
	Open      []openLot               `json:"lots,omitempty" table:"-" max:"fit"`
	Closed    []closedLot             `json:"sales,omitempty" table:"-" max:"fit"` // newest first
	Years     []yearLine              `json:"years,omitempty" table:"Tax years"`   // by the rules of the jurisdiction, in the currencies of the sales
	BaseYears []baseYear              `json:"years_base,omitempty" table:"Years in the base currency, before wash sales"`
	Washes    []washLine              `json:"wash_sales,omitempty" table:"-" max:"fit"`
	Waiting   []waitLine              `json:"losses_still_open,omitempty" table:"Losses that a purchase can still disallow" max:"fit" show:"300"`
	Notes     toolkit.BackgroundNotes `json:"notes"`
	Prices    []PriceOrigin           `json:"prices" table:"-" max:"fit"`
	Rates     []RateLine              `json:"rates" table:"-"`

	day      market.Date
	filter   lotFilter
	rules    tax.Jurisdiction
	assessed *tax.Assessment
	added    map[lotKey][]tax.AddedBasis
	parts    map[lotKey]int // number of open lots with the same name
}

// maxLotRows limits the rows of a table shown to people.
const maxLotRows = 300

// complete adds the totals, the sources and the notes.
func (a *lotsAnswer) complete() {
	a.Count = max(len(a.Open), len(a.Closed), len(a.Washes))
	add := func(gain decimal.NullDecimal) {
		switch {
		case !gain.Valid:
			a.Unknown++
		case a.Gain == nil:
			a.Gain = &gain.Decimal
		default:
			a.Gain = new(a.Gain.Add(gain.Decimal))
		}
	}
	for _, l := range a.Open {
		if a.Kind == kindHarvest {
			add(l.taxGain)
		} else {
			add(l.gainBase)
		}
	}
	for _, c := range a.Closed {
		add(c.gainBase)
	}
	if n := max(a.Count, len(a.Waiting)); n > maxLotRows {
		a.Warnings.Note("more_rows", "The tables show the first %d of %s rows; narrow them by symbol, account or year.", maxLotRows, toolkit.Format(n, toolkit.Count, ""))
	}
	a.Warnings.Note(tool.CodeNotice, "This is arithmetic, not tax advice: tax rates, allowances and losses carried forward are not included.")
}

// Title implements [toolkit.Titled].
func (a lotsAnswer) Title() string {
	parts := []string{"tax lots", a.Kind}
	if a.filter.symbol != "" {
		parts = append(parts, string(a.filter.symbol))
	}
	if a.filter.year != 0 {
		parts = append(parts, strconv.Itoa(a.filter.year))
	}
	return strings.Join(append(parts, a.Day, cmp.Or(a.rules.Title, "no tax jurisdiction")), " · ")
}

// lotWords returns the singular and plural for the lots of a kind, and the name of their gain.
func (a lotsAnswer) lotWords() (one, several, gain string) {
	switch a.Kind {
	case kindClosed:
		return "sale", "sales", "realized gain before wash sales"
	case kindHarvest:
		return "lot at a loss", "lots at a loss", "unrealized gain"
	case kindWash:
		return "wash sale", "wash sales", ""
	}
	return "open lot", "open lots", "unrealized gain"
}

// Summary implements [toolkit.Summarizer].
func (a lotsAnswer) Summary() string { return strings.TrimSuffix(a.Headline("en"), ".") }

// Headline implements [toolkit.Answer].
func (a lotsAnswer) Headline(lang string) string {
	one, several, gain := a.lotWords()
	count, change := toolkit.Format(a.Count, toolkit.Count, ""), toolkit.Format(a.Gain, toolkit.Gain, a.Currency)
	if lang == "zh" {
		text := map[string]string{kindOpen: "持有 %s 个批次", kindClosed: "%s 笔卖出", kindHarvest: "%s 个亏损批次", kindWash: "%s 笔洗售"}[a.Kind]
		text = fmt.Sprintf(text, count)
		switch {
		case a.Gain != nil && a.Kind == kindClosed:
			text += "，已实现盈亏（洗售调整前）" + change
		case a.Gain != nil:
			text += "，未实现盈亏 " + change
		}
		if a.Unknown > 0 {
			text += fmt.Sprintf("，其中 %d 个盈亏未知", a.Unknown)
		}
		if len(a.Waiting) > 0 {
			text += fmt.Sprintf("；另有 %d 笔亏损在规定日期前买回会成为洗售", len(a.Waiting))
		}
		return text + "。"
	}
	text := count + " " + several
	if a.Count == 1 {
		text = count + " " + one
	}
	if a.Gain != nil {
		text += ", " + gain + " " + change
	}
	if a.Unknown > 0 {
		text += fmt.Sprintf(", %d with unknown gain", a.Unknown)
	}
	if n := len(a.Waiting); n > 0 {
		text += fmt.Sprintf("; a purchase can still disallow %d more", n)
	}
	return text + "."
}

// Explain implements [toolkit.Explainer].
func (a lotsAnswer) Explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{Source: JoinSources(a.Prices), AsOf: a.day}
	_, several, gain := a.lotWords()
	switch field {
	case "total_gain_base":
		e.Label = gain
	case "count":
		e.Label = several
	case "years_base": // the base currency totals may equal the tax year totals
		e.Omit = len(a.Years) > 0 && !slices.ContainsFunc(a.Closed, a.differsInBase)
	}
	if field == "count" && a.Kind == kindWash || a.Kind == kindClosed && (field == "count" || field == "gain_unknown") {
		e.Unit = several
	}
	return e
}

// Tables implements [toolkit.Tabler].
func (a lotsAnswer) Tables() []toolkit.Table {
	tables := []toolkit.Table{
		a.openTable(), a.openBaseTable(), a.harvestTable(), a.closedTable(), a.adjustedTable(), a.closedBaseTable(), a.washTable(),
	}
	tables = append(tables, valuationTables(nil, a.Rates)...)
	return slices.DeleteFunc(tables, func(t toolkit.Table) bool { return len(t.Rows) == 0 })
}

// column is a column of a table. A column without a head is omitted.
type column[T any] struct {
	head string
	cell func(row T) string
}

// lotTable returns a table of the first rows.
func lotTable[T any](title string, rows []T, columns ...column[T]) toolkit.Table {
	columns = slices.DeleteFunc(columns, func(c column[T]) bool { return c.head == "" })
	t := toolkit.Table{Title: title}
	for _, c := range columns {
		t.Columns = append(t.Columns, c.head)
	}
	for _, row := range rows[:min(len(rows), maxLotRows)] {
		cells := make([]string, len(columns))
		for i, c := range columns {
			cells[i] = c.cell(row)
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// headIf returns the head of an optional column.
func headIf(shown bool, head string) string {
	if !shown {
		return ""
	}
	return head
}

func quantityText(d *decimal.Decimal) string { return toolkit.Format(d, toolkit.Exact, "") }

func moneyText(d *decimal.Decimal, currency string) string {
	return toolkit.Format(d, toolkit.Money, currency)
}

func textOrUnknown[T ~string](text T) string { return cmp.Or(string(text), toolkit.NotAvailable) }

func untaxedMark(untaxed bool) string {
	if untaxed {
		return " (untaxed)"
	}
	return ""
}

// sharedCurrency is the only currency of a table, "" if there are several.
type sharedCurrency string

// findSharedCurrency returns the currency shared by all rows that have one.
func findSharedCurrency[T any](rows []T, currencies func(T) []string) sharedCurrency {
	shared := ""
	for _, row := range rows {
		for _, unit := range currencies(row) {
			if shared != "" && unit != "" && unit != shared {
				return ""
			}
			shared = cmp.Or(shared, unit)
		}
	}
	return sharedCurrency(shared)
}

// title appends the currency to a table title, so that cells can omit it.
func (u sharedCurrency) title(text string) string {
	if u == "" {
		return text
	}
	return text + " in " + string(u)
}

// head returns the head of the column that identifies a lot, with its currency if there are
// several.
func (u sharedCurrency) head() string {
	if u == "" {
		return "symbol, account, currency"
	}
	return "symbol, account"
}

// lot identifies a lot. Cost or proceeds are in currency, the amount they are compared with in
// otherCurrency.
func (u sharedCurrency) lot(symbol market.Symbol, account, currency, otherCurrency string) string {
	cell := string(symbol) + " " + account
	switch {
	case u != "":
		return cell
	case currency == "" || otherCurrency == "" || currency == otherCurrency:
		return cell + " " + cmp.Or(currency, otherCurrency)
	}
	return cell + " " + currency + "/" + otherCurrency
}

// openTable returns the table of open lots. It fits into 80 columns, because cells with two words wrap.
func (a lotsAnswer) openTable() toolkit.Table {
	termed := a.rules.Name != ""
	unit := findSharedCurrency(a.Open, func(l openLot) []string { return []string{l.CostUnit, l.PriceUnit} })
	acquired := "acquired"
	if termed {
		acquired += ", long-term from"
	}
	return lotTable(unit.title("Lots"), a.Open,
		column[openLot]{unit.head(), func(l openLot) string {
			return unit.lot(l.Symbol, l.Account+untaxedMark(l.Untaxed), l.CostUnit, l.PriceUnit)
		}},
		column[openLot]{acquired, func(l openLot) string { return strings.TrimSpace(textOrUnknown(l.Acquired) + " " + l.LongFrom) }},
		column[openLot]{"units:", func(l openLot) string { return quantityText(l.Quantity) }},
		column[openLot]{"cost basis:", func(l openLot) string { return sumText(l.Cost, toolkit.Money, l.CostUnit) }},
		column[openLot]{"price:", func(l openLot) string { return sumText(l.Price, toolkit.Price, l.PriceUnit) }},
		column[openLot]{"gain:", func(l openLot) string { return sumText(l.Gain, toolkit.Gain, l.CostUnit) }},
		column[openLot]{"in %:", func(l openLot) string { return percentChange(l.GainPct) }},
		column[openLot]{headIf(termed, "term"), func(l openLot) string { return textOrUnknown(l.Term) }})
}

// openBaseTable shows the gain of lots in the base currency, if it differs or includes wash sales.
func (a lotsAnswer) openBaseTable() toolkit.Table {
	washed := slices.ContainsFunc(a.Open, func(l openLot) bool { return l.TaxGain != nil })
	if !washed && !slices.ContainsFunc(a.Open, func(l openLot) bool {
		return l.CostUnit != a.Currency && l.Cost != nil || l.PriceUnit != a.Currency && l.Price != nil
	}) {
		return toolkit.Table{}
	}
	return lotTable("In "+a.Currency+", cost basis at the rate of the acquisition date", a.Open,
		column[openLot]{"symbol", func(l openLot) string { return string(l.Symbol) }},
		column[openLot]{"acquired", func(l openLot) string { return textOrUnknown(l.Acquired) }},
		column[openLot]{"value:", func(l openLot) string { return sumText(l.ValueBase, toolkit.Money, a.Currency) }},
		column[openLot]{"cost basis:", func(l openLot) string { return sumText(l.CostBase, toolkit.Money, a.Currency) }},
		column[openLot]{"gain:", func(l openLot) string { return sumText(l.GainBase, toolkit.Gain, a.Currency) }},
		column[openLot]{"in %:", func(l openLot) string { return percentChange(l.GainBasePct) }},
		column[openLot]{headIf(washed, "with wash sales:"), func(l openLot) string { return sumText(l.TaxGain, toolkit.Gain, a.Currency) }})
}

func (a lotsAnswer) harvestTable() toolkit.Table {
	if a.Kind != kindHarvest {
		return toolkit.Table{}
	}
	return lotTable("Wash sale rule", a.Open,
		column[openLot]{"symbol", func(l openLot) string { return string(l.Symbol) }},
		column[openLot]{"acquired", func(l openLot) string { return textOrUnknown(l.Acquired) }},
		column[openLot]{"status", func(l openLot) string { return l.Harvest.Status }},
		column[openLot]{"blocked by purchases", func(l openLot) string {
			var blocks []string
			for _, p := range l.Harvest.Blocks {
				blocks = append(blocks, fmt.Sprintf("%s of %s in %s", quantityText(p.Quantity), p.Date, p.Account))
			}
			return toolkit.JoinFew(blocks)
		}},
		column[openLot]{"sell from", func(l openLot) string { return textOrUnknown(l.Harvest.SellFrom) }},
		column[openLot]{"buy again from, if sold today", func(l openLot) string { return textOrUnknown(l.Harvest.BuyAgain) }})
}

func (a lotsAnswer) closedTable() toolkit.Table {
	unit := findSharedCurrency(a.Closed, func(c closedLot) []string { return []string{c.Currency, c.CostCurrency} })
	return lotTable(unit.title("Sales"), a.Closed,
		column[closedLot]{"sold, acquired", func(c closedLot) string { return c.Sold + " " + textOrUnknown(c.Acquired) }},
		column[closedLot]{unit.head(), func(c closedLot) string {
			return unit.lot(c.Symbol, c.Account+untaxedMark(c.Untaxed), c.Currency, c.CostCurrency)
		}},
		column[closedLot]{"units:", func(c closedLot) string { return quantityText(c.Quantity) }},
		column[closedLot]{"proceeds:", func(c closedLot) string { return sumText(c.Proceeds, toolkit.Money, c.Currency) }},
		column[closedLot]{"cost basis:", func(c closedLot) string { return sumText(c.Cost, toolkit.Money, c.CostIn) }},
		column[closedLot]{"gain:", func(c closedLot) string { return sumText(c.Gain, toolkit.Gain, c.Currency) }},
		column[closedLot]{headIf(slices.ContainsFunc(a.Closed, func(c closedLot) bool { return c.Withheld != nil }), "tax withheld:"), func(c closedLot) string { return sumText(c.Withheld, toolkit.Money, c.Currency) }},
		column[closedLot]{"in %:", func(c closedLot) string { return percentChange(c.GainPct) }},
		column[closedLot]{headIf(a.rules.Name != "", "term"), func(c closedLot) string { return textOrUnknown(c.Term) }})
}

// adjustedTable shows how wash sales changed the gains.
func (a lotsAnswer) adjustedTable() toolkit.Table {
	adjusted := slices.DeleteFunc(slices.Clone(a.Closed), func(c closedLot) bool { return c.Added == nil && c.Disallowed == nil })
	return lotTable("Wash sales in these gains", adjusted,
		column[closedLot]{"sold", func(c closedLot) string { return c.Sold }},
		column[closedLot]{"symbol", func(c closedLot) string { return string(c.Symbol) }},
		column[closedLot]{"held from", func(c closedLot) string { return textOrUnknown(cmp.Or(c.HeldFrom, c.Acquired)) }},
		column[closedLot]{"added to the cost:", func(c closedLot) string { return moneyText(c.Added, c.AddedIn) }},
		column[closedLot]{"disallowed:", func(c closedLot) string { return moneyText(c.Disallowed, c.Currency) }})
}

// closedBaseTable shows the gain of sales in the base currency, if any is in another currency.
func (a lotsAnswer) closedBaseTable() toolkit.Table {
	if a.Currency == "" || !slices.ContainsFunc(a.Closed, a.differsInBase) {
		return toolkit.Table{}
	}
	return lotTable("In "+a.Currency+" at the rate of each day, before wash sales", a.Closed,
		column[closedLot]{"sold", func(c closedLot) string { return c.Sold }},
		column[closedLot]{"symbol", func(c closedLot) string { return string(c.Symbol) }},
		column[closedLot]{"proceeds:", func(c closedLot) string { return sumText(c.ProceedsBase, toolkit.Money, a.Currency) }},
		column[closedLot]{"cost basis:", func(c closedLot) string { return sumText(c.CostBase, toolkit.Money, a.Currency) }},
		column[closedLot]{"gain:", func(c closedLot) string { return sumText(c.GainBase, toolkit.Gain, a.Currency) }})
}

// differsInBase reports whether a sale has different figures in the base currency.
func (a lotsAnswer) differsInBase(c closedLot) bool {
	return c.Currency != a.Currency || c.CostCurrency != ""
}

func (a lotsAnswer) washTable() toolkit.Table {
	return lotTable("Wash sales", a.Washes,
		column[washLine]{"sold", func(w washLine) string { return toolkit.FormatDate(w.Date) }},
		column[washLine]{"symbol, account", func(w washLine) string { return string(w.Symbol) + " " + w.Account }},
		column[washLine]{"units:", func(w washLine) string { return quantityText(w.Quantity) }},
		column[washLine]{"disallowed:", func(w washLine) string { return moneyText(w.Disallowed, w.Currency) }},
		column[washLine]{"replaced by", func(w washLine) string {
			return fmt.Sprintf("%s in %s, %s, %s", w.ReplacementSymbol, w.ReplacementAccount, toolkit.FormatDate(w.ReplacementDate), daysApart(w.Days))
		}},
		column[washLine]{"added", func(w washLine) string {
			if w.Permanent {
				return "lost: replacement is in an untaxed account"
			}
			return "to the cost of the replacement"
		}},
		column[washLine]{"held from", func(w washLine) string { return textOrUnknown(toolkit.FormatDate(w.HeldFrom)) }})
}

// daysApart describes when a replacement was bought relative to the sale.
func daysApart(days int) string {
	when, n := "after", days
	if days < 0 {
		when, n = "before", -days
	}
	switch n {
	case 0:
		return "the same day"
	case 1:
		return "1 day " + when
	}
	return fmt.Sprintf("%d days %s", n, when)
}
