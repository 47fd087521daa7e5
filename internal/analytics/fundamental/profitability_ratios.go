package fundamental

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// percentOf returns one flow of the period as a percentage of another.
func percentOf(part, whole string) func(*calculator) decimal.Decimal {
	return func(k *calculator) decimal.Decimal {
		return hundredfold(k.divide(k.itemOfPeriod(part), k.itemOfPeriod(whole), whole))
	}
}

// onAverage returns a flow as a percentage of an average balance.
func onAverage(flow, balance string) func(*calculator) decimal.Decimal {
	return func(k *calculator) decimal.Decimal {
		return hundredfold(k.divide(k.itemOfPeriod(flow), k.average(balance), "average "+balance))
	}
}

func profitabilityRatios() []definition {
	const group = Profitability
	all := generalOnly(
		definition{id: "gross_margin", label: "gross margin", group: group, unit: percent, formula: "gross_profit / revenue", compute: percentOf(market.ItemGrossProfit, market.ItemRevenue)},
		definition{id: "operating_margin", label: "operating margin", group: group, unit: percent, formula: "operating_income / revenue", compute: percentOf(market.ItemOperatingIncome, market.ItemRevenue)},
		definition{id: "ebitda", label: "EBITDA", group: group, unit: money, formula: "operating_income + depreciation_amortization", compute: func(k *calculator) decimal.Decimal {
			return k.itemOfPeriod(market.ItemOperatingIncome).Add(k.itemOfPeriod(market.ItemDepreciation))
		}},
		definition{id: "ebitda_margin", label: "EBITDA margin", group: group, unit: percent, formula: "ebitda / revenue", compute: func(k *calculator) decimal.Decimal {
			return hundredfold(k.divide(k.ratioOf("ebitda"), k.itemOfPeriod(market.ItemRevenue), market.ItemRevenue))
		}},
		definition{id: "free_cash_flow", label: "free cash flow", group: group, unit: money, formula: "operating_cash_flow - capital_expenditure", compute: (*calculator).freeCashFlow},
		definition{id: "free_cash_flow_margin", label: "free cash flow margin", group: group, unit: percent, formula: "free_cash_flow / revenue", compute: func(k *calculator) decimal.Decimal {
			return hundredfold(k.divide(k.ratioOf("free_cash_flow"), k.itemOfPeriod(market.ItemRevenue), market.ItemRevenue))
		}},
		definition{id: "cash_conversion", label: "operating cash flow to net income", group: group, unit: times, formula: "operating_cash_flow / net_income", compute: func(k *calculator) decimal.Decimal {
			return k.divide(k.itemOfPeriod(market.ItemOperatingCashFlow), k.itemOfPeriod(market.ItemNetIncome), market.ItemNetIncome)
		}},
		definition{id: "research_to_revenue", label: "research and development to revenue", group: group, unit: percent, formula: "research_and_development / revenue", compute: percentOf(market.ItemResearch, market.ItemRevenue)},
	)
	all = append(all,
		definition{id: "net_margin", label: "net margin", group: group, unit: percent, formula: "net_income / revenue", compute: percentOf(market.ItemNetIncome, market.ItemRevenue)},
		definition{id: "effective_tax_rate", label: "effective tax rate", group: group, unit: percent, formula: "income_tax / pretax_income", compute: percentOf(market.ItemIncomeTax, market.ItemPretaxIncome)},
		definition{id: "return_on_equity", label: "return on equity (ROE)", group: group, unit: percent, formula: "net_income / average shareholders_equity", compute: onAverage(market.ItemNetIncome, market.ItemEquity)},
		definition{id: "return_on_assets", label: "return on assets (ROA)", group: group, unit: percent, formula: "net_income / average total_assets", compute: onAverage(market.ItemNetIncome, market.ItemTotalAssets)},
	)
	return slices.Concat(all, generalOnly(returnOnCapitalRatios()...), bankRatios(), insurerRatios())
}

func (k *calculator) freeCashFlow() decimal.Decimal {
	if hasOnlyTotal(k.company.Period) {
		k.formula = "free_cash_flow, as reported by the source"
	}
	return k.freeCash(k.company.Period)
}

// hasOnlyTotal reports whether a source reports free cash flow without its parts.
func hasOnlyTotal(s market.Statement) bool {
	_, cash := s.Items[market.ItemOperatingCashFlow]
	_, spent := s.Items[market.ItemCapitalExpenditure]
	_, whole := s.Items[market.ItemFreeCashFlow]
	return whole && (!cash || !spent)
}

// freeCash computes free cash flow from its parts, because they are more transparent than the source's own
// figure. It uses that figure if the parts are missing.
func (k *calculator) freeCash(s market.Statement) decimal.Decimal {
	if hasOnlyTotal(s) {
		return k.flow(s, market.ItemFreeCashFlow)
	}
	return k.flow(s, market.ItemOperatingCashFlow).Sub(k.flow(s, market.ItemCapitalExpenditure))
}

func returnOnCapitalRatios() []definition {
	return []definition{
		{id: "after_tax_operating_income", label: "operating income after tax (NOPAT)", group: Profitability, unit: money, formula: "operating_income * (1 - effective_tax_rate)", compute: func(k *calculator) decimal.Decimal {
			rate := k.ratioOf("effective_tax_rate").Shift(-2)
			if rate.IsNegative() || rate.GreaterThan(decimal.NewFromInt(1)) {
				return k.setMissing("not meaningful: the effective tax rate is %s%%", rate.Shift(2).Round(1))
			}
			return k.itemOfPeriod(market.ItemOperatingIncome).Mul(decimal.NewFromInt(1).Sub(rate))
		}},
		{id: "return_on_invested_capital", label: "return on invested capital (ROIC)", group: Profitability, unit: percent,
			formula: "after_tax_operating_income / average of (total_debt + shareholders_equity + minority_interest - cash - short_term_investments), minority_interest and short_term_investments where reported",
			compute: func(k *calculator) decimal.Decimal {
				return hundredfold(k.divide(k.ratioOf("after_tax_operating_income"), k.averageOf("invested capital", k.investedCapital), "average invested capital"))
			}},
	}
}

func (k *calculator) investedCapital(s market.Statement) decimal.Decimal {
	return k.balance(s, market.ItemTotalDebt).Add(k.balance(s, market.ItemEquity)).Add(k.reported(s, market.ItemMinorityInterest)).
		Sub(k.balance(s, market.ItemCash)).Sub(k.reported(s, market.ItemShortInvestments))
}

func bankRatios() []definition {
	const group = Profitability
	return onlyFor(market.TemplateBank,
		definition{id: "net_interest_to_assets", label: "net interest income to assets", group: group, unit: percent, formula: "net_interest_income / average total_assets", compute: onAverage(market.ItemNetInterestIncome, market.ItemTotalAssets)},
		definition{id: "noninterest_share", label: "noninterest income to revenue", group: group, unit: percent, formula: "noninterest_income / revenue", compute: percentOf(market.ItemNonInterestIncome, market.ItemRevenue)},
		definition{id: "credit_losses_to_loans", label: "provision for credit losses to loans", group: group, unit: percent, formula: "provision_for_credit_losses / average loans", compute: onAverage(market.ItemCreditLosses, market.ItemLoans)},
	)
}

func insurerRatios() []definition {
	return onlyFor(market.TemplateInsurer,
		definition{id: "loss_ratio", label: "benefits and claims to premiums", group: Profitability, unit: percent, formula: "policy_benefits / premiums_earned", compute: percentOf(market.ItemPolicyBenefits, market.ItemPremiumsEarned)},
	)
}
