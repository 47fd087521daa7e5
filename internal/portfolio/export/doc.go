// Package export writes a ledger as CSV for spreadsheets, as JSON for programs, or as a double-entry
// journal for ledger and hledger.
//
// Numbers are written exactly. The output does not depend on the order in which transactions were
// recorded: two exports of the same ledger are identical.
package export
