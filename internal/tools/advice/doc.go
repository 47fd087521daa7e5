// Package advice has the tools that judge the user's portfolio and keep what the user
// decides: portfolio checkup, rebalancing plan, investor profile, watchlist and decision
// journal.
//
// Judge compares a suggestion with the limits in the investor profile; a suggestion that
// breaks a limit is refused, and the result names the limit. Without a profile, advice is
// general and says which answers are missing. Profile, watchlist and journal are changed
// only after the user approves the change.
package advice
