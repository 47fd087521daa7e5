package bookkeeping

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
	"github.com/nfa-cli/nfa/internal/toolbox/book"
)

// errSetting marks a setting that cannot be.
var errSetting = errors.New("setting")

// settingOf makes the change that a call asks for, says it in words, and looks whether
// the book holds with it.
func (d Deps) settingOf(l portfolio.Ledger, in settingsInput) (portfolio.Change, []string, error) {
	var c portfolio.Change
	var plan []string
	for _, part := range []func(portfolio.Ledger, settingsInput, *portfolio.Change) ([]string, error){
		setAccount, setAliases, d.setSecurities, setTargets,
	} {
		said, err := part(l, in, &c)
		if err != nil {
			return c, nil, err
		}
		plan = append(plan, said...)
	}
	if _, err := book.After(l, c); err != nil {
		// A book that does not hold anyway may be set right in steps.
		if _, before := book.After(l, portfolio.Change{}); before == nil {
			return c, nil, fmt.Errorf("%w: the book would not hold with it: %w", errSetting, d.Veil(err))
		}
		if _, broken := l.With(c); broken != nil {
			return c, nil, fmt.Errorf("%w: %w", errSetting, d.Veil(broken))
		}
		plan = append(plan, "the book does not hold, before and after")
	}
	return c, plan, nil
}

func setAccount(l portfolio.Ledger, in settingsInput, c *portfolio.Change) ([]string, error) {
	if in.Account == nil {
		return nil, nil
	}
	name := strings.TrimSpace(in.Account.Name)
	old, there := l.Account(name)
	switch {
	case !there && !in.Account.New:
		return nil, fmt.Errorf("%w %.60q: there %s; to make it, give new true", portfolio.ErrUnknownAccount, name, thereAre(l))
	case there && in.Account.New:
		return nil, fmt.Errorf("%w: there is an account %q already", errSetting, name)
	case !there:
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
	return []string{fmt.Sprintf("account %q: %s", a.Name, kept(a))}, nil
}

// kept says how an account is kept.
func kept(a portfolio.Account) string {
	said := fmt.Sprintf("cost basis %s, cash %s", a.Method, a.Cash)
	if more := besides(a); more != "" {
		said += ", " + more
	}
	return said
}

// besides says what there is of an account beside its cost basis and cash.
func besides(a portfolio.Account) string {
	var said []string
	if a.Untaxed {
		said = append(said, "gains not taxed each year")
	}
	if a.Owner != "" {
		said = append(said, "of "+a.Owner)
	}
	return strings.Join(said, ", ")
}

func setAliases(_ portfolio.Ledger, in settingsInput, c *portfolio.Change) ([]string, error) {
	var plan []string
	for _, from := range slices.Sorted(maps.Keys(in.Aliases)) {
		name, err := market.ParseSymbol(from)
		if err != nil {
			return nil, fmt.Errorf("%w: aliases: %w", errSetting, err)
		}
		if _, twice := c.Aliases[name]; twice {
			return nil, fmt.Errorf("%w: aliases: %s stands twice", errSetting, name)
		}
		if c.Aliases == nil {
			c.Aliases = map[market.Symbol]market.Symbol{}
		}
		to := strings.TrimSpace(in.Aliases[from])
		if to == "" {
			c.Aliases[name] = ""
			plan = append(plan, fmt.Sprintf("%s stands for itself again", name))
			continue
		}
		symbol, err := market.ParseSymbol(to)
		if err != nil {
			return nil, fmt.Errorf("%w: aliases: %s: %w", errSetting, name, err)
		}
		c.Aliases[name] = symbol
		plan = append(plan, fmt.Sprintf("%s is another name of %s, in all entries of the past too", name, symbol))
	}
	return plan, nil
}

func (d Deps) setSecurities(l portfolio.Ledger, in settingsInput, c *portfolio.Change) ([]string, error) {
	var plan []string
	for _, asked := range in.Securities {
		symbol, err := market.ParseSymbol(asked.Symbol)
		if err != nil {
			return nil, fmt.Errorf("%w: securities: %w", errSetting, err)
		}
		symbol = book.Ending(book.Merged(l.Aliases, c.Aliases), symbol)
		s := portfolio.Security{Symbol: symbol}
		if slices.ContainsFunc(c.Securities, func(s portfolio.Security) bool { return s.Symbol == symbol }) {
			return nil, fmt.Errorf("%w: securities: %s stands twice; say all of it in one entry", errSetting, symbol)
		}
		if i := slices.IndexFunc(l.Securities, func(s portfolio.Security) bool { return s.Symbol == symbol }); i >= 0 {
			s = l.Securities[i]
		}
		if asked.Class != "" {
			s.Class = portfolio.Class(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(asked.Class)), " ", "_"))
		}
		if asked.Region != "" {
			s.Region = strings.TrimSpace(asked.Region)
		}
		if asked.Sector != "" {
			s.Sector = strings.TrimSpace(asked.Sector)
		}
		fee, err := exact("fee", asked.exact)
		if err != nil {
			return nil, err
		}
		if fee.Valid {
			s.Fee = fee
		}
		s.Said = d.Today()
		if err := s.Validate(); err != nil {
			return nil, fmt.Errorf("%w: %w", errSetting, err)
		}
		c.Securities = append(c.Securities, s)
		plan = append(plan, fmt.Sprintf("%s: %s", symbol, said(s)))
	}
	return plan, nil
}

// said is what the user said of a security.
func said(s portfolio.Security) string { return cmp.Or(book.Facts(s), "nothing is known") }

func setTargets(l portfolio.Ledger, in settingsInput, c *portfolio.Change) ([]string, error) {
	if in.NoTargets {
		if len(in.Targets) > 0 {
			return nil, fmt.Errorf("%w: either targets or no_targets", errSetting)
		}
		c.Targets = []portfolio.Target{}
		return []string{"no targets any more"}, nil
	}
	var sum decimal.Decimal
	var plan []string
	for _, asked := range in.Targets {
		symbol, err := market.ParseSymbol(asked.Symbol)
		if err != nil {
			return nil, fmt.Errorf("%w: targets: %w", errSetting, err)
		}
		weight, err := exact("weight", asked.exact)
		if err != nil {
			return nil, err
		}
		symbol, sum = book.Ending(book.Merged(l.Aliases, c.Aliases), symbol), sum.Add(weight.Decimal)
		c.Targets = append(c.Targets, portfolio.Target{Symbol: symbol, Weight: weight.Decimal})
		plan = append(plan, fmt.Sprintf("target %s: %s %%", symbol, weight.Decimal.Shift(2)))
	}
	one := decimal.NewFromInt(1)
	switch {
	case sum.GreaterThan(one):
		return nil, fmt.Errorf("%w: the targets are %s %% together, at most 100; a weight is a fraction of one, 0.6 for 60 %%", errSetting, sum.Shift(2))
	case len(in.Targets) > 0:
		plan = append(plan, fmt.Sprintf("and %s %% in cash", one.Sub(sum).Shift(2)))
	}
	return plan, nil
}
