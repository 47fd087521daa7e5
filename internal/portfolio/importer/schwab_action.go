package importer

import "strings"

// schwabClass is what kind of thing an action is.
type schwabClass int

const (
	schwabUnknown schwabClass = iota
	schwabPurchase
	schwabSale
	schwabShortSale
	schwabDividend
	schwabInterest
	schwabFee
	schwabTax
	schwabCash            // to or from outside, by the sign of the amount
	schwabShares          // to or from outside, by the sign of the quantity
	schwabReturnOfCapital // capital
	schwabAward           // shares of an employer
	schwabOption          // options and what becomes of them
	schwabRenamed         // shares that became others
	schwabSplit
	schwabSpinOff
	schwabFraction
)

// schwabClassOf knows the words of Schwab's column Action, in lower case.
func schwabClassOf(action string) schwabClass {
	if c := schwabIncomeClass(action); c != schwabUnknown {
		return c
	}
	switch action {
	case "buy", "reinvest shares", "buy to cover":
		return schwabPurchase
	case "sell":
		return schwabSale
	case "sell short":
		return schwabShortSale
	case "moneylink transfer", "moneylink deposit", "moneylink adj", "wire funds", "wire funds adj", "wire sent", "wire received",
		"wire funds received", "funds received", "funds paid", "bank transfer", "journal", "internal transfer", "misc cash entry",
		"misc credits", "visa purchase", "atm withdrawal", "schwab atm rebate", "promotional award":
		return schwabCash
	case "journaled shares", "security transfer":
		return schwabShares
	case "stock plan activity":
		return schwabAward
	case "buy to open", "buy to close", "sell to open", "sell to close", "expired", "assigned", "exchange or exercise":
		return schwabOption
	case "stock split":
		return schwabSplit
	case "reverse split", "name change", "stock merger", "conversion", "mandatory reorg exc", "exchange":
		return schwabRenamed
	case "spin-off", "stock div dist":
		return schwabSpinOff
	case "cash in lieu":
		return schwabFraction
	}
	return schwabUnknown
}

// schwabIncomeClass knows those that pay or cost money and move no shares.
func schwabIncomeClass(action string) schwabClass {
	// "Pr Yr" is of the year before.
	switch strings.TrimPrefix(action, "pr yr ") {
	case "cash dividend", "cash div", "qualified dividend", "qual div", "non-qualified div", "non-qual div", "non qual div", "special dividend",
		"special div", "special qual div", "special non qual div", "qual div reinvest", "reinvest dividend", "div reinvest", "non-qual div reinvest",
		"special qual div reinvest", "div adjustment", "long term cap gain", "short term cap gain", "long term cap gain reinvest",
		"short term cap gain reinvest":
		return schwabDividend
	case "credit interest", "bank interest", "bond interest", "cd interest", "interest adj", "margin interest", "debit interest":
		return schwabInterest
	case "advisor fee", "service fee", "adr mgmt fee", "foreign transaction fee", "management fee", "wire fee":
		return schwabFee
	case "foreign tax paid", "nra tax adj", "nra tax", "nra withholding", "nra withhold", "tax withholding", "backup withholding", "irs withhold adj":
		return schwabTax
	case "return of capital":
		return schwabReturnOfCapital
	}
	return schwabUnknown
}
