// Package edgar is the SEC EDGAR provider: company directory and search, profiles, filings, sections
// of filings, financial statements, insider trades and news from 8-K reports.
//
// ParseFacts reads a companyfacts document, and CompanyFacts.Statements builds statements from its XBRL
// facts. A fact is repeated in each filing that shows it, so each value has vintages: the original, the
// newest, and the one known on a date. The fiscal year and period of a fact are those of the filing. The
// concept for each line is chosen per period, because companies change tags.
//
// ParseDocument turns the main document of a filing into text and finds its items by the table of contents
// and by headings. Each Section has a confidence and warnings.
//
// The SEC requires a contact address: without Contact in the options no request is sent. Filings are dated by
// day, because EDGAR does not give the time of acceptance in a consistent time zone.
package edgar
