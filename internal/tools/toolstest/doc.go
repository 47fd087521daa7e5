// Package toolstest has helpers for the tests of tools. Group, Call and CallOK run a tool
// through a Router, as the program does, and decode its result; the Want functions check
// it. ApprovingUser answers approval requests. PortfolioFixture is a portfolio with prices
// and exchange rates in memory; LedgerFixture is an empty ledger for tools that write;
// InvestorStore has the profile, the watchlist and the journal. PortfolioSuite checks what
// every tool that reads the portfolio must do: all numbers are figures, hidden amounts reach
// no model, a replay shows nothing later than its date.
package toolstest
