// Package nasdaq reads the undocumented API behind Nasdaq's website: quotes and about ten years of
// daily bars of US shares, funds and a few indices, without a key.
//
// Bars are adjusted for splits and have no dividends, so total returns cannot be computed from them.
// Errors arrive in the body with status 200.
package nasdaq
