// Package finnhub reads Finnhub with the user's API key: prices, profiles and news of US companies. The free
// plan has no price history, so the package does not request any.
package finnhub
