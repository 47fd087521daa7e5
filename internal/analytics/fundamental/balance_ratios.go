package fundamental

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// balanceRatio returns one balance at the end of the period divided by another.
func balanceRatio(part, whole string) func(*calculator) decimal.Decimal {
	return func(k *calculator) decimal.Decimal {
		return k.divide(k.balanceAtEnd(part), k.balanceAtEnd(whole), whole)
	}
}

func balancePercent(part, whole string) func(*calculator) decimal.Decimal {
	return func(k *calculator) decimal.Decimal { return hundredfold(balanceRatio(part, whole)(k)) }
}

func balanceRatios() []definition {
	const group = FinancialStrength
	all := generalOnly(
		definition{id: "debt_to_equity", label: "debt to equity", group: group, unit: times, formula: "total_debt / shareholders_equity", compute: balanceRatio(market.ItemTotalDebt, market.ItemEquity)},
		definition{id: "debt_to_assets", label: "debt to assets", group: group, unit: percent, formula: "total_debt / total_assets", compute: balancePercent(market.ItemTotalDebt, market.ItemTotalAssets)},
		definition{id: "net_debt", label: "net debt", group: group, unit: money, formula: "total_debt - cash - short_term_investments, short_term_investments where reported", compute: func(k *calculator) decimal.Decimal {
			return k.balanceAtEnd(market.ItemTotalDebt).Sub(k.balanceAtEnd(market.ItemCash)).Sub(k.reported(k.company.End, market.ItemShortInvestments))
		}},
		definition{id: "net_debt_to_ebitda", label: "net debt to EBITDA", group: group, unit: times, formula: "net_debt / ebitda", compute: func(k *calculator) decimal.Decimal {
			return k.divide(k.ratioOf("net_debt"), k.ratioOf("ebitda"), "ebitda")
		}},
		definition{id: "interest_cover", label: "interest cover", group: group, unit: times, formula: "operating_income / interest_expense", compute: func(k *calculator) decimal.Decimal {
			return k.divide(k.itemOfPeriod(market.ItemOperatingIncome), k.itemOfPeriod(market.ItemInterestExpense), market.ItemInterestExpense)
		}},
		definition{id: "current_ratio", label: "current ratio", group: group, unit: times, formula: "current_assets / current_liabilities", compute: balanceRatio(market.ItemCurrentAssets, market.ItemCurrentLiabilities)},
		definition{id: "quick_ratio", label: "quick ratio", group: group, unit: times, formula: "(cash + short_term_investments + receivables) / current_liabilities, short_term_investments where reported", compute: func(k *calculator) decimal.Decimal {
			quick := k.balanceAtEnd(market.ItemCash).Add(k.reported(k.company.End, market.ItemShortInvestments)).Add(k.balanceAtEnd(market.ItemReceivables))
			return k.divide(quick, k.balanceAtEnd(market.ItemCurrentLiabilities), market.ItemCurrentLiabilities)
		}},
		definition{id: "cash_ratio", label: "cash ratio", group: group, unit: times, formula: "(cash + short_term_investments) / current_liabilities, short_term_investments where reported", compute: func(k *calculator) decimal.Decimal {
			cash := k.balanceAtEnd(market.ItemCash).Add(k.reported(k.company.End, market.ItemShortInvestments))
			return k.divide(cash, k.balanceAtEnd(market.ItemCurrentLiabilities), market.ItemCurrentLiabilities)
		}},
	)
	all = append(all, definition{id: "equity_to_assets", label: "equity to assets", group: group, unit: percent, formula: "shareholders_equity / total_assets", compute: balancePercent(market.ItemEquity, market.ItemTotalAssets)})
	return append(all, onlyFor(market.TemplateBank,
		definition{id: "loans_to_deposits", label: "loans to deposits", group: group, unit: percent, formula: "loans / deposits", compute: balancePercent(market.ItemLoans, market.ItemDeposits)},
	)...)
}

// daysOf returns how many days a balance lasts at the pace of a yearly flow.
func daysOf(balance, flow string) func(*calculator) decimal.Decimal {
	return func(k *calculator) decimal.Decimal {
		return k.divide(k.average(balance), k.itemOfPeriod(flow), flow).Mul(decimal.NewFromInt(365))
	}
}

func activityRatios() []definition {
	const group = Activity
	return generalOnly(
		definition{id: "asset_turnover", label: "asset turnover", group: group, unit: times, formula: "revenue / average total_assets", compute: func(k *calculator) decimal.Decimal {
			return k.divide(k.itemOfPeriod(market.ItemRevenue), k.average(market.ItemTotalAssets), "average total_assets")
		}},
		definition{id: "receivable_days", label: "days until customers pay", group: group, unit: days, formula: "average receivables / revenue * 365", compute: daysOf(market.ItemReceivables, market.ItemRevenue)},
		definition{id: "inventory_days", label: "days of inventory", group: group, unit: days, formula: "average inventory / cost_of_revenue * 365", compute: daysOf(market.ItemInventory, market.ItemCostOfRevenue)},
		definition{id: "payable_days", label: "days until suppliers are paid", group: group, unit: days, formula: "average accounts_payable / cost_of_revenue * 365", compute: daysOf(market.ItemPayables, market.ItemCostOfRevenue)},
		definition{id: "cash_cycle_days", label: "cash conversion cycle", group: group, unit: days, formula: "receivable_days + inventory_days - payable_days", compute: func(k *calculator) decimal.Decimal {
			return k.ratioOf("receivable_days").Add(k.ratioOf("inventory_days")).Sub(k.ratioOf("payable_days"))
		}},
	)
}
