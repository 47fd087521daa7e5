package portfolio

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Account is where securities and cash are held. Lots are kept for each apart.
type Account struct {
	Name   string     `json:"name"` // "ibkr", "roth ira"
	Method Method     `json:"cost_basis"`
	Cash   CashPolicy `json:"cash"`
	// Untaxed marks a retirement or other account whose gains are not taxed each
	// year. Its purchases still count for wash sales.
	Untaxed bool `json:"untaxed,omitempty"`
	// Owner is who the tax office sees; empty is the user.
	Owner string `json:"owner,omitempty"`
}

// Method is which lots a sale takes where it does not name them.
type Method string

// Methods of cost basis.
const (
	MethodFIFO        Method = "fifo"         // the oldest first
	MethodLIFO        Method = "lifo"         // the newest first
	MethodHighestCost Method = "highest_cost" // the dearest a unit first
	MethodAverage     Method = "average"      // the oldest first, at the average cost of all; none where they have several currencies
	MethodSpecific    Method = "specific"     // those that the sale names; it need not where it takes all
)

// Methods lists them all.
func Methods() []Method {
	return []Method{MethodFIFO, MethodLIFO, MethodHighestCost, MethodAverage, MethodSpecific}
}

// CashPolicy is what is known of an account's cash.
type CashPolicy string

// Policies of cash.
const (
	// CashTracked: every payment is in the ledger and the balance is never below zero at the
	// end of a day.
	CashTracked CashPolicy = "tracked"
	// CashMargin: every payment is in the ledger and the account may owe.
	CashMargin CashPolicy = "margin"
	// CashUntracked: the ledger has only trades. The cost of a purchase counts as paid in on
	// its day, and the proceeds of a sale or dividend as taken out.
	CashUntracked CashPolicy = "untracked"
)

// CashPolicies lists them all.
func CashPolicies() []CashPolicy { return []CashPolicy{CashTracked, CashMargin, CashUntracked} }

// NewAccount returns an account with the defaults: first in, first out, with its cash in the
// ledger.
func NewAccount(name string) Account {
	return Account{Name: name, Method: MethodFIFO, Cash: CashTracked}
}

// Validate tells what is wrong with an account.
func (a Account) Validate() error {
	switch {
	case strings.TrimSpace(a.Name) != a.Name || a.Name == "":
		return fmt.Errorf("account %q: a name is needed, without spaces around it", shorten(a.Name))
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
