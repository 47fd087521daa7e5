// Package alert evaluates the user's alert rules and delivers the messages.
//
// Parse parses a rule. Runner evaluates all rules once, with read-only tools, and records the alerts that
// fired together with the new state, so that each alert is recorded exactly once. Deliver sends the recorded
// messages to the channels, each at least once.
package alert
