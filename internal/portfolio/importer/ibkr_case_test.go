package importer_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/portfolio/importer"
)

// ibkrOutcome formats the result of a file on one line: its entries, then its problems.
func ibkrOutcome(s importer.Statement) string {
	all := formatAllIBKR(s)
	for _, p := range s.Problems {
		all = append(all, "! "+p.Reason)
	}
	for range s.Ignored {
		all = append(all, "ignored")
	}
	return strings.Join(all, "; ")
}

func compareIBKROutcome(t *testing.T, text, want string) {
	t.Helper()
	got := ibkrOutcome(readIBKR(t, text, importer.Options{Account: "a"}))
	parts, wants := strings.Split(got, "; "), strings.Split(want, "; ")
	if len(parts) != len(wants) {
		t.Fatalf("got %s\nwant %s", got, want)
	}
	for i, part := range parts {
		if part != wants[i] && !(strings.HasPrefix(wants[i], "! ") && strings.HasPrefix(part, wants[i])) {
			t.Errorf("got %s\nwant %s", part, wants[i])
		}
	}
}

func ibkrLegXML(symbol, isin, quantity, proceeds, description string) string {
	return `<CorporateAction currency="USD" symbol="` + symbol + `" isin="` + isin + `" reportDate="20240610" quantity="` + quantity +
		`" proceeds="` + proceeds + `" actionID="7" transactionID="` + symbol + quantity + `" actionDescription="` + description + `" />`
}

func TestCorporateActions(t *testing.T) {
	const acm, fresh = "US00000ACM14", "US00000NEW15"
	for _, c := range []struct{ name, legs, want string }{
		{"a split that renames", ibkrLegXML("ACM", acm, "-100", "0", "ACM SPLIT 1 FOR 10 (ACM, ACME, "+acm+")") + ibkrLegXML("NEW", fresh, "10", "0", "ACM SPLIT 1 FOR 10 (NEW, NEW, "+fresh+")"),
			"2024-06-10 a merger ACM isin=US00000ACM14 to=NEW new=1 old=10"},
		{"a fraction is paid out and the ratio holds", ibkrLegXML("ACM.OLD", acm, "-105", "0", "ACM SPLIT 1 FOR 10 (ACM.OLD, ACME, "+acm+")") + ibkrLegXML("ACM", fresh, "10", "0", "ACM SPLIT 1 FOR 10 (ACM, ACME, "+fresh+")"),
			"2024-06-10 a reverse_split ACM isin=US00000NEW15 new=1 old=10"},
		{"shares do not come out at the ratio", ibkrLegXML("ACM.OLD", acm, "-105", "0", "ACM SPLIT 1 FOR 10 (ACM.OLD, A, B)") + ibkrLegXML("ACM", fresh, "20", "0", "ACM SPLIT 1 FOR 10 (ACM, A, B)"),
			"! shares do not match the split ratio; ! shares do not match the split ratio"},
		{"opposite direction", ibkrLegXML("ACM", acm, "-75", "0", "ACM SPLIT 4 FOR 1 (ACM, A, B)"), "! shares changed in the opposite direction"},
		{"split without a ratio", ibkrLegXML("ACM", acm, "75", "0", "ACM SPLIT (ACM, A, B)"), "! split without a ratio"},
		{"a split for nothing", ibkrLegXML("ACM", acm, "75", "0", "ACM SPLIT 4 FOR 0 (ACM, A, B)"), "! unreadable split ratio"},
		{"a split with cash", ibkrLegXML("ACM", acm, "75", "3", "ACM SPLIT 4 FOR 1 (ACM, A, B)"), "! split with cash"},
		{"a spin-off of nobody", ibkrLegXML("KID", "", "2", "0", "SPINOFF 1 FOR 5 (KID, A, B)"), "! unreadable spin-off"},
		{"a merger of one leg without cash", ibkrLegXML("ACM", acm, "-5", "0", "ACM MERGED(ACQUISITION) (ACM, A, B)"), "! merger with an unsupported combination"},
		{"the same ticker for more shares", ibkrLegXML("ACM.OLD", acm, "-5", "0", "ACM MERGED (ACM.OLD, A, B)") + ibkrLegXML("ACM", fresh, "6", "0", "ACM MERGED (ACM, A, B)"),
			"! shares exchanged for others; ! shares exchanged for others"},
		{"a bond that is not paid", ibkrLegXML("BND", "US00000BND11", "-5", "0", "BOND MATURITY (BND, A, B)"), "! redemption without an amount"},
		{"the security is in the words alone", ibkrLegXML("", "", "75", "0", "ACM("+acm+") SPLIT 4 FOR 1 (ACM, ACME CORP, "+acm+")"), "2024-06-10 a split ACM isin=US00000ACM14 new=4 old=1"},
		{"cash for a part of the shares", ibkrLegXML("ACM", acm, "-40", "400", "ACM MERGED(VOLUNTARY OFFER ALLOCATION) FOR USD 10.00 PER SHARE (ACM, A, B)"), "2024-06-10 a sell ACM isin=US00000ACM14 quantity=40 amount=400 USD"},
		{"a contract on the share that is split", strings.Replace(ibkrLegXML("ACM", acm, "75", "0", "ACM SPLIT 4 FOR 1 (ACM, A, B)"), "symbol=", `assetCategory="CFD" symbol=`, 1), "! futures, options on futures"},
		{"an option of the share that is split", strings.Replace(ibkrLegXML("ACM", acm, "75", "0", "ACM SPLIT 4 FOR 1 (ACM, A, B)"), "symbol=", `assetCategory="OPT" multiplier="100" symbol=`, 1), "! options are not supported: to keep cash correct, enter the cost or proceeds as a fee or deposit"},
		{"missing date", `<CorporateAction currency="USD" symbol="ACM" quantity="5" actionDescription="ACM SPLIT 2 FOR 1" />`, "! missing date"},
		{"no number", ibkrLegXML("ACM", acm, "many", "0", "ACM SPLIT 4 FOR 1 (ACM, A, B)"), "! quantity: not a number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			compareIBKROutcome(t, ibkrFlexXML("<CorporateActions>"+c.legs+"</CorporateActions>"), c.want)
		})
	}
}

func TestTransfers(t *testing.T) {
	for _, c := range []struct{ name, fields, want string }{
		{"shares in", `symbol="ACM" quantity="5" direction="IN"`, "2024-06-10 a transfer_in ACM quantity=5 cost-unknown"},
		{"shares out", `symbol="ACM" quantity="-5" direction="OUT"`, "2024-06-10 a transfer_out ACM quantity=5"},
		{"cash in", `symbol="--" assetCategory="CASH" cashTransfer="9" direction="IN"`, "2024-06-10 a deposit amount=9 USD"},
		{"cash out", `assetCategory="CASH" cashTransfer="-9" direction="OUT"`, "2024-06-10 a withdrawal amount=9 USD"},
		{"shares in that are fewer", `symbol="ACM" quantity="-5" direction="IN"`, "! direction IN contradicts quantity -5"},
		{"cash in that is less", `assetCategory="CASH" cashTransfer="-9" direction="IN"`, "! cash transfer of -9 contradicts"},
		{"no direction", `symbol="ACM" quantity="5"`, "! direction"},
		{"both", `symbol="ACM" quantity="5" cashTransfer="9" direction="IN"`, "! transfer of both"},
		{"a lot of one", `symbol="ACM" quantity="5" direction="IN" levelOfDetail="TRANSFER_LOT"`, "! lot or total of transfers that are not in the file"},
		{"a transfer and its lot", `symbol="ACM" quantity="5" direction="IN" /><Transfer accountId="U1" currency="USD" date="20240610" symbol="ACM" quantity="5" direction="IN" levelOfDetail="TRANSFER_LOT"`,
			"2024-06-10 a transfer_in ACM quantity=5 cost-unknown; ignored"},
		{"futures", `assetCategory="FUT" symbol="ESZ4" quantity="5" direction="IN"`, "! futures"},
		{"options are not supported", `assetCategory="OPT" symbol="ACM 240119C00150000" quantity="5" direction="IN"`, "! options are not supported: to keep cash correct, enter the cost or proceeds as a fee or deposit"},
		{"an option by its name alone", `symbol="ACM   240119C00150000" quantity="5" direction="IN"`, "! option ACM 240119C00150000: options are not supported; enter the cash received or paid by hand"},
		{"no security", `quantity="5" direction="IN"`, "! invalid transaction"},
		{"no number", `symbol="ACM" quantity="x" direction="IN"`, "! quantity: not a number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			compareIBKROutcome(t, ibkrFlexXML(`<Transfers><Transfer accountId="U1" currency="USD" date="20240610" `+c.fields+` /></Transfers>`), c.want)
		})
	}
}

func TestTradesAndTheirCosts(t *testing.T) {
	for _, c := range []struct{ name, fields, want string }{
		{"a commission in the trade's currency", `ibCommission="-1"`, "2024-01-05 a buy ACM quantity=10 amount=50 USD fee=1"},
		{"a commission and tax paid back", `ibCommission="0.2" taxes="0.1"`, "2024-01-05 a buy ACM quantity=10 amount=49.7 USD"},
		{"a commission paid back in another currency", `ibCommission="0.2" ibCommissionCurrency="CHF"`, "2024-01-05 a buy ACM quantity=10 amount=50 USD; 2024-01-05 a fee_refund ACM amount=0.2 CHF"},
		{"a commission in no currency", `ibCommission="-0.2" ibCommissionCurrency="francs"`, "! commission currency"},
		{"more paid back than the trade cost", `ibCommission="60"`, "! a refunded fee or tax of 60"},
		{"an exchange whose commission has no currency", `assetCategory="CASH" symbol="EUR.USD" ibCommission="-2"`, "! missing currency of the commission of -2"},
		{"an exchange of one currency", `assetCategory="CASH" symbol="EUR" ibCommission="0"`, "! cannot find the two currencies"},
		{"an exchange in a third currency", `assetCategory="CASH" symbol="EUR.CHF"`, "! cannot find the two currencies"},
		{"no quantity", `quantity="0"`, "! missing quantity"},
		{"a side that is none", `buySell="HOLD"`, "! side HOLD"},
		{"a sum", `levelOfDetail="SYMBOL_SUMMARY"`, "! lot or total of trades that are not in the file"},
		{"a cancellation of nothing", `buySell="BUY (Ca.)" quantity="-10" proceeds="50"`, "! cancels a trade that is not in the file"},
		{"an option for one", `assetCategory="OPT" multiplier="1"`, "! options are not supported: to keep cash correct, enter the cost or proceeds as a fee or deposit"},
		{"an ISIN in another field", `securityID="US00000ACM14"`, "2024-01-05 a buy ACM isin=US00000ACM14 quantity=10 amount=50 USD"},
		{"a date in words", `tradeDate="05-Jan-24"`, "2024-01-05 a buy ACM quantity=10 amount=50 USD"},
		{"a time that is none", `dateTime="20240105;evening"`, "! time of day"},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Attributes of the case replace those that all trades have.
			var rest strings.Builder
			for _, field := range []string{`currency="USD"`, `assetCategory="STK"`, `symbol="ACM"`, `tradeDate="20240105"`, `quantity="10"`, `tradePrice="5"`, `proceeds="-50"`, `buySell="BUY"`} {
				if name, _, _ := strings.Cut(field, "="); !strings.Contains(" "+c.fields, " "+name+"=") {
					rest.WriteString(" " + field)
				}
			}
			compareIBKROutcome(t, ibkrFlexXML(`<Trades><Trade accountId="U1" transactionID="1" `+c.fields+rest.String()+` /></Trades>`), c.want)
		})
	}
}

func TestTaxesBelongWhereThatIsCertain(t *testing.T) {
	pay := func(kind, amount, words string) string {
		return `<CashTransaction currency="USD" symbol="ACM" dateTime="20240401" type="` + kind + `" amount="` + amount + `" description="` + words + `" />`
	}
	const per, other = "ACM CASH DIVIDEND USD 1 PER SHARE", "ACM CASH DIVIDEND USD 2 PER SHARE"
	for _, c := range []struct{ name, rows, want string }{
		{"by the words of both", pay("Dividends", "10", per+" (Ordinary Dividend)") + pay("Dividends", "20", other+" (Ordinary Dividend)") + pay("Withholding Tax", "-3", other+" - US TAX"),
			"2024-04-01 a dividend ACM amount=10 USD; 2024-04-01 a dividend ACM amount=20 USD tax=3"},
		{"by being the only one of its day", pay("Dividends", "10", per) + pay("Withholding Tax", "-3", "ACM TAX"), "2024-04-01 a dividend ACM amount=10 USD tax=3"},
		{"two dividends of the same words", pay("Dividends", "10", per+" (Ordinary Dividend)") + pay("Dividends", "20", per+" (Bonus Dividend)") + pay("Withholding Tax", "-3", per+" - US TAX"),
			"2024-04-01 a dividend ACM amount=10 USD; 2024-04-01 a dividend ACM amount=20 USD; 2024-04-01 a tax ACM amount=3 USD"},
		{"more than the dividend", pay("Dividends", "1", per) + pay("Withholding Tax", "-3", per+" - US TAX"), "2024-04-01 a dividend ACM amount=1 USD; 2024-04-01 a tax ACM amount=3 USD"},
		{"paid back in full", pay("Withholding Tax", "-3", per+" - US TAX") + pay("Withholding Tax", "3", per+" - US TAX"), "ignored; ignored"},
		{"paid back without its dividend", pay("Withholding Tax", "3", per+" - US TAX"), "2024-04-01 a tax_refund ACM amount=3 USD"},
		{"corrected without its dividend", pay("Withholding Tax", "3", per+" - US TAX") + pay("Withholding Tax", "-1.5", per+" - US TAX"), "2024-04-01 a tax_refund ACM amount=1.5 USD"},
		{"paid back beside the dividend of another day", pay("Withholding Tax", "3", per+" - US TAX") + strings.ReplaceAll(pay("Dividends", "-10", per), "20240401", "20240402"),
			"2024-04-01 a tax_refund ACM amount=3 USD; ! reverses a dividend"},
		{"withheld beside a dividend that is not there", pay("Dividends", "-10", per+" (Ordinary Dividend)") + pay("Withholding Tax", "-3", per+" - US TAX"),
			"2024-04-01 a tax ACM amount=3 USD; ! reverses a dividend"},
		// Removing the dividend, with its tax, must not refund the tax a second time.
		{"paid back with a dividend that is not there", pay("Dividends", "-10", per+" (Ordinary Dividend)") + pay("Withholding Tax", "3", per+" - US TAX"),
			"! reverses a dividend; ! tax of 3 USD on the dividend that line 2 reverses: if you remove that dividend, ignore this line; otherwise enter a tax_refund"},
		{"in place of a dividend", pay("Payment In Lieu Of Dividends", "10", "ACM PAYMENT IN LIEU OF DIVIDEND (Ordinary Dividend)") + pay("Withholding Tax", "-3", "ACM PAYMENT IN LIEU OF DIVIDEND - US TAX"),
			"2024-04-01 a dividend ACM amount=10 USD tax=3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Rows are on separate lines, because entries are sorted by line.
			rows := strings.ReplaceAll(c.rows, "/><", "/>\n<")
			compareIBKROutcome(t, ibkrFlexXML("<CashTransactions>\n"+rows+"</CashTransactions>"), c.want)
		})
	}
}
