// Package prices has the tools for market prices: quotes, price history, cryptocurrency prices, dividends and
// splits, option chains, symbol search and exchange hours. Each result states its source and date, and
// whether it is stale, delayed or sample data. If the clock is set back, no later data is shown.
package prices
