package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// errSetting marks an invalid setting.
var errSetting = errors.New("cannot change the settings")

// planSettings returns the requested change and its description. It checks whether the ledger is
// valid with it.
func (d Deps) planSettings(l portfolio.Ledger, in settingsInput) (portfolio.Change, []string, error) {
	var c portfolio.Change
	var plan []string
	for _, part := range []func(portfolio.Ledger, settingsInput, *portfolio.Change) ([]string, error){
		setAccount, setAliases, d.setSecurities, setTargets,
	} {
		lines, err := part(l, in, &c)
		if err != nil {
			return c, nil, err
		}
		plan = append(plan, lines...)
	}
	if _, err := positions.ApplyChange(l, c); err != nil {
		// A ledger that is already invalid may be fixed in several steps.
		if _, before := positions.ApplyChange(l, portfolio.Change{}); before == nil {
			return c, nil, fmt.Errorf("%w: this change would make the ledger invalid: %w", errSetting, positions.Redact(err))
		}
		if _, broken := l.Apply(c); broken != nil {
			return c, nil, fmt.Errorf("%w: %w", errSetting, positions.Redact(broken))
		}
		plan = append(plan, "the ledger is already invalid and stays invalid")
	}
	return c, plan, nil
}

func setAccount(l portfolio.Ledger, in settingsInput, c *portfolio.Change) ([]string, error) {
	if in.Account == nil {
		return nil, nil
	}
	name := strings.TrimSpace(in.Account.Name)
	old, exists := l.Account(name)
	switch {
	case !exists && !in.Account.New:
		return nil, fmt.Errorf("%w %.60q: there %s; to create it, call again with new true", portfolio.ErrUnknownAccount, name, existingAccounts(l))
	case exists && in.Account.New:
		return nil, fmt.Errorf("%w: account %q already exists", errSetting, name)
	case !exists:
		old = portfolio.NewAccount(name)
	}
	a := old
	if in.Account.CostBasis != "" {
		a.Method = portfolio.Method(strings.ToLower(strings.TrimSpace(in.Account.CostBasis)))
	}
	if in.Account.Cash != "" {
		a.Cash = portfolio.CashPolicy(strings.ToLower(strings.TrimSpace(in.Account.Cash)))
	}
	if in.Account.Untaxed != nil {
		a.Untaxed = *in.Account.Untaxed
	}
	if in.Account.Owner != nil {
		a.Owner = strings.TrimSpace(*in.Account.Owner)
	}
	if err := a.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", errSetting, err)
	}
	c.Accounts = []portfolio.Account{a}
	return []string{fmt.Sprintf("account %q: %s", a.Name, describeAccount(a))}, nil
}

// describeAccount describes how an account tracks lots and cash.
func describeAccount(a portfolio.Account) string {
	text := fmt.Sprintf("cost basis %s, cash %s", a.Method, a.Cash)
	if a.Untaxed {
		text += ", tax-deferred"
	}
	if a.Owner != "" {
		text += ", owner " + a.Owner
	}
	return text
}

func setAliases(_ portfolio.Ledger, in settingsInput, c *portfolio.Change) ([]string, error) {
	var plan []string
	for _, from := range slices.Sorted(maps.Keys(in.Aliases)) {
		name, err := market.ParseSymbol(from)
		if err != nil {
			return nil, fmt.Errorf("%w: aliases: %w", errSetting, err)
		}
		if _, twice := c.Aliases[name]; twice {
			return nil, fmt.Errorf("%w: aliases: %s appears twice", errSetting, name)
		}
		if c.Aliases == nil {
			c.Aliases = map[market.Symbol]market.Symbol{}
		}
		to := strings.TrimSpace(in.Aliases[from])
		if to == "" {
			c.Aliases[name] = ""
			plan = append(plan, fmt.Sprintf("alias of %s removed", name))
			continue
		}
		symbol, err := market.ParseSymbol(to)
		if err != nil {
			return nil, fmt.Errorf("%w: aliases: %s: %w", errSetting, name, err)
		}
		c.Aliases[name] = symbol
		plan = append(plan, fmt.Sprintf("alias %s -> %s, also for past transactions", name, symbol))
	}
	return plan, nil
}

func (d Deps) setSecurities(l portfolio.Ledger, in settingsInput, c *portfolio.Change) ([]string, error) {
	var plan []string
	for _, input := range in.Securities {
		symbol, err := market.ParseSymbol(input.Symbol)
		if err != nil {
			return nil, fmt.Errorf("%w: securities: %w", errSetting, err)
		}
		symbol = positions.ResolveAlias(positions.MergeAliases(l.Aliases, c.Aliases), symbol)
		s := portfolio.Security{Symbol: symbol}
		if slices.ContainsFunc(c.Securities, func(s portfolio.Security) bool { return s.Symbol == symbol }) {
			return nil, fmt.Errorf("%w: securities: %s appears twice; merge the two entries", errSetting, symbol)
		}
		if i := slices.IndexFunc(l.Securities, func(s portfolio.Security) bool { return s.Symbol == symbol }); i >= 0 {
			s = l.Securities[i]
		}
		if input.Class != "" {
			s.Class = portfolio.Class(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(input.Class)), " ", "_"))
		}
		if input.Region != "" {
			s.Region = strings.TrimSpace(input.Region)
		}
		if input.Sector != "" {
			s.Sector = strings.TrimSpace(input.Sector)
		}
		fee, err := parseExact("fee", input.Fee)
		if err != nil {
			return nil, err
		}
		if fee.Valid {
			s.Fee = fee
		}
		if input.Currency != "" {
			if s.Currency, err = toolkit.ParseCurrency(input.Currency); err != nil {
				return nil, err
			}
		}
		s.RecordedOn = d.Today()
		if err := s.Validate(); err != nil {
			return nil, fmt.Errorf("%w: %w", errSetting, err)
		}
		c.Securities = append(c.Securities, s)
		plan = append(plan, fmt.Sprintf("%s: %s", symbol, cmp.Or(positions.DescribeSecurity(s), "no facts recorded")))
	}
	return plan, nil
}

func setTargets(l portfolio.Ledger, in settingsInput, c *portfolio.Change) ([]string, error) {
	if in.NoTargets {
		if len(in.Targets) > 0 {
			return nil, fmt.Errorf("%w: set targets or no_targets, not both", errSetting)
		}
		c.Targets = []portfolio.Target{}
		return []string{"all targets removed"}, nil
	}
	var sum decimal.Decimal
	var plan []string
	for _, input := range in.Targets {
		symbol, err := market.ParseSymbol(input.Symbol)
		if err != nil {
			return nil, fmt.Errorf("%w: targets: %w", errSetting, err)
		}
		weight, err := parseExact("weight", input.Weight)
		if err != nil {
			return nil, err
		}
		symbol, sum = positions.ResolveAlias(positions.MergeAliases(l.Aliases, c.Aliases), symbol), sum.Add(weight.Decimal)
		c.Targets = append(c.Targets, portfolio.Target{Symbol: symbol, Weight: weight.Decimal})
		plan = append(plan, fmt.Sprintf("target %s: %s", symbol, exactPercent(weight.Decimal)))
	}
	whole := decimal.NewFromInt(1)
	switch {
	case sum.GreaterThan(whole):
		return nil, fmt.Errorf("%w: the targets add up to %s, more than 100%%; weights are fractions: 0.6 for 60%%", errSetting, exactPercent(sum))
	case len(in.Targets) > 0:
		plan = append(plan, fmt.Sprintf("target cash: %s", exactPercent(whole.Sub(sum))))
	}
	return plan, nil
}

// exactPercent formats a fraction in percent with all of its digits, for the approval.
func exactPercent(fraction decimal.Decimal) string { return fraction.Shift(2).String() + "%" }
