// Package coingecko reads coin prices from CoinGecko, averaged over exchanges, in dollars and other
// currencies.
//
// It needs no key (5 requests a minute; 30 with a free key). History goes back 365 days. Many coins
// share a ticker: well-known ones are listed in coins.tsv, others are resolved by search, where the
// coin with by far the best rank wins and anything less clear is market.ErrAmbiguous. CoinGecko
// requires attribution wherever its data are shown.
package coingecko
