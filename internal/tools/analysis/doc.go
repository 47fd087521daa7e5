// Package analysis holds the tools for price statistics: returns_stats, risk_metrics, correlation,
// compare_assets, technical_indicators and chart (Tools), and the optimizer tools optimize_portfolio
// and efficient_frontier (OptimizerTools).
//
// The tools fetch prices through Deps or take series from the call; the formulas are in packages
// analytics, indicator and optimize. To add a tool, write one file and add it to the list.
package analysis
