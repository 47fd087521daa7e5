// Package reference describes exchanges, trading calendars and symbols without network requests.
//
// ExchangeByMIC and ExchangeOf return the calendar of an Exchange: sessions, hours, half days and holidays
// from 2000 to 2027; other dates yield ErrYearNotCovered. LocalClockOf covers exchanges whose holidays are
// unknown, with only the time zone and the usual close. Trading halts and closures announced later are not
// included. Half days start in 2002 (Toronto), 2005 (Frankfurt) and 2010 (Sydney). closures.txt lists
// holidays and half days; to add a year, add a line for each exchange there and change lastYear.
//
// SymbolTable resolves symbols, names, ISINs and CIKs of about 2000 instruments (table.tsv: US data from the
// SEC's company_tickers.json of 2024, public domain; the rest compiled by hand). A name that matches several
// yields an *AmbiguousError. A symbol that is not in the table may still exist.
//
// Describe returns what a symbol is: exchange, currency, ISIN and class (common or preferred share, warrant,
// receipt and so on). Listings finds the listings of a ticker on several exchanges, and SymbolOn returns the
// symbol of a ticker on one exchange. Classify sets the classes of one issuer's securities, and RatioOf
// returns how many shares a unit represents. securities.tsv lists what neither ticker nor name shows, with
// sources.
//
// A Chinese name is an alias of one instrument of a kind: for a company with several listings, of the one in
// New York if the table has it, otherwise of the one in its home market. Searches find the others too.
package reference
