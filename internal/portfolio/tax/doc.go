// Package tax applies a jurisdiction's rules to the disposals of a portfolio: short-term and
// long-term gains, totals by year, and losses that wash sale rules disallow.
//
// FindJurisdiction returns the rules and Jurisdiction.Assess the Assessment: sales as lines of Form
// 8949, wash sales, losses that a later purchase could still disallow, and added basis.
// WashSaleOutlook reports the effect of a sale at a loss on a given date.
//
// The package computes and does not advise. Tax rates, allowances, loss carryforwards and special
// cases, such as inherited shares or dealers, are not included.
package tax
