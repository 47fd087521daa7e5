// Package edgar is the SEC's EDGAR as a source: who files under which number,
// what a company filed and when, statements made of its tagged figures, sections
// of its reports, trades of its insiders, and the events it reports on an 8-K.
//
// The SEC asks everybody to say who they are: without an address to reach the
// user by, nothing is asked. All its servers share one limit.
//
// A filing is dated by the day the SEC gives it. The minute that the SEC accepted
// it at is not used: the field says UTC for some companies and means New York's
// time for others.
package edgar
