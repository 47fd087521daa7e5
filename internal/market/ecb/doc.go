// Package ecb reads the euro reference rates and the euro area yield curve of the European Central
// Bank.
//
// Reference rates are fixed about 14:15 CET and published about 16:00 on TARGET business days. They
// are for information; nobody trades at them. A pair without the euro is a cross rate of two rates of
// the same day. A currency leaves the list when it joins the euro or is suspended (RUB since March
// 2022); its history remains.
package ecb
