// Package ecb asks the European Central Bank for its reference rates of the euro
// and for the yield curve of the euro area.
//
// Reference rates are what banks told each other at a quarter past two in the
// afternoon, published about four, on days when TARGET is open. They are for
// information: nobody trades at them. A pair without the euro is crossed here,
// both legs of the same day. Currencies leave the list when they join the euro
// (Croatia's in 2023, Bulgaria's in 2026) or are no longer quoted (Russia's since
// March 2022); their history stays.
package ecb
