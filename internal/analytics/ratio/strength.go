package ratio

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// ofBalance is one balance at the end of the period over another.
func ofBalance(part, whole string) func(*calc) decimal.Decimal {
	return func(k *calc) decimal.Decimal { return k.over(k.end(part), k.end(whole), whole) }
}

func ofBalancePercent(part, whole string) func(*calc) decimal.Decimal {
	return func(k *calc) decimal.Decimal { return hundredfold(ofBalance(part, whole)(k)) }
}

func strength() []definition {
	const group = Strength
	all := general(
		definition{id: "debt_to_equity", label: "debt to equity", group: group, unit: times, formula: "total_debt / shareholders_equity", of: ofBalance(market.ItemTotalDebt, market.ItemEquity)},
		definition{id: "debt_to_assets", label: "debt of assets", group: group, unit: percent, formula: "total_debt / total_assets", of: ofBalancePercent(market.ItemTotalDebt, market.ItemTotalAssets)},
		definition{id: "net_debt", label: "net debt", group: group, unit: money, formula: "total_debt - cash - short_term_investments, short_term_investments where reported", of: func(k *calc) decimal.Decimal {
			return k.end(market.ItemTotalDebt).Sub(k.end(market.ItemCash)).Sub(k.reported(k.company.End, market.ItemShortInvestments))
		}},
		definition{id: "net_debt_to_ebitda", label: "net debt to EBITDA", group: group, unit: times, formula: "net_debt / ebitda", of: func(k *calc) decimal.Decimal {
			return k.over(k.ratioOf("net_debt"), k.ratioOf("ebitda"), "ebitda")
		}},
		definition{id: "interest_cover", label: "interest cover", group: group, unit: times, formula: "operating_income / interest_expense", of: func(k *calc) decimal.Decimal {
			return k.over(k.of(market.ItemOperatingIncome), k.of(market.ItemInterestExpense), market.ItemInterestExpense)
		}},
		definition{id: "current_ratio", label: "current ratio", group: group, unit: times, formula: "current_assets / current_liabilities", of: ofBalance(market.ItemCurrentAssets, market.ItemCurrentLiabilities)},
		definition{id: "quick_ratio", label: "quick ratio", group: group, unit: times, formula: "(cash + short_term_investments + receivables) / current_liabilities, short_term_investments where reported", of: func(k *calc) decimal.Decimal {
			quick := k.end(market.ItemCash).Add(k.reported(k.company.End, market.ItemShortInvestments)).Add(k.end(market.ItemReceivables))
			return k.over(quick, k.end(market.ItemCurrentLiabilities), market.ItemCurrentLiabilities)
		}},
		definition{id: "cash_ratio", label: "cash ratio", group: group, unit: times, formula: "(cash + short_term_investments) / current_liabilities, short_term_investments where reported", of: func(k *calc) decimal.Decimal {
			cash := k.end(market.ItemCash).Add(k.reported(k.company.End, market.ItemShortInvestments))
			return k.over(cash, k.end(market.ItemCurrentLiabilities), market.ItemCurrentLiabilities)
		}},
	)
	all = append(all, definition{id: "equity_to_assets", label: "equity of assets", group: group, unit: percent, formula: "shareholders_equity / total_assets", of: ofBalancePercent(market.ItemEquity, market.ItemTotalAssets)})
	return append(all, onlyFor(market.TemplateBank,
		definition{id: "loans_to_deposits", label: "loans to deposits", group: group, unit: percent, formula: "loans / deposits", of: ofBalancePercent(market.ItemLoans, market.ItemDeposits)},
	)...)
}

// daysOf is how long a balance lasts at the pace of a flow of a year.
func daysOf(balance, flow string) func(*calc) decimal.Decimal {
	return func(k *calc) decimal.Decimal {
		return k.over(k.average(balance), k.of(flow), flow).Mul(decimal.NewFromInt(365))
	}
}

func activity() []definition {
	const group = Activity
	return general(
		definition{id: "asset_turnover", label: "asset turnover", group: group, unit: times, formula: "revenue / average total_assets", of: func(k *calc) decimal.Decimal {
			return k.over(k.of(market.ItemRevenue), k.average(market.ItemTotalAssets), "average total_assets")
		}},
		definition{id: "receivable_days", label: "days until customers pay", group: group, unit: days, formula: "average receivables / revenue * 365", of: daysOf(market.ItemReceivables, market.ItemRevenue)},
		definition{id: "inventory_days", label: "days of inventory", group: group, unit: days, formula: "average inventory / cost_of_revenue * 365", of: daysOf(market.ItemInventory, market.ItemCostOfRevenue)},
		definition{id: "payable_days", label: "days until suppliers are paid", group: group, unit: days, formula: "average accounts_payable / cost_of_revenue * 365", of: daysOf(market.ItemPayables, market.ItemCostOfRevenue)},
		definition{id: "cash_cycle_days", label: "cash conversion cycle", group: group, unit: days, formula: "receivable_days + inventory_days - payable_days", of: func(k *calc) decimal.Decimal {
			return k.ratioOf("receivable_days").Add(k.ratioOf("inventory_days")).Sub(k.ratioOf("payable_days"))
		}},
	)
}
