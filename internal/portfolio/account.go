package portfolio

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Account is a brokerage or bank account that holds securities and cash. Each account has its own
// lots.
type Account struct {
	Name   string     `json:"name"` // "ibkr", "roth ira"
	Method Method     `json:"cost_basis"`
	Cash   CashPolicy `json:"cash"`
	// Untaxed marks a retirement or other account whose gains are not taxed each
	// year. Its purchases still count for wash sales.
	Untaxed bool `json:"untaxed,omitempty"`
	// Owner is the taxpayer; empty means the user.
	Owner string `json:"owner,omitempty"`
	// Holder is the owner of the ledger that the account comes from. Only Combine sets it.
	Holder string `json:"-"`
}

// Method decides which lots a sale takes if the sale does not name them.
type Method string

// Cost basis methods.
const (
	MethodFIFO        Method = "fifo"         // oldest lots first
	MethodLIFO        Method = "lifo"         // newest lots first
	MethodHighestCost Method = "highest_cost" // highest cost per unit first
	MethodAverage     Method = "average"      // oldest lots first, at the average cost of all lots; unknown if they are in several currencies
	MethodSpecific    Method = "specific"     // lots named by the sale; optional for a sale of the whole position
)

// Methods returns all methods.
func Methods() []Method {
	return []Method{MethodFIFO, MethodLIFO, MethodHighestCost, MethodAverage, MethodSpecific}
}

// CashPolicy states how complete the cash records of an account are.
type CashPolicy string

// Cash policies.
const (
	// CashTracked: the ledger has every payment, and the balance is never negative at the end of a
	// day.
	CashTracked CashPolicy = "tracked"
	// CashMargin: the ledger has every payment, and the balance may be negative.
	CashMargin CashPolicy = "margin"
	// CashUntracked: the ledger has only trades. The cost of a purchase counts as a deposit on its
	// date, and the proceeds of a sale or dividend as a withdrawal.
	CashUntracked CashPolicy = "untracked"
)

// CashPolicies returns all policies.
func CashPolicies() []CashPolicy { return []CashPolicy{CashTracked, CashMargin, CashUntracked} }

// NewAccount returns an account with the defaults MethodFIFO and CashTracked.
func NewAccount(name string) Account {
	return Account{Name: name, Method: MethodFIFO, Cash: CashTracked}
}

// Validate reports an invalid name, method, cash policy or owner.
func (a Account) Validate() error {
	switch {
	case strings.TrimSpace(a.Name) != a.Name || a.Name == "":
		return fmt.Errorf("account %q: the name must not be empty or have spaces around it", shorten(a.Name))
	case !slices.Contains(Methods(), a.Method):
		return fmt.Errorf("account %q: cost basis %q is not one of %v", shorten(a.Name), shorten(string(a.Method)), Methods())
	case !slices.Contains(CashPolicies(), a.Cash):
		return fmt.Errorf("account %q: cash %q is not one of %v", shorten(a.Name), shorten(string(a.Cash)), CashPolicies())
	}
	if err := cmp.Or(checkText("name", a.Name, maxName), checkText("owner", a.Owner, maxName)); err != nil {
		return fmt.Errorf("account %q: %w", shorten(a.Name), err)
	}
	return nil
}
