// Package sample is a market source without a network: real historical figures
// embedded in the program, each flagged market.FlagSample and dated.
//
// Prices, in data/bars:
//   - ^GSPC, the S&P 500: daily open, high, low, close and volume from
//     2000-01-03 to 2020-04-17, a price index without dividends, from
//     vega-datasets 3.2.1 (npm).
//   - ^IXIC and eight companies: monthly closes from 1990 at the earliest to
//     2022-06-28, from the sample data of Matplotlib 3.6.3 (Debian package
//     python-matplotlib-data). The companies' are adjusted for splits and, where
//     the file says so, dividends.
//
// A monthly bar is dated by the last session of its month, whose close it is;
// the source labels it by the first of the month. The last bar of each monthly
// series ends within its month. In a month with a dividend the source is low by
// that dividend; the note of each series says so.
//
// A symbol in both packages has one series, never a mixture. For the companies
// Matplotlib's wins: it is longer, more precise, and one adjustment runs through
// it. For the S&P 500 the daily one wins over a monthly column.
//
// Annual statements, in data/statements: Apple and NVIDIA from the SEC's XBRL
// facts; Microsoft and Amazon compiled by hand from public pages that reproduce
// the filings, with gaps where no such page was found, as their note says.
//
// Economic series, in data/series: prices, jobs, growth and rates of the United
// States, as FRED and the Treasury published them. They have one vintage each:
// values that were revised later, or had been others before, are not there.
//
// Filings, in data/filings: a list of Apple's since 2022-10 and one 8-K of
// NVIDIA, with the text of three of them.
//
// Both price packages name Yahoo Finance as the origin of the figures and state
// no licence for them; the licences of the packages cover the packages. The
// head of each file in data has the details, data/NOTICE.md the terms.
package sample
