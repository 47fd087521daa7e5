// Package fundamental computes financial ratios of a company and values a business by discounted
// cash flow (DCF), by the growth that its price implies and by the multiples of comparable companies.
//
// NewCompany selects the reporting period from Statements; Ratios returns margins, returns on capital,
// leverage, liquidity, turnover, growth and price multiples, each with its formula and inputs. A ratio
// whose input is missing, or that is not meaningful (the P/E of a company with a loss), has no value and
// states the reason. Flows are divided by the average of the opening and closing balance, as in the CFA
// curriculum. Prices, share counts and per-share figures are combined only if they refer to the same
// shares: not across a split, a depositary receipt or a currency.
//
// DCF and Distribution use annual fractions and one unit of money. The caller supplies all data.
package fundamental
