package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type settingsInput struct {
	Account    *accountInput     `json:"account,omitempty" jsonschema:"an account to make or to change; what is left out stays as it is"`
	Aliases    map[string]string `json:"aliases,omitempty" jsonschema:"names under which securities were recorded (ISIN or ticker) with the symbols that prices are asked for; an empty symbol takes one back"`
	Securities []securityInput   `json:"securities,omitempty" jsonschema:"what the user says of securities; what is left out stays as it is"`
	Targets    []targetInput     `json:"targets,omitempty" jsonschema:"the weights that the user wants, all of them: they replace those that are set; what they leave of one is for cash"`
	NoTargets  bool              `json:"no_targets,omitempty" jsonschema:"true to have no targets any more"`
}

type accountInput struct {
	Name      string  `json:"name" jsonschema:"the account"`
	New       bool    `json:"new,omitempty" jsonschema:"true to make one that is not there yet"`
	CostBasis string  `json:"cost_basis,omitempty" jsonschema:"which lots a sale takes: fifo, lifo, highest_cost, average or specific"`
	Cash      string  `json:"cash,omitempty" jsonschema:"tracked (all payments are in the book), margin (the same, may owe) or untracked (trades alone)"`
	Untaxed   *bool   `json:"untaxed,omitempty" jsonschema:"true for a retirement account whose gains are not taxed each year"`
	Owner     *string `json:"owner,omitempty" jsonschema:"who the tax office sees; empty is the user"`
}

type securityInput struct {
	Symbol string  `json:"symbol" jsonschema:"the security, by the symbol of the book"`
	Class  string  `json:"class,omitempty" jsonschema:"equity, bond, cash, real_estate, commodity, crypto, mixed or other"`
	Region string  `json:"region,omitempty" jsonschema:"in the user's words: US, Europe, World, Emerging markets"`
	Sector string  `json:"sector,omitempty" jsonschema:"in the user's words"`
	Fee    float64 `json:"fee,omitempty" jsonschema:"yearly cost of a fund, a fraction of one: 0.0007 for 0.07 %"`

	exact json.Number
}

type targetInput struct {
	Symbol string  `json:"symbol" jsonschema:"the security"`
	Weight float64 `json:"weight" jsonschema:"a fraction of one: 0.6 for 60 %"`

	exact json.Number
}

// UnmarshalJSON keeps the fee as it was written.
func (in *securityInput) UnmarshalJSON(raw []byte) error {
	type plain securityInput
	decoded := struct {
		*plain
		Fee json.Number `json:"fee"`
	}{plain: (*plain)(in)}
	err := json.Unmarshal(raw, &decoded)
	in.exact = decoded.Fee
	return err
}

// UnmarshalJSON keeps the weight as it was written.
func (in *targetInput) UnmarshalJSON(raw []byte) error {
	type plain targetInput
	decoded := struct {
		*plain
		Weight json.Number `json:"weight"`
	}{plain: (*plain)(in)}
	err := json.Unmarshal(raw, &decoded)
	in.exact = decoded.Weight
	return err
}

const settingsDescription = `Shows how the user's book is kept: accounts with their cost basis and cash policy, other names of securities, what the user said of securities (class, region, sector, yearly fee) and target weights. With arguments it changes them, and then asks the user first.
Use it to set targets before a rebalancing, to say what a fund holds, to name the symbol of an ISIN, or when an import says that an account's cash is not in the file. Say only what the user said; the whole book is checked with the change, and one that would not hold is refused. Weights and fees are fractions of one.`

// newPortfolioSettings is the tool of how the book is kept.
func newPortfolioSettings(d Deps) tool.Tool {
	t := tool.New("portfolio_settings", settingsDescription, tool.Reads, func(ctx context.Context, in settingsInput) (tool.Result, error) {
		if !in.changes() {
			l, err := d.Store.Ledger(ctx)
			if err != nil {
				return tool.Result{}, err
			}
			return d.newSettingsAnswer(l, nil).result()
		}
		ready, ok := tool.PreviewState(ctx).(*plannedSettings)
		if !ok {
			return tool.Result{}, positions.ErrNotPreviewed
		}
		return d.applySettings(ctx, ready)
	})
	t.Preview = func(ctx context.Context, args json.RawMessage) (tool.Preview, error) {
		var in settingsInput
		if err := json.Unmarshal(args, &in); err != nil {
			return tool.Preview{}, fmt.Errorf("arguments of portfolio_settings: %w", err)
		}
		if !in.changes() {
			return tool.Preview{}, nil
		}
		return d.previewSettings(ctx, in)
	}
	return t
}

func (in settingsInput) changes() bool {
	return in.Account != nil || len(in.Aliases) > 0 || len(in.Securities) > 0 || len(in.Targets) > 0 || in.NoTargets
}

// plannedSettings is a change as it was shown.
type plannedSettings struct {
	input settingsInput
	plan  []string
}

func (d Deps) previewSettings(ctx context.Context, in settingsInput) (tool.Preview, error) {
	if err := d.CheckWritable(); err != nil {
		return tool.Preview{}, err
	}
	l, err := d.Store.Ledger(ctx)
	if err != nil {
		return tool.Preview{}, err
	}
	_, plan, err := d.planSettings(l, in)
	if err != nil {
		return tool.Preview{}, err
	}
	return positions.PreviewChange(plan, &plannedSettings{in, plan}), nil
}

// applySettings makes the change, unless the book has changed so that another one would be
// made than was shown.
func (d Deps) applySettings(ctx context.Context, ready *plannedSettings) (tool.Result, error) {
	var changed portfolio.Ledger
	err := d.Update(ctx, func(l portfolio.Ledger) (portfolio.Change, error) {
		c, plan, err := d.planSettings(l, ready.input)
		if err != nil {
			return c, err
		}
		if !slices.Equal(plan, ready.plan) {
			return c, fmt.Errorf("%w: the settings were changed since they were shown; call again", errSetting)
		}
		changed, err = l.Apply(c)
		return c, err
	})
	if err != nil {
		return d.ChangeErrorResult(err, errEntry, errSetting)
	}
	return d.newSettingsAnswer(changed, ready.plan).result()
}

// settingsAnswer is how the book is kept.
type settingsAnswer struct {
	Changed    []string             `json:"changed,omitempty"`
	Accounts   []portfolio.Account  `json:"accounts"`
	Aliases    map[string]string    `json:"aliases"`
	Securities []portfolio.Security `json:"securities"`
	Targets    []portfolio.Target   `json:"targets"`
	Base       string               `json:"base_currency,omitempty"`
	ForCash    string               `json:"left_for_cash,omitempty"` // of one, where there are targets
	toolkit.Origin

	day market.Date // of the clock
}
