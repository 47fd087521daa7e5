// Package symbology knows symbols without asking a server: what they are spelled
// like, which exchange their suffix names, and what some eighteen hundred of them
// stand for. A name that fits several instruments is not guessed at: the error
// lists them, and the user chooses.
//
// Symbols are spelled as market.ParseSymbol does: share classes after a dot
// (BRK-B and BRK/B are BRK.B), listings outside the United States with the suffix
// that Yahoo gives the exchange (VOD.L), indices with a caret (^GSPC), currencies
// as EURUSD=X and coins as BTC-USD.
//
// The table (table.tsv) holds large companies of the United States, in about the
// order of their size, with their numbers at the SEC; the main indices; large
// companies of other countries; funds that private investors hold; and coins. A
// field that is not known for certain is empty. It ages: a listing may have ended
// or changed its name, and what is not in the table may well exist, so that a
// symbol not found here is for the other sources to judge.
//
// Sources: tickers, names and CIK numbers of the United States from the SEC's
// company_tickers.json of 2024 (a work of the United States government, in the
// public domain), corrected for later changes; the rest was compiled by hand. The
// check digits of its ISINs hold and its suffixes are those of the exchanges.
package symbology
