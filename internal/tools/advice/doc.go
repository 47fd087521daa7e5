// Package advice has the tools that judge the user's portfolio and store the user's decisions:
// portfolio checkup, rebalancing plan, investor profile, watchlist and decision journal.
//
// Judge compares a suggestion with the limits in the investor profile. A suggestion that breaks a
// limit is refused, and the result names the limit. Without a profile, advice is general and lists
// the missing answers. Profile, watchlist and journal are changed only after the user approves the
// change.
package advice
