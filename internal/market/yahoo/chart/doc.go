// Package chart makes bars and quotes of what Yahoo's chart service answers: rows
// to sessions of the exchange's own days, events to dividends and splits, pence to
// pounds. What contradicts itself is flagged and left as it came.
//
// Figures, symbols, exchanges and refusals look alike in all answers of Yahoo, so
// what reads them stands here too. Nothing is asked here: text goes in, and comes
// out as values of market or as an error that is one of market's sentinels.
package chart
