// Package fred asks FRED, the Federal Reserve Bank of St. Louis' library of
// economic series.
//
// Without a key it reads the table behind a graph, which tells dates and newest
// values alone: the best known series are described here, of others the frequency
// is read from the dates. With a key it asks the documented service, which
// describes every series, searches all of them, and gives values as they were
// known on a past day, before they were revised. Their unit is then FRED's own, as of
// that day, and what is described here gives way to it.
//
// FRED passes on what others measure. Most of it is public domain; some is not
// (S&P, Moody's, ICE, Cboe, the University of Michigan) and is for personal use
// only, which the licence of each result says.
package fred
