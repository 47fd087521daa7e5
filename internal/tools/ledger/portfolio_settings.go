package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type settingsInput struct {
	Account    *accountInput     `json:"account,omitempty" arg:"rare" jsonschema:"Account to create or change."`
	Aliases    map[string]string `json:"aliases,omitempty" arg:"rare" jsonschema:"{\"US0378331005\": \"AAPL\"}; an empty symbol removes the alias."`
	Securities []securityInput   `json:"securities,omitempty" jsonschema:"Omitted fields are unchanged."`
	Targets    []targetInput     `json:"targets,omitempty" jsonschema:"All targets; the rest is cash."`
	NoTargets  bool              `json:"no_targets,omitempty" arg:"rare" jsonschema:"true to remove all targets."`
}

type accountInput struct {
	Name      string  `json:"name" jsonschema:"Account name."`
	New       bool    `json:"new,omitempty" jsonschema:"true to create it."`
	CostBasis string  `json:"cost_basis,omitempty" jsonschema:"fifo, lifo, highest_cost, average or specific."`
	Cash      string  `json:"cash,omitempty" jsonschema:"tracked, margin or untracked (the file has only trades)."`
	Untaxed   *bool   `json:"untaxed,omitempty" jsonschema:"true for a tax-deferred retirement account."`
	Owner     *string `json:"owner,omitempty" jsonschema:"Taxpayer. Empty for the user."`
}

type securityInput struct {
	Symbol   string      `json:"symbol"`
	Class    string      `json:"class,omitempty" jsonschema:"equity, bond, cash, real_estate, commodity, crypto, mixed or other."`
	Region   string      `json:"region,omitempty"`
	Sector   string      `json:"sector,omitempty"`
	Fee      json.Number `json:"fee,omitempty" jsonschema:"Expense ratio: 0.0007 for 0.07%."`
	Currency string      `json:"currency,omitempty" jsonschema:"Currency of its quotes, to confirm the listing."`
}

type targetInput struct {
	Symbol string      `json:"symbol"`
	Weight json.Number `json:"weight" jsonschema:"0.6 for 60%."`
}

const settingsDescription = `Shows portfolio settings, or changes them after the user confirms: target weights, facts about securities, aliases, and account (name, new, cost_basis, cash, untaxed, owner). Use for "set my targets", which replaces all of them. Record only what the user said.`

const settingsDetails = `Without arguments the tool shows accounts with their cost basis method and cash policy, aliases of securities, what the user recorded about securities, and target weights. With arguments it changes them; omitted values are unchanged. The whole ledger is checked with the change, and a change that would make it invalid is refused.
Use it to set targets before rebalancing, to classify a fund, to set the symbol of an ISIN, or if an import reports that a file has no cash transactions.
cost_basis decides which lots a sale closes. cash is tracked (all payments are in the ledger), margin (the same, but the balance may be negative) or untracked (trades only). untaxed marks a retirement account whose gains are not taxed each year. owner is the taxpayer; empty means the user.
aliases maps a recorded name, such as an ISIN or an old ticker, to the symbol used to request prices; an empty symbol removes the alias. Weights and fees are fractions; the rest up to 1 is cash.`

const settingsKeywords = "settings setting configure set target targets account accounts alias rename isin class classify region sector fee expense basis fifo cash retirement 设置 目标 权重 账户 类别 费率 别名 先进先出"

var settingsPhrasings = []string{
	"set my targets to <pct> <sym> and <pct> <sym>",
	"<sym> is a bond fund, record that",
	"use fifo for my account",
	"<isin> is <sym>",
	"the expense ratio of <sym> is <pct>",
	"my ira is a retirement account",
	"把目标权重设为<pct>股票",
	"设置账户的成本计算方法",
}

// newPortfolioSettings returns the tool that shows and changes the portfolio settings.
func newPortfolioSettings(d Deps) tool.Tool {
	return newChangeTool("portfolio_settings", settingsDescription, tool.Reads, d.prepareSettings).Asks("Change your portfolio settings?").WithDetails(settingsDetails).Find("ledger", settingsKeywords, settingsPhrasings...)
}

func (d Deps) prepareSettings(ctx context.Context, in settingsInput) (toolkit.MutationPlan, error) {
	if !in.changes() {
		return toolkit.MutationPlan{Run: func(ctx context.Context) (tool.Result, error) {
			l, err := d.Store.Ledger(ctx)
			if err != nil {
				return tool.Result{}, err
			}
			return toolkit.Render(d.newSettingsAnswer(l, nil)), nil
		}}, nil
	}
	l, err := d.ledgerToChange(ctx)
	if err != nil {
		return toolkit.MutationPlan{}, err
	}
	_, plan, err := d.planSettings(l, in)
	return toolkit.MutationPlan{Changes: plan, Run: func(ctx context.Context) (tool.Result, error) { return d.applySettings(ctx, in, plan) }}, err
}

func (in settingsInput) changes() bool {
	return in.Account != nil || len(in.Aliases) > 0 || len(in.Securities) > 0 || len(in.Targets) > 0 || in.NoTargets
}

// applySettings makes the change. It fails if the ledger has changed so that the change differs
// from the preview.
func (d Deps) applySettings(ctx context.Context, in settingsInput, shown []string) (tool.Result, error) {
	var changed portfolio.Ledger
	err := d.update(ctx, func(l portfolio.Ledger) (portfolio.Change, error) {
		c, plan, err := d.planSettings(l, in)
		if err != nil {
			return c, err
		}
		if !slices.Equal(plan, shown) {
			return c, fmt.Errorf("%w: the settings have changed since the preview; call again", errSetting)
		}
		changed, err = l.Apply(c)
		return c, err
	})
	if err != nil {
		return changeErrorResult(err)
	}
	return toolkit.Render(d.newSettingsAnswer(changed, shown)), nil
}

// settingsAnswer is the portfolio settings.
type settingsAnswer struct {
	Changed    []string          `json:"changed,omitempty" label:"changed"`
	Accounts   []accountRow      `json:"accounts" table:"Accounts"`
	Aliases    map[string]string `json:"aliases"`
	Securities []securityRow     `json:"securities" table:"Facts about securities"`
	Targets    []targetRow       `json:"targets" table:"Targets"`
	Base       string            `json:"base_currency,omitempty"`
	ForCash    *decimal.Decimal  `json:"left_for_cash,omitempty" label:"left for cash" as:"percent" formula:"1 - the weights"` // nil without targets
	toolkit.Origin
}

// The rows are those of the ledger, with labels for display.
type (
	accountRow struct {
		Name    string               `json:"name" label:"account"`
		Method  portfolio.Method     `json:"cost_basis" label:"cost basis"`
		Cash    portfolio.CashPolicy `json:"cash" label:"cash"`
		Untaxed bool                 `json:"untaxed,omitempty" label:"tax-deferred" sparse:"true"`
		Owner   string               `json:"owner,omitempty" label:"owner" sparse:"true"`
		Holder  string               `json:"-"`
	}
	securityRow struct {
		Symbol     market.Symbol       `json:"symbol" label:"symbol"`
		Class      portfolio.Class     `json:"class,omitempty" label:"class" sparse:"true"`
		Region     string              `json:"region,omitempty" label:"region" sparse:"true"`
		Sector     string              `json:"sector,omitempty" label:"sector" sparse:"true"`
		Exchange   string              `json:"exchange,omitempty" label:"exchange" sparse:"true"`
		Currency   string              `json:"currency,omitempty" label:"quoted in" sparse:"true"`
		Fee        decimal.NullDecimal `json:"fee,omitzero" label:"yearly cost" as:"rate" sparse:"true"`
		RecordedOn market.Date         `json:"said,omitzero" label:"recorded" sparse:"true"`
	}
	targetRow struct {
		Symbol market.Symbol   `json:"symbol" label:"symbol"`
		Weight decimal.Decimal `json:"weight" label:"weight" as:"percent"`
	}
)

// newSettingsAnswer returns the settings of a ledger and the changes just made.
func (d Deps) newSettingsAnswer(l portfolio.Ledger, changed []string) settingsAnswer {
	a := settingsAnswer{
		Changed: changed, Accounts: []accountRow{}, Aliases: map[string]string{}, Securities: []securityRow{}, Targets: []targetRow{},
		Base: d.Base, Origin: d.LedgerOrigin(),
	}
	for _, account := range l.Accounts {
		a.Accounts = append(a.Accounts, accountRow(account))
	}
	for _, s := range l.Securities {
		if !s.RecordedOn.After(d.Today()) {
			a.Securities = append(a.Securities, securityRow(s))
		}
	}
	forCash := decimal.NewFromInt(1)
	for _, t := range l.Targets {
		a.Targets = append(a.Targets, targetRow(t))
		forCash = forCash.Sub(t.Weight)
		a.ForCash = &forCash
	}
	for from, to := range l.Aliases {
		a.Aliases[string(from)] = string(to)
	}
	return a
}

// Headline implements [toolkit.Answer].
func (a settingsAnswer) Headline(lang string) string {
	accounts, targets := len(a.Accounts), len(a.Targets)
	switch {
	case lang == "zh" && len(a.Changed) > 0:
		return fmt.Sprintf("已更改 %d 项设置：%s。", len(a.Changed), toolkit.Abbreviate(a.Changed[0]))
	case lang == "zh":
		return fmt.Sprintf("投资组合有 %d 个账户、%d 个目标权重。", accounts, targets)
	case len(a.Changed) == 1:
		return "Settings changed: " + toolkit.Abbreviate(a.Changed[0]) + "."
	case len(a.Changed) > 0:
		return fmt.Sprintf("%d settings changed, the first: %s.", len(a.Changed), toolkit.Abbreviate(a.Changed[0]))
	}
	return fmt.Sprintf("The portfolio has %s and %s.", humanize.Count(accounts, "account", "accounts"), humanize.Count(targets, "target", "targets"))
}

// Title implements [toolkit.Titled].
func (a settingsAnswer) Title() string { return "portfolio settings" }

// Summary implements [toolkit.Summarizer].
func (a settingsAnswer) Summary() string {
	if len(a.Changed) > 0 {
		return "changed"
	}
	return humanize.Count(len(a.Accounts), "account", "accounts") + ", " + humanize.Count(len(a.Targets), "target", "targets")
}

// Tables implements [toolkit.Tabler].
func (a settingsAnswer) Tables() []toolkit.Table {
	if len(a.Aliases) == 0 {
		return nil
	}
	t := toolkit.Table{Title: "Aliases", Columns: []string{"recorded as", "symbol"}}
	for _, from := range slices.Sorted(maps.Keys(a.Aliases)) {
		t.Rows = append(t.Rows, []string{from, a.Aliases[from]})
	}
	return []toolkit.Table{t}
}
