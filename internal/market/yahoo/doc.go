// Package yahoo asks Yahoo Finance: quotes, daily bars with dividends and splits,
// search, statements, headlines, profiles and options, for exchanges all over the
// world and without a key.
//
// None of this is a documented service, and its terms are for personal use.
// Charts, batches of quotes, search, statements and headlines need nothing but a
// browser's name; profiles, options and the second kind of batch need a cookie
// and a crumb, which are got once, kept, and renewed once when Yahoo refuses them.
// Where it goes on refusing, the rest still works.
//
// Coins are asked for by the tickers that are surely theirs at Yahoo, and by the
// numbered ones; others have better sources.
//
// Prices come adjusted for splits, so a series carries that level and the actions
// it was made from. Prices in pence and other minor units leave here in the major
// one. What looks wrong is flagged and left as it came.
package yahoo
