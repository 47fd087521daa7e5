package fundamental

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

func perShareRatios() []definition {
	const group = PerShare
	all := []definition{
		{id: "earnings_per_share", label: "diluted earnings per share", group: group, unit: perShare, formula: "diluted_eps, as reported", compute: reportedPerShare(market.ItemDilutedEPS)},
		{id: "book_value_per_share", label: "book value per share", group: group, unit: perShare, formula: "shareholders_equity / shares_outstanding", compute: func(k *calculator) decimal.Decimal {
			return k.divide(k.balanceAtEnd(market.ItemEquity), k.sharesOutstanding(), market.ItemSharesOutstanding)
		}},
		{id: "dividends_per_share", label: "dividends per share", group: group, unit: perShare, formula: "dividends_per_share, as reported", compute: reportedPerShare(market.ItemDividendsPerShare)},
		{id: "revenue_per_share", label: "revenue per share", group: group, unit: perShare, formula: "revenue / diluted_shares", compute: func(k *calculator) decimal.Decimal {
			return k.divide(k.itemOfPeriod(market.ItemRevenue), k.inTodaysShares(market.ItemDilutedShares), market.ItemDilutedShares)
		}},
	}
	return append(all, generalOnly(
		definition{id: "free_cash_flow_per_share", label: "free cash flow per share", group: group, unit: perShare, formula: "free_cash_flow / diluted_shares", compute: func(k *calculator) decimal.Decimal {
			return k.divide(k.ratioOf("free_cash_flow"), k.inTodaysShares(market.ItemDilutedShares), market.ItemDilutedShares)
		}},
	)...)
}

// reportedPerShare returns a per-share figure of the period, as reported or derived from reported figures.
func reportedPerShare(item string) func(*calculator) decimal.Decimal {
	return func(k *calculator) decimal.Decimal {
		if derived := k.company.Period.Items[item].Formula; derived != "" {
			k.formula = item + ", derived: " + derived
		}
		return k.inTodaysShares(item)
	}
}

// inTodaysShares returns a share count or per-share item of the period, adjusted to the shares
// traded now.
func (k *calculator) inTodaysShares(item string) decimal.Decimal {
	s := k.company.Period
	found, ok := s.Items[item]
	if ok {
		if why := k.company.shareMismatch(s, found); why != "" {
			return k.setMissing("%s", why)
		}
	}
	return k.itemOfPeriod(item)
}

func (k *calculator) earnings() decimal.Decimal { return k.inTodaysShares(market.ItemDilutedEPS) }

// marketMultiple divides market cap by an item of the period.
func marketMultiple(of string) func(*calculator) decimal.Decimal {
	return func(k *calculator) decimal.Decimal { return k.divide(k.ratioOf("market_cap"), k.itemOfPeriod(of), of) }
}

// enterpriseMultiple divides enterprise value by a figure of the company.
func enterpriseMultiple(of func(*calculator) decimal.Decimal, name string) func(*calculator) decimal.Decimal {
	return func(k *calculator) decimal.Decimal {
		return k.divide(k.requirePositive(k.ratioOf("enterprise_value"), "enterprise_value"), of(k), name)
	}
}

func valuationRatios() []definition {
	const group = Valuation
	all := []definition{
		{id: "market_cap", label: "market capitalization", group: group, unit: money, formula: "price * shares_outstanding", compute: func(k *calculator) decimal.Decimal {
			return k.price().Mul(k.sharesOutstanding())
		}},
		{id: "price_to_earnings", label: "price to earnings (P/E)", group: group, unit: times, formula: "price / diluted_eps", compute: (*calculator).priceToEarnings},
		{id: "price_to_book", label: "price to book (P/B)", group: group, unit: times, formula: "market_cap / shareholders_equity", compute: func(k *calculator) decimal.Decimal {
			return k.divide(k.ratioOf("market_cap"), k.balanceAtEnd(market.ItemEquity), market.ItemEquity)
		}},
		{id: "price_to_sales", label: "price to sales (P/S)", group: group, unit: times, formula: "market_cap / revenue", compute: marketMultiple(market.ItemRevenue)},
		{id: "dividend_yield", label: "dividend yield", group: group, unit: percent, formula: "dividends_per_share / price", compute: (*calculator).dividendYield},
		{id: "payout_ratio", label: "payout ratio", group: group, unit: percent, formula: "dividends_paid / net_income", compute: percentOf(market.ItemDividendsPaid, market.ItemNetIncome)},
		{id: "buyback_yield", label: "buyback yield", group: group, unit: percent, formula: "shares_repurchased / market_cap", compute: func(k *calculator) decimal.Decimal {
			return hundredfold(k.divide(k.itemOfPeriod(market.ItemSharesRepurchased), k.ratioOf("market_cap"), "market_cap"))
		}},
	}
	return append(all, generalOnly(
		definition{id: "price_to_free_cash_flow", label: "price to free cash flow", group: group, unit: times, formula: "market_cap / free_cash_flow", compute: func(k *calculator) decimal.Decimal {
			return k.divide(k.ratioOf("market_cap"), k.ratioOf("free_cash_flow"), "free_cash_flow")
		}},
		definition{id: "free_cash_flow_yield", label: "free cash flow yield", group: group, unit: percent, formula: "free_cash_flow / market_cap", compute: func(k *calculator) decimal.Decimal {
			return hundredfold(k.divide(k.ratioOf("free_cash_flow"), k.ratioOf("market_cap"), "market_cap"))
		}},
		definition{id: "enterprise_value", label: "enterprise value (EV)", group: group, unit: money,
			formula: "market_cap + total_debt + minority_interest - cash - short_term_investments, minority_interest and short_term_investments where reported",
			compute: (*calculator).enterpriseValue},
		definition{id: "ev_to_ebitda", label: "EV/EBITDA", group: group, unit: times, formula: "enterprise_value / ebitda", compute: enterpriseMultiple(func(k *calculator) decimal.Decimal { return k.ratioOf("ebitda") }, "ebitda")},
		definition{id: "ev_to_operating_income", label: "EV/EBIT", group: group, unit: times, formula: "enterprise_value / operating_income", compute: enterpriseMultiple(func(k *calculator) decimal.Decimal { return k.itemOfPeriod(market.ItemOperatingIncome) }, market.ItemOperatingIncome)},
		definition{id: "ev_to_sales", label: "EV/sales", group: group, unit: times, formula: "enterprise_value / revenue", compute: enterpriseMultiple(func(k *calculator) decimal.Decimal { return k.itemOfPeriod(market.ItemRevenue) }, market.ItemRevenue)},
	)...)
}

func (k *calculator) enterpriseValue() decimal.Decimal {
	end := k.company.End
	return k.ratioOf("market_cap").Add(k.balanceAtEnd(market.ItemTotalDebt)).Add(k.reported(end, market.ItemMinorityInterest)).
		Sub(k.balanceAtEnd(market.ItemCash)).Sub(k.reported(end, market.ItemShortInvestments))
}

// priceToEarnings uses earnings per share. If they are unknown for the period or refer to other shares, it
// uses market cap and net income. If the share count and earnings per share contradict each other, at least
// one of them does not refer to the traded share.
func (k *calculator) priceToEarnings() decimal.Decimal {
	c := k.company
	price := k.price()
	if k.missing != "" {
		return decimal.Zero
	}
	eps, ok := c.Period.Items[market.ItemDilutedEPS]
	if !ok || c.shareMismatch(c.Period, eps) != "" {
		k.inputs, k.formula = nil, "market_cap / net_income"
		return k.divide(k.ratioOf("market_cap"), k.itemOfPeriod(market.ItemNetIncome), market.ItemNetIncome)
	}
	if count, ok := c.ShareCount.Items[market.ItemSharesOutstanding]; ok && c.shareMismatch(c.ShareCount, count) == "" {
		if why := c.countMismatch(count); why != "" {
			return k.setMissing("%s", why)
		}
	}
	return k.divide(price, k.earnings(), market.ItemDilutedEPS)
}

// dividendYield uses dividends declared per share or, without them, total dividends paid.
func (k *calculator) dividendYield() decimal.Decimal {
	c := k.company
	each, ok := c.Period.Items[market.ItemDividendsPerShare]
	if ok && c.shareMismatch(c.Period, each) == "" {
		return hundredfold(k.divide(k.inTodaysShares(market.ItemDividendsPerShare), k.price(), "price"))
	}
	k.formula = "dividends_paid / market_cap"
	if _, ok := c.Period.Items[market.ItemDividendsPaid]; !ok {
		return k.setMissing("neither %s nor %s was found", market.ItemDividendsPerShare, market.ItemDividendsPaid)
	}
	return hundredfold(k.divide(k.itemOfPeriod(market.ItemDividendsPaid), k.ratioOf("market_cap"), "market_cap"))
}

// Warnings returns warnings that concern all ratios of a company.
func (c Company) Warnings() []string {
	var out []string
	const leftOut = ": ratios of operating income, debt, liquidity, turnover, cash flow and enterprise value are not meaningful and omitted"
	switch c.Period.Template {
	case market.TemplateBank:
		out = append(out, "a bank"+leftOut)
	case market.TemplateInsurer:
		out = append(out, "an insurer"+leftOut)
	}
	if c.priceProblem() != "" {
		return out
	}
	if c.Price.Actions == nil {
		out = append(out, "the price source does not report splits; a split since the filing would make the price ratios wrong")
	}
	if c.Period.Form == "" {
		out = append(out, "the form of the filing is unknown; if the price is for depositary receipts, the price ratios are wrong")
	}
	return out
}
