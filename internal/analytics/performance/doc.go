// Package performance measures what a book earned: what it was worth on each day,
// the returns by time and by money, and where the gain came from. It asks no market
// and no clock: prices, rates and days come in.
//
// # Conventions
//
// All figures are in one base currency. A day is valued at its close; a window runs
// from the close of From to the close of To, so what was done on From is in its
// value at the start.
//
// Prices are as traded. A series that is adjusted for splits is put back to them: a
// price is multiplied by New / Old of all splits and spin-offs after its day. A series
// that is adjusted for dividends, or of which nobody says what it is adjusted for, is
// no price. A split of the book counts on the day on which the series has it; where
// the two disagree, the security has no value from then on and a Disagreement says so.
//
// A price or rate holds until the next one, seven days at most. A day on which
// something that is held has none is not valued, and a Gap says for what.
//
// A flow is what came from outside or went there, in the base currency at the rate of
// its day, securities at that day's close. The flows of a day are added up; what
// remains counts at the start of the day where it came in, and at its end where it
// went out, in every method but one: the money-weighted return of a year or more is
// the XIRR of spreadsheets, which knows dates and no time of day.
//
// Sums of money are exact: quantities, prices and rates are multiplied without
// rounding. An inverse rate is rounded to InversePlaces, a price that was adjusted to
// AdjustedPlaces. Returns are float64, as fractions of one: package returns measures
// them of the values and flows by day that are found here.
package performance
