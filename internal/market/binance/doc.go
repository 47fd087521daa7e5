// Package binance reads coin prices from Binance's public market data mirror. It needs no key and
// works in countries where the exchange itself is blocked.
//
// Binance quotes few coins in dollars: BTC-USD is requested as BTCUSDT, and every result says so.
// USDT is a stablecoin, near a dollar but not equal to it. Other pairs (BTC-EUR) are requested as they
// are. A day is a UTC day, and trading never pauses.
package binance
