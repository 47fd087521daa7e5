// Package coingecko asks CoinGecko for prices of coins, averaged over the places
// where they trade, in dollars and other currencies.
//
// It needs no key, at five questions a minute; a free one allows thirty. Either
// way history goes back 365 days. CoinGecko knows thousands of coins, of which many
// bear the same ticker: the best known are named in a table here, others by a
// search, where the coin with by far the largest market wins and anything less
// clear is refused. CoinGecko asks to be named wherever its data are shown.
package coingecko
