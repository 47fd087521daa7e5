// Package coingecko reads coin prices from CoinGecko, averaged over exchanges, in dollars and other
// currencies.
//
// It needs no key (5 requests per minute; 30 with a free key). History goes back 365 days. Many coins share a
// ticker: well-known ones are listed in coins.tsv, others are resolved by search. There, the coin with by far
// the best rank wins; anything less clear is market.ErrAmbiguous. CoinGecko requires attribution wherever its
// data is shown.
package coingecko
