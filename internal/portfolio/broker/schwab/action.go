package schwab

import "strings"

// class is what kind of thing an action is.
type class int

const (
	unknown class = iota
	purchase
	sale
	shortSale
	dividend
	interest
	fee
	tax
	cash     // to or from outside, by the sign of the amount
	shares   // to or from outside, by the sign of the quantity
	repaid   // capital
	award    // shares of an employer
	contract // options and what becomes of them
	renamed  // shares that became others
	split
	handedOut
	fraction
)

// classOf knows the words of Schwab's column Action, in lower case.
func classOf(action string) class {
	if c := incomeClass(action); c != unknown {
		return c
	}
	switch action {
	case "buy", "reinvest shares", "buy to cover":
		return purchase
	case "sell":
		return sale
	case "sell short":
		return shortSale
	case "moneylink transfer", "moneylink deposit", "moneylink adj", "wire funds", "wire funds adj", "wire sent", "wire received",
		"wire funds received", "funds received", "funds paid", "bank transfer", "journal", "internal transfer", "misc cash entry",
		"misc credits", "visa purchase", "atm withdrawal", "schwab atm rebate", "promotional award":
		return cash
	case "journaled shares", "security transfer":
		return shares
	case "stock plan activity":
		return award
	case "buy to open", "buy to close", "sell to open", "sell to close", "expired", "assigned", "exchange or exercise":
		return contract
	case "stock split":
		return split
	case "reverse split", "name change", "stock merger", "conversion", "mandatory reorg exc", "exchange":
		return renamed
	case "spin-off", "stock div dist":
		return handedOut
	case "cash in lieu":
		return fraction
	}
	return unknown
}

// incomeClass knows those that pay or cost money and move no shares.
func incomeClass(action string) class {
	// "Pr Yr" is of the year before.
	switch strings.TrimPrefix(action, "pr yr ") {
	case "cash dividend", "cash div", "qualified dividend", "qual div", "non-qualified div", "non-qual div", "non qual div", "special dividend",
		"special div", "special qual div", "special non qual div", "qual div reinvest", "reinvest dividend", "div reinvest", "non-qual div reinvest",
		"special qual div reinvest", "div adjustment", "long term cap gain", "short term cap gain", "long term cap gain reinvest",
		"short term cap gain reinvest":
		return dividend
	case "credit interest", "bank interest", "bond interest", "cd interest", "interest adj", "margin interest", "debit interest":
		return interest
	case "advisor fee", "service fee", "adr mgmt fee", "foreign transaction fee", "management fee", "wire fee":
		return fee
	case "foreign tax paid", "nra tax adj", "nra tax", "nra withholding", "nra withhold", "tax withholding", "backup withholding", "irs withhold adj":
		return tax
	case "return of capital":
		return repaid
	}
	return unknown
}
