// Package facts reads the SEC's companyfacts documents: every number that a
// company ever tagged in its reports, and makes statements of them. It asks
// nobody; bytes come in, statements go out.
//
// A document repeats a figure for each filing that shows it, so a figure is known
// by concept, unit, start and end, and its filings are its vintages: the last is
// the newest view, the first the original, and those filed by a day what was
// known on that day. The fiscal year and period beside a figure are those of the
// filing, not of the figure. Which tag holds a line is asked of each period anew,
// since companies change tags over the years.
//
// Only periodic reports and current reports count: a proxy statement repeats
// years of net income for its pay tables, and an offering its fees.
package facts
