package ledger

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type removeInput struct {
	ID string `json:"id" jsonschema:"ID from portfolio_transactions, or last for the newest manual entry."`
}

const removeDescription = `Removes one recorded transaction after the user confirms. Use for "undo that" or a wrong entry; portfolio_transactions lists the id. To correct one, use add_transaction with replaces. Refused if a later transaction depends on it: remove that one first.`

const removeDetails = `The confirmation shows the transaction. A transaction that a later one depends on, such as a purchase of shares that were sold, is not removed; the error names the later one. A transaction from a broker file returns if the file is imported again.`

const removeKeywords = "remove delete undo erase revert transaction trade entry wrong mistake duplicate incorrect correct cancel recorded 删除 删掉 撤销 移除 记错 录错 重复"

var removePhrasings = []string{
	"delete the transaction I just added",
	"undo my last entry",
	"I recorded <sym> by mistake, take it out",
	"remove the duplicate purchase of <num> shares",
	"删除刚才那笔交易",
	"<sym>那笔记错了，撤销",
}

type removeAnswer struct {
	Removed booking `json:"removed"`
	Booking string  `json:"booking" sensitive:"amount"`
	toolkit.Origin
}

// Headline implements [toolkit.Answer].
func (a removeAnswer) Headline(lang string) string {
	if lang == "zh" {
		return "已删除：" + a.Removed.text() + "。"
	}
	return "Removed: " + a.Removed.text() + "."
}

// Title implements [toolkit.Titled].
func (a removeAnswer) Title() string { return a.Removed.title() }

// Summary implements [toolkit.Summarizer].
func (a removeAnswer) Summary() string { return "removed" }

// newRemoveTransaction returns the tool that removes a transaction.
func newRemoveTransaction(d Deps) tool.Tool {
	return newChangeTool("remove_transaction", removeDescription, tool.Writes, d.prepareRemove).Asks("Remove this transaction from your portfolio?").WithDetails(removeDetails).Find("ledger", removeKeywords, removePhrasings...)
}

func (d Deps) prepareRemove(ctx context.Context, in removeInput) (toolkit.MutationPlan, error) {
	l, err := d.ledgerToChange(ctx)
	if err != nil {
		return toolkit.MutationPlan{}, err
	}
	t, exists := findTransaction(l, strings.TrimSpace(in.ID))
	if !exists {
		return toolkit.MutationPlan{}, fmt.Errorf("%w %.64q: find the id with portfolio_transactions", portfolio.ErrUnknownTransaction, strings.TrimSpace(in.ID))
	}
	_, warning, err := planRemoval(l, t)
	if err != nil {
		return toolkit.MutationPlan{}, err
	}
	plan := []string{"removes " + positions.DescribeTransaction(t)}
	if t.Source != "" {
		plan = append(plan, fmt.Sprintf("it came from a %s file: importing the file again restores it", t.Source))
	}
	if warning != "" {
		plan = append(plan, warning)
	}
	return toolkit.MutationPlan{Changes: plan, Run: func(ctx context.Context) (tool.Result, error) { return d.remove(ctx, t) }}, nil
}

// planRemoval returns the change if the ledger is valid with it. An invalid ledger may also be
// changed, because removing a transaction is how it is fixed; the warning reports this.
func planRemoval(l portfolio.Ledger, t portfolio.Transaction) (c portfolio.Change, warning string, err error) {
	c = portfolio.Change{Remove: []string{t.ID}}
	_, err = positions.ApplyChange(l, c)
	if err == nil {
		return c, "", nil
	}
	if _, before := positions.ApplyChange(l, portfolio.Change{}); before != nil {
		return c, "the ledger is already invalid and stays invalid: " + err.Error(), nil
	}
	var needs *portfolio.TransactionError
	if errors.As(err, &needs) {
		return c, "", fmt.Errorf("%w: %s depends on it; remove that one first: %w", errRemoval, positions.TransactionLabel(needs.Transaction), positions.Redact(err))
	}
	return c, "", fmt.Errorf("%w: removing it would make the ledger invalid: %w", errRemoval, positions.Redact(err))
}

func (d Deps) remove(ctx context.Context, shown portfolio.Transaction) (tool.Result, error) {
	err := d.update(ctx, func(l portfolio.Ledger) (portfolio.Change, error) {
		t, exists := findTransaction(l, shown.ID)
		if !exists {
			return portfolio.Change{}, fmt.Errorf("%w %s: it was already removed", portfolio.ErrUnknownTransaction, shown.ID)
		}
		if positions.DescribeTransaction(t) != positions.DescribeTransaction(shown) {
			return portfolio.Change{}, fmt.Errorf("%w: %s has changed since the preview; call again", errRemoval, t.ID)
		}
		c, _, err := planRemoval(l, t)
		return c, err
	})
	if err != nil {
		return changeErrorResult(err)
	}
	return toolkit.Render(removeAnswer{newBooking(shown), positions.DescribeTransaction(shown), d.LedgerOrigin()}), nil
}
