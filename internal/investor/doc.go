// Package investor holds what is known about the user as an investor: the Profile (age, finances, tax
// status, objectives, experience, horizon, liquidity needs, risk tolerance, other investments), the
// limits the user set, the Interview that asks for them, the watchlist and the decision journal.
//
// Profile.CheckSuggestion checks a Suggestion against the limits; Profile.Basis says if advice may
// be called personal. Every answer is optional: an unanswered question stays unknown, no rule is
// judged by a guess, and advice is general if too much is unknown.
//
// A WatchedSymbol has price targets; CheckTargets compares them with a quote. A Decision records
// thesis, invalidation and prices; ScoreDecision compares its return with a benchmark later.
package investor
