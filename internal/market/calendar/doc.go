// Package calendar says when exchanges trade: which days are sessions, when each
// opens, pauses and closes, and what an exchange is doing at a moment. It covers
// 2000 to 2027 and says so outside that span; it never guesses.
//
// Of other exchanges it knows how they keep time and not their holidays: a Local tells
// the day there and the usual end of it, and no sessions.
//
// Days are computed by rule where a rule exists (Easter, the nth weekday of a
// month, holidays that move off a weekend) and stand in a table where none does:
// attacks, storms, mourning, jubilees, Hong Kong's lunar festivals.
//
// What is not told: halts and late openings within a session, and trading outside
// the exchange itself, at night or on weekends. The close is the end of continuous
// trading; in London, Frankfurt, Hong Kong, Sydney and on Euronext an auction of
// some minutes follows, which Session.Settled leaves time for. Half days of
// Toronto are told from 2002, of Frankfurt from 2005, of Sydney from 2010: earlier
// ones are given as whole days. A closure for a storm or for mourning that comes
// after this was written is not known.
//
// Times of day are in the exchange's own zone. The zone database is linked into
// the program (time/tzdata, 450 KB), for machines that have none.
//
// The days were written from the known rules and closures of each exchange, with
// Handelsblatt of 2000 and dpa-AFX of December 2005 for Frankfurt, and compared
// with those of the projects exchange_calendars and date-holidays; lunar days with
// an astronomical computation (date-chinese), and New York's, from 2000 to 2020,
// with the bars of the S&P 500.
package calendar
