// Package fred reads economic series from FRED, the database of the Federal Reserve Bank of St.
// Louis.
//
// Without a key it downloads the CSV behind a graph, which has only dates and latest values: a
// built-in table describes well-known series, and the frequency of others is inferred from their
// dates. With a key it uses the documented API, which describes and searches all series and returns
// values as known on a past day. Units then come from FRED and replace those of the table.
//
// Most series are public domain. Some (S&P, Moody's, ICE, Cboe, University of Michigan) are for
// personal use only; the license in each result says so.
package fred
