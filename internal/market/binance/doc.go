// Package binance asks Binance's public mirror of market data for prices of
// coins, which needs no key and is open where the exchange itself is not.
//
// Binance trades few coins in dollars: BTC-USD is asked as BTCUSDT, and every
// result says so. USDT is a stablecoin of Tether, near a dollar and not one. Pairs
// in other currencies (BTC-EUR) are asked as they are. A day is one of universal
// time, and trading never pauses.
package binance
