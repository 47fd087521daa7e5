package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const addDescription = `Records one transaction after the user confirms: purchase, sale, dividend, fee, deposit, transfer, split and others. Use for "I bought 3 IBM at 141.50"; for a broker file use import_transactions. Ask for missing values; never invent them. Places no orders.`

const addDetails = `The confirmation shows the transaction, the lots that a sale closes with their gains, and the resulting position and cash of the account. No order is placed.
kind is one of buy, sell, dividend, reinvested_dividend, interest, fee, tax, interest_paid, fee_refund, tax_refund, deposit, withdrawal, transfer_in, transfer_out, split, reverse_split, spin_off, merger, return_of_capital or currency_exchange.
Amounts are positive numbers before fee and tax; kind determines the direction. Give quantity with either price or amount.
Extra fields by kind: transfer_in: acquired (day of purchase), cost_unknown. transfer_out: to_account. merger, spin_off: to_symbol. currency_exchange: to_currency, to_amount. split, reverse_split, merger: new and old, 4 and 1 for four new shares for one old share. spin_off, merger with cash: cost_part, the fraction of the cost basis that moves. sell: short, to sell more than the position. sell, transfer_out: lots, as [{"lot": ID from tax_lots, "quantity": N}]; the default lots follow the account's cost basis method.
To correct a recorded transaction, set replaces to its ID and give all values of the new one. The whole ledger is checked first. A sale of more than the position, or cash below zero, is refused; the error gives the current quantity or balance. The result has the id for remove_transaction.`

const addKeywords = "record add enter log transaction trade bought sold buy sell purchase dividend deposit withdraw withdrawal fee transfer split merger received 记录 记一笔 记账 买入 卖出 买了 卖了 存入 转入 分红到账"

var addPhrasings = []string{
	"I bought <num> shares of <sym> at <num>",
	"record a sale of <num> <sym>",
	"I deposited <num> into my account",
	"log a dividend of <num> from <sym>",
	"<sym> had a <num> for <num> split, add it",
	"我买了<num>股<sym>",
	"帮我记一笔卖出<sym>",
	"记录一笔入金<num>",
}

// draft is a transaction as it was previewed.
type draft struct {
	transaction portfolio.Transaction
	accounts    []portfolio.Account  // to be created
	securities  []portfolio.Security // listings that the user confirms
	replaces    string               // ID
	again       bool
	notes       []string
}

// newAddTransaction returns the tool that records one transaction.
func newAddTransaction(d Deps) tool.Tool {
	return newChangeTool("add_transaction", addDescription, tool.Writes, d.prepareAdd).Asks("Record this transaction in your portfolio?").WithDetails(addDetails).Find("ledger", addKeywords, addPhrasings...)
}

func (d Deps) prepareAdd(ctx context.Context, in entryInput) (toolkit.MutationPlan, error) {
	l, err := d.ledgerToChange(ctx)
	if err != nil {
		return toolkit.MutationPlan{}, err
	}
	ready, err := d.draft(ctx, l, in)
	if err != nil {
		return toolkit.MutationPlan{}, err
	}
	c, err := d.checkDraft(l, ready)
	if err != nil {
		return toolkit.MutationPlan{}, err
	}
	b, err := positions.ApplyChange(l, c)
	if err != nil {
		return toolkit.MutationPlan{}, positions.Redact(err)
	}
	plan := []string{"records " + positions.DescribeTransaction(ready.transaction)}
	plan = append(plan, ready.notes...)
	for _, a := range c.Accounts {
		plan = append(plan, positions.DescribeNewAccount(a, ""))
	}
	plan = append(plan, newTransactionEffect(b, ready.transaction.ID).lines()...)
	return toolkit.MutationPlan{Changes: plan, Run: func(ctx context.Context) (tool.Result, error) { return d.add(ctx, ready) }}, nil
}

// draft builds the transaction and fills in omitted values.
func (d Deps) draft(ctx context.Context, l portfolio.Ledger, in entryInput) (*draft, error) {
	t, err := in.transaction()
	if err != nil {
		return nil, err
	}
	if err := t.CheckDate(d.Today()); err != nil {
		return nil, err
	}
	ready := &draft{again: in.Again, replaces: strings.TrimSpace(in.Replaces)}
	if ready.replaces != "" {
		old, found := findTransaction(l, ready.replaces)
		if !found {
			return nil, fmt.Errorf("%w: %w %.40q; portfolio_transactions lists the IDs", errEntry, portfolio.ErrUnknownTransaction, ready.replaces)
		}
		ready.replaces = old.ID
		ready.addNote("replaces " + positions.DescribeTransaction(old))
	}
	var missing *portfolio.Account
	if t.Account, missing, err = accountFor(l, in.Account, t.Kind, in.NewAccount); err != nil {
		return nil, err
	}
	if missing != nil {
		ready.accounts = append(ready.accounts, *missing)
	}
	if err := d.nameSecurities(ctx, l, in, &t, ready); err != nil {
		return nil, err
	}
	remark, err := d.fillCurrency(ctx, l, &t)
	if err != nil {
		return nil, err
	}
	ready.addNote(remark)
	ready.confirmListing(l, t, d.priceCurrency(ctx, l, t), d.Today())
	if err := settleAmount(&t); err != nil {
		return nil, err
	}
	if err := t.Validate(); err != nil {
		return nil, err
	}
	ids, err := d.NewIDs(1)
	if err != nil {
		return nil, err
	}
	t.ID = ids[0]
	ready.transaction = t
	return ready, nil
}

func (r *draft) addNote(text string) {
	if text != "" {
		r.notes = append(r.notes, text)
	}
}

// confirmListing records the currency that a purchase's security is quoted in if it was paid in
// another one. The user sees both and confirms them with the transaction.
func (r *draft) confirmListing(l portfolio.Ledger, t portfolio.Transaction, quoted string, today market.Date) {
	symbol := positions.ResolveTransaction(l.Aliases, t)
	listed := reference.Describe(symbol)
	quoted = cmp.Or(quoted, listed.TradingCurrency)
	if _, coin := symbol.CoinPair(); coin || t.Kind != portfolio.KindBuy || quoted == "" || quoted == t.Currency || t.Currency == "" {
		return
	}
	s := portfolio.Security{Symbol: symbol}
	for _, have := range l.Securities {
		if have.Symbol == symbol {
			s = have
		}
	}
	if s.Currency != "" {
		return
	}
	s.Exchange, s.Currency, s.RecordedOn = listed.MIC, quoted, today
	r.securities = append(r.securities, s)
	r.addNote(fmt.Sprintf("%s is quoted in %s, but this purchase is in %s", symbol, quoted, t.Currency))
}

func (d Deps) nameSecurities(ctx context.Context, l portfolio.Ledger, in entryInput, t *portfolio.Transaction, ready *draft) error {
	if in.Symbol != "" {
		found, err := d.resolveSecurity(ctx, l, in.Symbol, in.Unlisted)
		if err != nil {
			return err
		}
		t.Symbol, t.ISIN = found.symbol, found.isin
		ready.addNote(found.note)
	}
	if in.ToSymbol != "" {
		found, err := d.resolveSecurity(ctx, l, in.ToSymbol, in.Unlisted)
		if err != nil {
			return err
		}
		t.ToSymbol = found.symbol
		ready.addNote(found.note)
	}
	return nil
}

// checkDraft returns the change, or an error if the transaction is already recorded.
func (d Deps) checkDraft(l portfolio.Ledger, ready *draft) (portfolio.Change, error) {
	c := portfolio.Change{Add: []portfolio.Transaction{ready.transaction}, Accounts: positions.MissingAccounts(l, ready.accounts), Securities: ready.securities}
	if ready.replaces != "" {
		c.Remove = []string{ready.replaces}
		l.Transactions = slices.DeleteFunc(slices.Clone(l.Transactions), func(t portfolio.Transaction) bool { return t.ID == ready.replaces })
	}
	if !ready.again {
		if id, duplicate := positions.TransactionKeys(l)[positions.NewTransactionKey(ready.transaction, l.Aliases)]; duplicate {
			return portfolio.Change{}, fmt.Errorf("%w: already recorded as %s; if it happened twice, call again with again true", errEntry, id)
		}
	}
	return c, nil
}

// add records the previewed transaction.
func (d Deps) add(ctx context.Context, ready *draft) (tool.Result, error) {
	var answer addAnswer
	err := d.update(ctx, func(l portfolio.Ledger) (portfolio.Change, error) {
		c, err := d.checkDraft(l, ready)
		if err != nil {
			return c, err
		}
		b, err := positions.ApplyChange(l, c)
		if err != nil {
			return c, err
		}
		answer = addAnswer{
			Recorded: newBooking(ready.transaction), Booking: positions.DescribeTransaction(ready.transaction), Remarks: ready.notes,
			transactionEffect: newTransactionEffect(b, ready.transaction.ID), Origin: d.LedgerOrigin(),
		}
		for _, a := range c.Accounts {
			answer.AccountsMade = append(answer.AccountsMade, positions.DescribeNewAccount(a, ""))
		}
		return c, nil
	})
	if err != nil {
		return changeErrorResult(err)
	}
	return toolkit.Render(answer), nil
}

// addAnswer is the recorded transaction and its effect on the portfolio.
type addAnswer struct {
	Recorded     booking  `json:"recorded"`
	Booking      string   `json:"booking" sensitive:"amount"`
	AccountsMade []string `json:"accounts_made,omitempty"`
	transactionEffect
	Remarks []string `json:"remarks,omitempty"`
	toolkit.Origin
}

// Headline implements [toolkit.Answer].
func (a addAnswer) Headline(lang string) string {
	if lang == "zh" {
		return "已记录：" + a.Recorded.text() + "。"
	}
	return "Recorded: " + a.Recorded.text() + "."
}

// Title implements [toolkit.Titled].
func (a addAnswer) Title() string { return a.Recorded.title() }

// Summary implements [toolkit.Summarizer].
func (a addAnswer) Summary() string { return "recorded" }

// Text implements [toolkit.Texter].
func (a addAnswer) Text() string {
	return bullets(a.AccountsMade, a.Remarks, []string{"to undo this: nfa portfolio remove " + a.Recorded.ID})
}

// bullets joins lists of sentences into one Markdown list.
func bullets(lists ...[]string) string {
	var b strings.Builder
	for _, line := range slices.Concat(lists...) {
		b.WriteString("- " + toolkit.EscapeMarkdown(line) + "\n")
	}
	return b.String()
}

// accountFor returns the account of a transaction: the named one, or the only one. The second
// result is an account to create, nil if it exists.
func accountFor(l portfolio.Ledger, name string, kind portfolio.Kind, makeNew bool) (string, *portfolio.Account, error) {
	name = strings.TrimSpace(name)
	if name == "" {
		switch len(l.Accounts) {
		case 1:
			return l.Accounts[0].Name, nil, nil
		case 0:
			name = positions.DefaultAccount
		default:
			return "", nil, fmt.Errorf("the ledger has the accounts %s; name the account", accountNames(l))
		}
	}
	if _, exists := l.Account(name); exists {
		return name, nil, nil
	}
	if len(l.Accounts) > 0 && !makeNew {
		return "", nil, fmt.Errorf("%w %.60q: there %s; to create it, set new_account", portfolio.ErrUnknownAccount, name, existingAccounts(l))
	}
	a := portfolio.NewAccount(name)
	if kind != portfolio.KindDeposit {
		// Do not track cash if the first transaction is a trade, because the balance would be
		// negative.
		a.Cash = portfolio.CashUntracked
	}
	return name, &a, a.Validate()
}

func existingAccounts(l portfolio.Ledger) string {
	if len(l.Accounts) == 0 {
		return "are no accounts yet"
	}
	return "are " + accountNames(l)
}

func accountNames(l portfolio.Ledger) string {
	names := make([]string, len(l.Accounts))
	for i, a := range l.Accounts {
		names[i] = fmt.Sprintf("%q", a.Name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
