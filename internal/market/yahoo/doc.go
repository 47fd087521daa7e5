// Package yahoo reads Yahoo Finance: quotes, daily bars with dividends and splits, search, statements,
// news, profiles and options for exchanges worldwide, without a key.
//
// None of these services is documented, and the terms allow personal use only. Charts, batch quotes,
// search, statements and news need a browser's user agent; profiles, options and the v7 quotes also
// need a cookie and a crumb, which are stored and renewed once if Yahoo rejects them. If it keeps
// rejecting them, the other services still work.
//
// Bars are adjusted for splits. Prices quoted in a minor unit such as pence are converted to the major
// one. Inconsistent values are flagged and left unchanged. Coins are requested only under tickers
// that are unambiguous at Yahoo; others yield market.ErrNotCovered.
package yahoo
