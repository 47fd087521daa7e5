// Package reference knows exchanges, trading calendars and symbols without a network request.
//
// ExchangeByMIC and ExchangeOf return the calendar of an Exchange: sessions, hours, half days and
// holidays from 2000 to 2027; other dates yield ErrYearNotCovered. LocalClockOf covers exchanges whose
// holidays are not known: time zone and usual close only. Trading halts and closures announced later
// are not known. Half days start in 2002 (Toronto), 2005 (Frankfurt) and 2010 (Sydney). closures.txt
// lists holidays and half days; another year needs a line for each exchange there, and lastYear.
//
// SymbolTable resolves symbols, names, ISINs and CIKs of about 2000 instruments (table.tsv: US data
// from the SEC's company_tickers.json of 2024, public domain; the rest compiled by hand). A name that
// fits several yields an *AmbiguousError. A symbol that is not in the table may still exist.
//
// Describe tells what a symbol is without a request: exchange, currency, ISIN and class (common or
// preferred share, warrant, receipt ...). Listings finds the exchanges of one ticker, SymbolOn spells a
// ticker on an exchange. Classify sets the classes of one issuer's securities, and RatioOf how many of its
// shares a unit stands for; securities.tsv has what neither ticker nor name tells, with its sources.
//
// Names in Chinese are aliases of one instrument of a kind: of a company with several listings, that in
// New York where the table has it, or else that at home. Searches find the others, too.
package reference
