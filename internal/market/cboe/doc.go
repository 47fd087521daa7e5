// Package cboe reads delayed quotes and daily bars of US shares, funds and a few indices from the
// files behind Cboe's website, without a key.
//
// Quotes are 15 minutes old. Cboe does not say how bars are adjusted for splits and dividends, so
// their adjustment is unknown and no return should be computed from them. The last session may be
// missing.
package cboe
