// Package alert evaluates the user's alert rules and delivers the messages.
//
// Parse reads a rule. Runner evaluates all rules once, through reading tools only, and records what
// fired together with the new state, so that each alert is recorded exactly once. Deliver sends the
// recorded messages to the channels, at least once each.
package alert
