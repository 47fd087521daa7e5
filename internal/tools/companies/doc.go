// Package companies has the tools about companies: profile, financial statements, key ratios, insider trades,
// SEC filings and their sections, news, discounted cash flow and comparable companies. A missing source omits
// its tools. Each number has its filing or source. Text from filings and news is untrusted and marked as
// such. If the clock is set back, nothing published later is shown.
package companies
