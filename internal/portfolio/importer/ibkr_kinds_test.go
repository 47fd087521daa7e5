package importer_test

import (
	"strings"
	"testing"
)

// ibkrAttributes returns the attributes of a case, completed by those in rest that it does not set.
func ibkrAttributes(named string, rest ...string) string {
	for _, field := range rest {
		if name, _, _ := strings.Cut(field, "="); !strings.Contains(" "+named, " "+name+"=") {
			named += " " + field
		}
	}
	return named
}

// The word and the sign decide the kind of a payment.
func TestPayments_TheKindIsByTypeAndSign(t *testing.T) {
	for _, c := range []struct{ name, fields, want string }{
		{"paid in", `type="Deposits/Withdrawals" amount="5"`, "2024-04-01 a deposit amount=5 USD"},
		{"taken out", `type="Deposits/Withdrawals" amount="-5"`, "2024-04-01 a withdrawal amount=5 USD"},
		{"in the words of another year", `type="Deposits &amp; Withdrawals" amount="5"`, "2024-04-01 a deposit amount=5 USD"},
		{"a withdrawal alone", `type="Withdrawals" amount="-5"`, "2024-04-01 a withdrawal amount=5 USD"},
		{"cash is of no security", `type="Deposits/Withdrawals" amount="5" symbol="ACM"`, "2024-04-01 a deposit amount=5 USD"},
		{"interest of the broker", `type="Broker Interest Received" amount="5"`, "2024-04-01 a interest amount=5 USD"},
		{"interest to the broker", `type="Broker Interest Paid" amount="-5"`, "2024-04-01 a interest_paid amount=5 USD"},
		{"interest of a bond", `type="Bond Interest Received" amount="5" symbol="BND"`, "2024-04-01 a interest BND amount=5 USD"},
		{"interest accrued with a purchase", `type="Bond Interest Paid" amount="-5" symbol="BND"`, "2024-04-01 a interest_paid BND amount=5 USD"},
		{"a fee", `type="Other Fees" amount="-5"`, "2024-04-01 a fee amount=5 USD"},
		{"a fee given back", `type="Other Fees" amount="5"`, "2024-04-01 a fee_refund amount=5 USD"},
		{"a fee of an adviser", `type="Advisor Fees" amount="-5"`, "2024-04-01 a fee amount=5 USD"},
		{"a commission corrected", `type="Commission Adjustments" amount="5"`, "2024-04-01 a fee_refund amount=5 USD"},
		{"a tax", `type="Sales Tax" amount="-5"`, "2024-04-01 a tax amount=5 USD"},
		{"a tax given back", `type="Sales Tax" amount="5"`, "2024-04-01 a tax_refund amount=5 USD"},
		{"withheld", `type="Withholding Tax" amount="-5" symbol="ACM"`, "2024-04-01 a tax ACM amount=5 USD"},
		{"withheld of what stands for a dividend", `type="871(m) Withholding" amount="-5" symbol="ACM"`, "2024-04-01 a tax ACM amount=5 USD"},
		{"a dividend", `type="Dividends" amount="5" symbol="ACM"`, "2024-04-01 a dividend ACM amount=5 USD"},
		{"in place of one", `type="Payment In Lieu Of Dividends" amount="5" symbol="ACM"`, "2024-04-01 a dividend ACM amount=5 USD"},
		{"capital given back", `type="Dividends" amount="5" symbol="ACM" description="ACM CASH DIVIDEND USD 1 PER SHARE (Return of Capital)"`, "2024-04-01 a return_of_capital ACM amount=5 USD"},
		{"the security is in the words alone", `type="Dividends" amount="5" description="ACM(US00000ACM14) CASH DIVIDEND USD 1 PER SHARE"`, "2024-04-01 a dividend ACM isin=US00000ACM14 amount=5 USD"},
		{"a dividend of nothing", `type="Dividends" amount="5"`, "! dividend without a security"},
		{"a type that nobody knows", `type="Price Adjustments" amount="5"`, `! unsupported payment type "Price Adjustments"`},
		{"missing amount", `type="Other Fees" amount="0"`, "! missing amount"},
		{"an amount in words", `type="Other Fees" amount="five"`, "! amount: not a number"},
		{"no day", `type="Other Fees" amount="-5" dateTime=""`, "! missing date"},
		{"missing currency", `type="Other Fees" amount="-5" currency="dollars"`, "! "},
		{"sum over currencies", `type="Other Fees" amount="-5" currency="BASE_SUMMARY"`, "ignored"},
	} {
		t.Run(c.name, func(t *testing.T) {
			compareIBKROutcome(t, ibkrFlexXML("<CashTransactions><CashTransaction "+ibkrAttributes(c.fields, `currency="USD"`, `dateTime="20240401"`)+" /></CashTransactions>"), c.want)
		})
	}
}

// If a file has both sums and their parts, the sums are ignored; otherwise they are recorded.
func TestPayments_ASumCountsWhereItIsAlone(t *testing.T) {
	row := func(level, amount string) string {
		return `<CashTransaction currency="USD" dateTime="20240401" type="Other Fees" amount="` + amount + `" levelOfDetail="` + level + `" />`
	}
	compareIBKROutcome(t, ibkrFlexXML("<CashTransactions>"+row("DETAIL", "-2")+row("DETAIL", "-3")+row("SUMMARY", "-5")+"</CashTransactions>"), "2024-04-01 a fee amount=2 USD; 2024-04-01 a fee amount=3 USD; ignored")
	compareIBKROutcome(t, ibkrFlexXML("<CashTransactions>"+row("SUMMARY", "-5")+"</CashTransactions>"), "2024-04-01 a fee amount=5 USD")
}

// ibkrTradeXML returns a trade of ten ACM at 5, changed by fields.
func ibkrTradeXML(fields string) string {
	return "<Trade " + ibkrAttributes(fields, `accountId="U1"`, `transactionID="1"`, `currency="USD"`, `assetCategory="STK"`, `symbol="ACM"`, `tradeDate="20240105"`, `quantity="10"`, `tradePrice="5"`, `proceeds="-50"`, `buySell="BUY"`) + " />\n"
}

// Quantities of securities are read, quantities of contracts are not.
func TestTrades_TheKindOfAssetIsReadOrRefused(t *testing.T) {
	const bought = "2024-01-05 a buy ACM quantity=10 amount=50 USD"
	for kind, want := range map[string]string{
		"STK": bought, "Stocks": bought, "FUND": bought, "Mutual Funds": bought, "ETF": bought, "WAR": bought, "IOPT": bought, "": bought,
		"BOND": bought, "BILL": bought,
		"FUT": "! futures", "FOP": "! futures", "CFD": "! futures", "CRYPTO": "! unsupported asset class CRYPTO", "CMDTY": "! unsupported asset class CMDTY",
	} {
		t.Run("kind "+kind, func(t *testing.T) {
			compareIBKROutcome(t, ibkrFlexXML("<Trades>"+ibkrTradeXML(`assetCategory="`+kind+`"`)+"</Trades>"), want)
		})
	}
}

// The word and the sign must agree, and quantity, price and amount must match within rounding: two
// cents, and a ten-thousandth per unit.
func TestTrades_NumbersThatContradictEachOtherAreRefused(t *testing.T) {
	for _, c := range []struct{ name, fields, want string }{
		{"a sale", `quantity="-10" proceeds="50" buySell="SELL"`, "2024-01-05 a sell ACM quantity=10 amount=50 USD"},
		{"a sale without its word", `quantity="-10" proceeds="50" buySell=""`, "2024-01-05 a sell ACM quantity=10 amount=50 USD"},
		{"a purchase that is less", `quantity="-10" proceeds="50"`, "! side BUY contradicts quantity -10"},
		{"a sale that is more", `buySell="SELL"`, "! side SELL contradicts quantity 10"},
		{"a sale that opens", `quantity="-10" proceeds="50" buySell="SELL" openCloseIndicator="O"`, "2024-01-05 a sell ACM quantity=10 amount=50 USD short"},
		{"a sale that closes", `quantity="-10" proceeds="50" buySell="SELL" openCloseIndicator="C"`, "2024-01-05 a sell ACM quantity=10 amount=50 USD"},
		{"a sale that opens among its notes", `quantity="-10" proceeds="50" buySell="SELL" notes="P;O"`, "2024-01-05 a sell ACM quantity=10 amount=50 USD short"},
		{"a purchase that opens", `openCloseIndicator="O"`, "2024-01-05 a buy ACM quantity=10 amount=50 USD"},
		{"within rounding", `proceeds="-50.021"`, "2024-01-05 a buy ACM quantity=10 amount=50.021 USD"},
		{"beyond rounding", `proceeds="-50.022"`, "! 10 at 5 does not equal 50.022"},
		{"money of the wrong side", `proceeds="50"`, "! the proceeds 50 have the wrong sign for the quantity 10"},
		{"no money", `proceeds="0"`, "2024-01-05 a buy ACM quantity=10 amount=50 USD"},
		{"no money and no kind of asset", `assetCategory="" proceeds="0"`, "! the file has neither the asset class nor the proceeds"},
		{"no money and a unit of one", `assetCategory="" multiplier="1" proceeds="0"`, "2024-01-05 a buy ACM quantity=10 amount=50 USD"},
		{"money under another name", `proceeds="" tradeMoney="50"`, "2024-01-05 a buy ACM quantity=10 amount=50 USD"},
		{"a bond priced in percent", `assetCategory="BOND" tradePrice="98" quantity="1000" proceeds="-980"`, "2024-01-05 a buy ACM quantity=1000 amount=980 USD"},
		{"a bond whose money is of the wrong side", `assetCategory="BOND" tradePrice="98" quantity="1000" proceeds="980"`, "! the proceeds 980 have the wrong sign for the quantity 1000"},
		{"a contract for a hundred", `multiplier="100"`, "! contract with a multiplier of 100"},
		{"a thousand in words", `quantity="ten"`, "! quantity: not a number"},
		{"the evening before", `dateTime="20240104;201500" tradeDate="20240105"`, "2024-01-05 a buy ACM quantity=10 amount=50 USD"},
		{"no day at all", `tradeDate=""`, "! not a date"},
		{"missing symbol", `symbol=""`, "! currency exchange without its other currency in the file"},
		{"francs for dollars", `assetCategory="CASH" symbol="USD.CHF" currency="CHF" quantity="100" tradePrice="0.9" proceeds="-90"`, "2024-01-05 a currency_exchange amount=90 CHF to=100 USD"},
		{"dollars for francs", `assetCategory="CASH" symbol="USD.CHF" currency="CHF" quantity="-100" tradePrice="0.9" proceeds="90" buySell="SELL"`, "2024-01-05 a currency_exchange amount=100 USD to=90 CHF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			compareIBKROutcome(t, ibkrFlexXML("<Trades>"+ibkrTradeXML(c.fields)+"</Trades>"), c.want)
		})
	}
}

// A file may report one trade in up to three ways, and it counts once: by its executions, or else
// by its order. Sums, lots and canceled trades never count.
func TestTrades_EachCountsOnce(t *testing.T) {
	const whole, half = `quantity="10" proceeds="-50"`, `quantity="5" proceeds="-25"`
	order, execution := `levelOfDetail="ORDER" ibOrderID="7" `, `levelOfDetail="EXECUTION" ibOrderID="7" `
	entry := func(n, amount string) string {
		return "2024-01-05 a buy ACM quantity=" + n + " amount=" + amount + " USD"
	}
	for _, c := range []struct{ name, trades, want string }{
		{"an order alone", ibkrTradeXML(order + whole), entry("10", "50")},
		{"executions of an order", ibkrTradeXML(order+whole) + ibkrTradeXML(execution+half+` transactionID="2"`) + ibkrTradeXML(execution+half+` transactionID="3"`), entry("5", "25") + "; " + entry("5", "25") + "; ignored"},
		{"an order of that day without its number", ibkrTradeXML(`levelOfDetail="ORDER" `+whole) + ibkrTradeXML(`levelOfDetail="EXECUTION" `+half+` transactionID="2"`), entry("5", "25") + "; ignored"},
		{"another order", ibkrTradeXML(`levelOfDetail="ORDER" ibOrderID="8" `+whole) + ibkrTradeXML(execution+half+` transactionID="2"`), entry("10", "50") + "; " + entry("5", "25")},
		{"an order without a number, executions of another day without one", ibkrTradeXML(`levelOfDetail="ORDER" tradeDate="20240108" `+whole) + ibkrTradeXML(`levelOfDetail="EXECUTION" `+half+` transactionID="2"`), strings.Replace(entry("10", "50"), "01-05", "01-08", 1) + "; " + entry("5", "25")},
		{"a lot that was closed", ibkrTradeXML(whole) + ibkrTradeXML(`levelOfDetail="CLOSED_LOT"`), entry("10", "50") + "; ignored"},
		{"sums alone", ibkrTradeXML(`levelOfDetail="SYMBOL_SUMMARY"`), "! lot or total of trades that are not in the file"},
		{"the sum of a trade that is refused", ibkrTradeXML(`quantity="0"`) + ibkrTradeXML(`levelOfDetail="SYMBOL_SUMMARY"`), "! missing quantity; ignored"},
		{"cancelled", ibkrTradeXML(whole) + ibkrTradeXML(`transactionID="2" buySell="BUY (Ca.)" quantity="-10" proceeds="50"`), "ignored; ignored"},
		{"cancelled by its code", ibkrTradeXML(whole) + ibkrTradeXML(`transactionID="2" buySell="" notes="Ca;P" quantity="-10" proceeds="50"`), "ignored; ignored"},
		{"one of two cancelled", ibkrTradeXML(whole) + ibkrTradeXML(whole+` transactionID="2"`) + ibkrTradeXML(`transactionID="3" buySell="BUY (Ca.)" quantity="-10" proceeds="50"`), entry("10", "50") + "; ignored; ignored"},
		{"another quantity cancelled", ibkrTradeXML(whole) + ibkrTradeXML(`transactionID="2" buySell="BUY (Ca.)" quantity="-5" proceeds="25"`), entry("10", "50") + "; ! cancels a trade that is not in the file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			compareIBKROutcome(t, ibkrFlexXML("<Trades>\n"+c.trades+"</Trades>"), c.want)
		})
	}
}
