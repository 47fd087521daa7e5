package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type listInput struct {
	Account string `json:"account,omitempty" jsonschema:"Account name. Default: all accounts."`
	Symbol  string `json:"symbol,omitempty" jsonschema:"Symbol, or the name recorded for it."`
	Kind    string `json:"kind,omitempty" jsonschema:"Such as buy or dividend."`
	From    string `json:"from,omitempty" jsonschema:"Start date: YYYY, YYYY-MM or YYYY-MM-DD."`
	To      string `json:"to,omitempty" jsonschema:"End date: YYYY, YYYY-MM or YYYY-MM-DD."`
	Text    string `json:"text,omitempty" jsonschema:"Text to find in name, note, symbol, ISIN, source or id."`
	Limit   int    `json:"limit,omitempty" jsonschema:"At most 100. Default 30."`
}

const listDescription = `Recorded transactions of the user, newest first, with id, kind, quantity, amount, fee and tax. Use for "when did I buy X" or to find the id for remove_transaction; for positions use portfolio_positions. If matched exceeds shown, narrow the filters.`

const listDetails = `Each transaction has its id, date, kind, account, symbol, quantity, amount before fee and tax with its currency, fee and tax. held is the account's position in the symbol after the transaction. n numbers the matching transactions from the oldest. matched is the number of matches.
Use the tool to look up a transaction, to check an import, or to find an id.`

const listKeywords = "transactions transaction trades history ledger recorded entries list buy bought purchases sold sales date when dividends received fees paid deposits statement activity import 交易记录 交易 流水 明细 历史 买入 卖出 分红记录"

var listPhrasings = []string{
	"when did I buy <sym>",
	"list my transactions since <num>",
	"show the dividends I received in <num>",
	"all trades in my account last month",
	"find the transaction that I entered twice",
	"我的交易记录",
	"我什么时候卖出了<sym>",
	"今年收到的分红明细",
}

const (
	defaultListLimit = 30
	maxListLimit     = 100
)

// newPortfolioTransactions returns the tool that lists transactions.
func newPortfolioTransactions(d Deps) tool.Tool {
	return tool.New("portfolio_transactions", listDescription, tool.Reads, func(ctx context.Context, in listInput) (tool.Result, error) {
		l, err := d.Store.Ledger(ctx)
		if err != nil {
			return tool.Result{}, err
		}
		if len(l.Transactions) == 0 {
			_, err := d.Load(ctx) // the same error as the other portfolio tools
			return tool.Failed(tool.CodeNoData, cmp.Or(err, positions.ErrEmptyLedger).Error()), nil
		}
		matches, err := d.newFilter(l, in, containsText)
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		res := toolkit.Render(d.list(l, matches, in.Limit))
		if strings.ContainsFunc(in.Text, unicode.IsNumber) {
			// Otherwise a model could guess hidden amounts and have them confirmed.
			if matches, err = d.newFilter(l, in, namesContainText); err != nil {
				return toolkit.InvalidResult(err)
			}
			res.Redacted = toolkit.Render(d.list(l, matches, in.Limit)).Redacted
		}
		return res, nil
	}).WithOutput(toolkit.OutputSchema[listAnswer]()).WithDetails(listDetails).Find("ledger", listKeywords, listPhrasings...)
}

// newFilter returns the filter of a call, without transactions dated after the clock. contains
// looks for the text.
func (d Deps) newFilter(l portfolio.Ledger, in listInput, contains func(t portfolio.Transaction, text string) bool) (func(portfolio.Transaction) bool, error) {
	var sym market.Symbol
	if in.Symbol != "" {
		parsed, err := market.ParseSymbol(in.Symbol)
		if err != nil {
			return nil, err
		}
		sym = positions.ResolveAlias(l.Aliases, parsed)
	}
	if _, exists := l.Account(in.Account); in.Account != "" && !exists {
		return nil, fmt.Errorf("%w %.60q: there %s", portfolio.ErrUnknownAccount, in.Account, existingAccounts(l))
	}
	kind := portfolio.Kind(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(in.Kind)), " ", "_"))
	if kind != "" && !slices.Contains(portfolio.Kinds(), kind) {
		return nil, fmt.Errorf("kind %.40q is not one of %v", in.Kind, portfolio.Kinds())
	}
	if in.Limit < 0 || in.Limit > maxListLimit {
		return nil, fmt.Errorf("limit %d is out of range; use 1 to %d", in.Limit, maxListLimit)
	}
	from, _, err := toolkit.ParseDate(in.From)
	if err != nil {
		return nil, err
	}
	_, to, err := toolkit.ParseDate(in.To)
	if err != nil {
		return nil, err
	}
	if today := d.Today(); to.IsZero() || to.After(today) {
		to = today
	}
	text := strings.ToLower(strings.TrimSpace(in.Text))
	return func(t portfolio.Transaction) bool {
		return !t.Date.Before(from) && !t.Date.After(to) &&
			(in.Account == "" || t.Account == in.Account || t.ToAccount == in.Account) &&
			(kind == "" || t.Kind == kind) &&
			(sym == "" || positions.ResolveAlias(l.Aliases, t.Symbol) == sym || positions.ResolveAlias(l.Aliases, t.ToSymbol) == sym) &&
			(text == "" || contains(t, text))
	}, nil
}

// containsText reports whether a name or the note of a transaction contains text.
func containsText(t portfolio.Transaction, text string) bool {
	return namesContainText(t, text) || strings.Contains(strings.ToLower(t.Name), text) || strings.Contains(strings.ToLower(t.Note), text)
}

// namesContainText reports whether an identifier of a transaction contains text. It ignores free
// text from users and brokers.
func namesContainText(t portfolio.Transaction, text string) bool {
	names := []string{string(t.Symbol), string(t.ToSymbol), t.ISIN, t.Source, t.ID}
	return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(strings.ToLower(name), text) })
}

// list returns the matching transactions. It also lists an invalid ledger, so that the user can
// find the faults.
func (d Deps) list(l portfolio.Ledger, matches func(portfolio.Transaction) bool, limit int) listAnswer {
	if limit == 0 {
		limit = defaultListLimit
	}
	l, laterWarnings := d.LedgerToDate(l)
	a := listAnswer{Recorded: len(l.Transactions), Transactions: []listedTransaction{}, Outside: toolkit.OutsideTextNote, Origin: d.LedgerOrigin()}
	a.Warnings.WarnEach("later_transactions", laterWarnings...)
	b, err := positions.ApplyChange(l, portfolio.Change{})
	if err != nil {
		a.Warnings.Warn("invalid_ledger", "The ledger is invalid: %v", positions.Redact(err))
	}
	var ordered []*portfolio.Transaction
	had := map[string]decimal.Decimal{}
	if b != nil {
		ordered, had = b.OrderedTransactions(), runningQuantities(b)
	} else {
		for i := range l.Transactions {
			ordered = append(ordered, &l.Transactions[i])
		}
		slices.SortStableFunc(ordered, func(a, b *portfolio.Transaction) int { return a.Date.Compare(b.Date) })
	}
	ordered = slices.DeleteFunc(slices.Clone(ordered), func(t *portfolio.Transaction) bool { return !matches(*t) })
	a.Matched = len(ordered)
	a.Shown = min(a.Matched, limit)
	for i := range a.Shown {
		n := a.Matched - i
		t := ordered[n-1]
		row := listedTransaction{N: n, booking: newBooking(*t)}
		if quantity, ok := had[t.ID]; ok {
			row.Held = &quantity
		}
		a.Transactions = append(a.Transactions, row)
	}
	return a
}

// listedTransaction is one transaction of the list.
type listedTransaction struct {
	N int `json:"n"` // position among the matches, oldest first
	booking
	Held *decimal.Decimal `json:"held,omitempty" label:"held" as:"exact" unit:"units" formula:"sum of all transactions up to this one" sensitive:"amount" sparse:"true"` // after the transaction, of the symbol in the account
}

type listAnswer struct {
	Recorded     int                 `json:"recorded" label:"in the ledger" unit:"transactions" row:"-"`
	Matched      int                 `json:"matched" label:"matching" unit:"transactions" row:"-"`
	Shown        int                 `json:"shown" label:"shown" unit:"transactions" row:"-"`
	Transactions []listedTransaction `json:"transactions" table:"Transactions" max:"fit"`
	Outside      string              `json:"outside"`
	Warnings     toolkit.Notes       `json:"warnings,omitempty"`
	toolkit.Origin
}

// Explain implements [toolkit.Explainer]. The table has the columns that most transactions use.
func (a listAnswer) Explain(field string) toolkit.Explanation {
	switch strings.TrimPrefix(field, "transactions.") {
	case "cost_unknown", "acquired", "cost_part", "short", "note":
		return toolkit.Explanation{Omit: true}
	}
	return toolkit.Explanation{}
}

// Headline implements [toolkit.Answer].
func (a listAnswer) Headline(lang string) string {
	shown, matched, recorded := toolkit.FormatCount(a.Shown), toolkit.FormatCount(a.Matched), toolkit.FormatCount(a.Recorded)
	if lang == "zh" {
		return fmt.Sprintf("共 %s 笔交易，其中 %s 笔符合条件，显示最近 %s 笔。", recorded, matched, shown)
	}
	return fmt.Sprintf("%s of %s transactions match; the latest %s are shown.", matched, recorded, shown)
}

// Title implements [toolkit.Titled].
func (a listAnswer) Title() string {
	return toolkit.FormatCount(a.Matched) + " of " + toolkit.FormatCount(a.Recorded) + " transactions"
}

// Summary implements [toolkit.Summarizer].
func (a listAnswer) Summary() string {
	return fmt.Sprintf("%s of %s matches, from %s", toolkit.FormatCount(a.Shown), toolkit.FormatCount(a.Matched), toolkit.FormatCount(a.Recorded))
}

// runningQuantities returns the position of the account after each transaction that changes it.
func runningQuantities(engine *lots.Engine) map[string]decimal.Decimal {
	type place struct {
		account string
		symbol  market.Symbol
	}
	had, sums := map[string]decimal.Decimal{}, map[place]decimal.Decimal{}
	first := map[string]place{}
	for _, p := range engine.Postings() {
		if p.Currency != "" {
			continue
		}
		at := place{p.Account, p.Symbol}
		sums[at] = sums[at].Add(p.Quantity)
		// A transfer between two accounts is listed under the sending account.
		if begun, ok := first[p.Transaction]; ok && begun != at {
			continue
		}
		first[p.Transaction], had[p.Transaction] = at, sums[at]
	}
	return had
}
