package importer_test

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/portfolio/importer/importertest"
)

// ofxSecurityList has the securities of the samples: a stock, a fund without a ticker, a bond, an
// option.
const ofxSecurityList = `<SECLISTMSGSRSV1><SECLIST>
<STOCKINFO><SECINFO><SECID><UNIQUEID>037833100<UNIQUEIDTYPE>CUSIP</SECID><SECNAME>Apple &amp; Co<TICKER>AAPL</SECINFO></STOCKINFO>
<MFINFO><SECINFO><SECID><UNIQUEID>921937702<UNIQUEIDTYPE>CUSIP</SECID><SECNAME>A bond fund</SECINFO></MFINFO>
<DEBTINFO><SECINFO><SECID><UNIQUEID>US912810SN90<UNIQUEIDTYPE>ISIN</SECID><SECNAME>Treasury</SECINFO></DEBTINFO>
<OPTINFO><SECINFO><SECID><UNIQUEID>99OPTION1<UNIQUEIDTYPE>CUSIP</SECID><SECNAME>A call<TICKER>AAPLC</SECINFO></OPTINFO>
</SECLIST></SECLISTMSGSRSV1>`

const (
	ofxStock  = "<SECID><UNIQUEID>037833100<UNIQUEIDTYPE>CUSIP</SECID>"
	ofxFund   = "<SECID><UNIQUEID>921937702<UNIQUEIDTYPE>CUSIP</SECID>"
	ofxBond   = "<SECID><UNIQUEID>US912810SN90<UNIQUEIDTYPE>ISIN</SECID>"
	ofxOption = "<SECID><UNIQUEID>99OPTION1<UNIQUEIDTYPE>CUSIP</SECID>"
)

// ofxFile returns an OFX 1 file with the records on lines 12 and following.
func ofxFile(records ...string) importer.File {
	text := "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\nCOMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n" +
		"<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20240801<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>" +
		"<INVSTMTMSGSRSV1><INVSTMTTRNRS><TRNUID>1<INVSTMTRS><DTASOF>20240801<CURDEF>USD<INVACCTFROM><BROKERID>broker.com<ACCTID>U1</INVACCTFROM>" +
		"<INVTRANLIST><DTSTART>20240101<DTEND>20240801\n" +
		strings.Join(records, "\n") +
		"\n</INVTRANLIST><INVPOSLIST><POSSTOCK><INVPOS>" + ofxStock + "<UNITS>6</INVPOS></POSSTOCK></INVPOSLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>" + ofxSecurityList + "</OFX>\n"
	return importer.File{Name: "test.ofx", Text: text}
}

// ofxInvtran returns the head of an investment record.
func ofxInvtran(id, when string) string {
	return "<INVTRAN><FITID>" + id + "<DTTRADE>" + when + "<MEMO>as the broker says</INVTRAN>"
}

func readOFX(t testing.TB, f importer.File) importer.Statement {
	t.Helper()
	return importertest.ReadWhole(t, importer.OFX(), f, importer.Options{Account: importertest.Account})
}

func TestOFX_EachRecordIsBooked(t *testing.T) {
	for _, row := range []struct {
		name, record string
		want         []string
	}{
		{"purchase", "<BUYSTOCK><INVBUY>" + ofxInvtran("B1", "20240115120000") + ofxStock + "<UNITS>10<UNITPRICE>150.00<COMMISSION>1.00<FEES>.5<TOTAL>-1501.50</INVBUY><BUYTYPE>BUY</BUYSTOCK>",
			[]string{"[12] 2024-01-15 buy AAPL 10 @150 1500 USD fee 1.5"}},
		// 190.385 times 10.40 is 1980.004; Vanguard writes the price as 10.4.
		{"fund without a ticker", "<BUYMF><INVBUY>" + ofxInvtran("B2", "20161221160000.000[-5:EST]") + ofxFund + "<UNITS>190.385<UNITPRICE>10.4<TOTAL>-1980.0</INVBUY><BUYTYPE>BUY</BUYMF>",
			[]string{"[12] 2016-12-21 buy 921937702 190.385 @10.4 1980 USD"}},
		// 5000 of face value at 98.5 percent are 4925; the seller got 12.34 of interest.
		{"bond with interest", "<BUYDEBT><INVBUY>" + ofxInvtran("B3", "20240201") + ofxBond + "<UNITS>5000<UNITPRICE>98.5<COMMISSION>5<TOTAL>-4942.34</INVBUY><ACCRDINT>12.34</BUYDEBT>",
			[]string{"[12] 2024-02-01 buy US912810SN90 5000 @98.5 4925 USD fee 5", "[12] 2024-02-01 interest_paid US912810SN90 12.34 USD"}},
		{"sale", "<SELLSTOCK><INVSELL>" + ofxInvtran("S1", "20240601") + ofxStock + "<UNITS>-4<UNITPRICE>200.00<COMMISSION>1.00<TAXES>0.02<TOTAL>798.98</INVSELL><SELLTYPE>SELL</SELLSTOCK>",
			[]string{"[12] 2024-06-01 sell AAPL 4 @200 800 USD fee 1 tax 0.02"}},
		{"sale in another currency", "<SELLOTHER><INVSELL>" + ofxInvtran("S2", "20240601") + ofxStock + "<UNITS>-4<UNITPRICE>200<TOTAL>800<CURRENCY><CURRATE>1.1<CURSYM>EUR</CURRENCY></INVSELL></SELLOTHER>",
			[]string{"[12] 2024-06-01 sell AAPL.EUR 4 @200 800 EUR"}},
		{"dividend with tax", "<INCOME>" + ofxInvtran("I1", "20240331") + ofxStock + "<INCOMETYPE>DIV<TOTAL>8.50<WITHHOLDING>1.50</INCOME>",
			[]string{"[12] 2024-03-31 dividend AAPL 10 USD tax 1.5"}},
		{"gain of a fund", "<INCOME>" + ofxInvtran("I2", "20240331") + ofxFund + "<INCOMETYPE>CGLONG<TOTAL>24.10</INCOME>",
			[]string{"[12] 2024-03-31 dividend 921937702 24.1 USD"}},
		{"interest of cash", "<INCOME>" + ofxInvtran("I3", "20240331") + "<INCOMETYPE>INTEREST<TOTAL>3.21</INCOME>",
			[]string{"[12] 2024-03-31 interest 3.21 USD"}},
		{"reinvested dividend", "<REINVEST>" + ofxInvtran("R1", "20240331") + ofxFund + "<INCOMETYPE>DIV<TOTAL>-38.90<UNITS>4<UNITPRICE>9.725</REINVEST>",
			[]string{"[12] 2024-03-31 reinvested_dividend 921937702 4 @9.725 38.9 USD"}},
		{"split", "<SPLIT>" + ofxInvtran("P1", "20200831") + ofxStock + "<OLDUNITS>10<NEWUNITS>40<NUMERATOR>4<DENOMINATOR>1</SPLIT>",
			[]string{"[12] 2020-08-31 split AAPL 4 for 1"}},
		{"reverse split", "<SPLIT>" + ofxInvtran("P2", "20200831") + ofxStock + "<NUMERATOR>1<DENOMINATOR>10</SPLIT>",
			[]string{"[12] 2020-08-31 reverse_split AAPL 1 for 10"}},
		{"transfer in", "<TRANSFER>" + ofxInvtran("T1", "20240401") + ofxStock + "<UNITS>5<TFERACTION>IN<POSTYPE>LONG<AVGCOSTBASIS>12.5<DTPURCHASE>20190102</TRANSFER>",
			[]string{"[12] 2024-04-01 transfer_in AAPL 5 cost unknown"}},
		{"transfer out", "<TRANSFER>" + ofxInvtran("T2", "20240401") + ofxStock + "<UNITS>-5<TFERACTION>OUT<POSTYPE>LONG</TRANSFER>",
			[]string{"[12] 2024-04-01 transfer_out AAPL 5"}},
		{"capital paid back", "<RETOFCAP>" + ofxInvtran("C1", "20240201") + ofxStock + "<TOTAL>500.00</RETOFCAP>",
			[]string{"[12] 2024-02-01 return_of_capital AAPL 500 USD"}},
		{"expense", "<INVEXPENSE>" + ofxInvtran("E1", "20240201") + ofxStock + "<TOTAL>-2.50</INVEXPENSE>",
			[]string{"[12] 2024-02-01 fee AAPL 2.5 USD"}},
		{"interest on a margin loan", "<MARGININTEREST>" + ofxInvtran("M1", "20240201") + "<TOTAL>-7.77</MARGININTEREST>",
			[]string{"[12] 2024-02-01 interest_paid 7.77 USD"}},
		{"deposit", "<INVBANKTRAN><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260110<TRNAMT>5000.00<FITID>D1<NAME>Dépôt</STMTTRN><SUBACCTFUND>CASH</INVBANKTRAN>",
			[]string{"[12] 2026-01-10 deposit 5000 USD"}},
		{"withdrawal, with a decimal comma", "<INVBANKTRAN><STMTTRN><TRNTYPE>XFER<DTPOSTED>20260110<TRNAMT>-50,25<FITID>D2</STMTTRN></INVBANKTRAN>",
			[]string{"[12] 2026-01-10 withdrawal 50.25 USD"}},
		{"interest of the account", "<INVBANKTRAN><STMTTRN><TRNTYPE>INT<DTPOSTED>20260110<TRNAMT>.31<FITID>D3</STMTTRN></INVBANKTRAN>",
			[]string{"[12] 2026-01-10 interest 0.31 USD"}},
		{"fee of the account", "<INVBANKTRAN><STMTTRN><TRNTYPE>SRVCHG<DTPOSTED>20260110<TRNAMT>-5<FITID>D4</STMTTRN></INVBANKTRAN>",
			[]string{"[12] 2026-01-10 fee 5 USD"}},
		{"fee that was given back", "<INVBANKTRAN><STMTTRN><TRNTYPE>FEE<DTPOSTED>20260110<TRNAMT>5.25<FITID>D5</STMTTRN></INVBANKTRAN>",
			[]string{"[12] 2026-01-10 fee_refund 5.25 USD"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := readOFX(t, ofxFile(row.record))
			if diff := cmp.Diff(row.want, importertest.Describe(s)); diff != "" {
				t.Errorf("Read differs:\n%sproblems %v", diff, s.Problems)
			}
		})
	}
}

// C32: brokers write interest, fees, taxes and exchanges as plain payments. The words are those of
// Fidelity, E*TRADE and Interactive Brokers in public files.
func TestOFX_CashLinesAreBookedByTheirMeaning(t *testing.T) {
	cash := func(kind, amount, name string) string {
		return "<INVBANKTRAN><STMTTRN><TRNTYPE>" + kind + "<DTPOSTED>20240110<TRNAMT>" + amount + "<FITID>1<NAME>" + name + "</STMTTRN></INVBANKTRAN>"
	}
	euros := func(record string) string {
		return strings.Replace(record, "<FITID>1", "<FITID>2<CURRENCY><CURRATE>1.1<CURSYM>EUR</CURRENCY>", 1)
	}
	for _, row := range []struct {
		name, record string
		want         []string
	}{
		{"interest", cash("DEP", "0.24", "INTEREST EARNED"), []string{"[12] 2024-01-10 interest 0.24 USD"}},
		{"interest on margin", cash("DEBIT", "-3", "MARGIN INTEREST"), []string{"[12] 2024-01-10 interest_paid 3 USD"}},
		{"fee", cash("DEBIT", "-8.485", "PORTFOLIO SRVCS. FEE"), []string{"[12] 2024-01-10 fee 8.485 USD"}},
		{"late settlement fee", cash("OTHER", "-5", "OTHER LATE SETTLEMENT FEE"), []string{"[12] 2024-01-10 fee 5 USD"}},
		{"tax on interest", cash("DEBIT", "-2", "FOREIGN TAX WITHHELD ON INTEREST"), []string{"[12] 2024-01-10 tax 2 USD"}},
		{"deposit", cash("DEP", "1111", "ELECTRONIC FUNDS TRANSFER RCVD"), []string{"[12] 2024-01-10 deposit 1111 USD"}},
		{"foreign tax as an expense", "<INVEXPENSE>" + strings.Replace(ofxInvtran("E1", "20240201"), "as the broker says", "Foreign Stk W/HLTD", 1) + ofxStock + "<TOTAL>-21.89</INVEXPENSE>", []string{"[12] 2024-02-01 tax AAPL 21.89 USD"}},
		{"exchange", cash("DEBIT", "-100", "CASH TRADE: EUR.USD") + "\n" + euros(cash("CREDIT", "90", "CASH TRADE: EUR.USD")),
			[]string{"[12 13] 2024-01-10 currency_exchange 100 USD to 90 EUR"}},
		// 8 at 137.16 less 7.95 is 1089.33; the SEC fee of 3 cents is not in the file.
		{"regulatory fee", "<SELLSTOCK><INVSELL>" + ofxInvtran("S1", "20240601") + ofxStock + "<UNITS>-8.00000<UNITPRICE>137.1600000<COMMISSION>7.95<TOTAL>1089.30</INVSELL></SELLSTOCK>",
			[]string{"[12] 2024-06-01 sell AAPL 8 @137.16 1097.28 USD fee 7.98"}},
		// C37: a bond redeemed at 100 percent.
		{"redemption", "<SELLOTHER><INVSELL>" + ofxInvtran("S2", "20240601") + ofxBond + "<UNITS>-96000<UNITPRICE>100<TOTAL>96000</INVSELL></SELLOTHER>",
			[]string{"[12] 2024-06-01 sell US912810SN90 96000 @100 96000 USD"}},
		{"fee in units", "<TRANSFER>" + strings.Replace(ofxInvtran("T1", "20240401"), "as the broker says", "Investment Expense", 1) + ofxStock + "<UNITS>-0.5<TFERACTION>OUT<UNITPRICE>10</TRANSFER>",
			[]string{"[12] 2024-04-01 sell AAPL 0.5 @10 5 USD", "[12] 2024-04-01 fee AAPL 5 USD"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := readOFX(t, ofxFile(row.record))
			if diff := cmp.Diff(row.want, importertest.Describe(s)); diff != "" {
				t.Errorf("Read differs:\n%sproblems %v", diff, s.Problems)
			}
		})
	}
	unclear := ofxFile(cash("CREDIT", "12", "MISC ADJ 7"))
	if s := readOFX(t, unclear); len(s.Entries) != 0 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, "MISC ADJ 7=deposit") {
		t.Errorf("unclear payment = %v, %v; want a question", importertest.Describe(s), s.Problems)
	}
	s, err := importer.OFX().Read(unclear, importer.Options{Meanings: map[string]string{"misc adj 7": "charge"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"[12] 2024-01-10 fee_refund 12 USD"}, importertest.Describe(s)); diff != "" {
		t.Errorf("answered with a meaning (-want +got):\n%s", diff)
	}
}

func TestOFX_WhatIsNotCertainIsAProblem(t *testing.T) {
	for _, row := range []struct{ name, record, reason string }{
		{"option bought", "<BUYOPT><INVBUY>" + ofxInvtran("1", "20240115") + ofxOption + "<UNITS>1<UNITPRICE>3<TOTAL>-300</INVBUY></BUYOPT>", "options"},
		{"option among others", "<BUYOTHER><INVBUY>" + ofxInvtran("1", "20240115") + ofxOption + "<UNITS>100<UNITPRICE>3<TOTAL>-300</INVBUY></BUYOTHER>", "options"},
		{"sums that do not agree", "<BUYSTOCK><INVBUY>" + ofxInvtran("1", "20240115") + ofxStock + "<UNITS>10<UNITPRICE>150.00<TOTAL>-1600</INVBUY></BUYSTOCK>", "do not equal 1600"},
		{"a purchase taken back", "<BUYSTOCK><INVBUY>" + ofxInvtran("1", "20240115") + ofxStock + "<UNITS>-10<UNITPRICE>150.00<TOTAL>1500</INVBUY></BUYSTOCK>", "signs are those of a correction"},
		{"a reversal", "<INCOME><INVTRAN><FITID>2<REVERSALFITID>1<DTTRADE>20240115</INVTRAN>" + ofxStock + "<INCOMETYPE>DIV<TOTAL>-8</INCOME>", "FITID 1"},
		{"income of no kind", "<INCOME>" + ofxInvtran("1", "20240115") + ofxStock + "<INCOMETYPE>MISC<TOTAL>8</INCOME>", "MISC"},
		{"no direction", "<TRANSFER>" + ofxInvtran("1", "20240115") + ofxStock + "<UNITS>5</TRANSFER>", "unclear direction"},
		{"cash for a part of a share", "<SPLIT>" + ofxInvtran("1", "20240115") + ofxStock + "<NUMERATOR>3<DENOMINATOR>2<FRACCASH>7</SPLIT>", "with 7 paid"},
		{"a payment of no kind", "<INVBANKTRAN><STMTTRN><TRNTYPE>OTHER<DTPOSTED>20260110<TRNAMT>5<FITID>1</STMTTRN></INVBANKTRAN>", "OTHER"},
		{"a date that is none", "<INCOME>" + ofxInvtran("1", "2024-01-15") + ofxStock + "<INCOMETYPE>DIV<TOTAL>8</INCOME>", "date"},
		{"a number that is none", "<INCOME>" + ofxInvtran("1", "20240115") + ofxStock + "<INCOMETYPE>DIV<TOTAL>eight</INCOME>", "not a number"},
		{"an exponent out of all bounds", "<INCOME>" + ofxInvtran("1", "20240115") + ofxStock + "<INCOMETYPE>DIV<TOTAL>1e999999</INCOME>", "not a number"},
		{"a record that is not known", "<SPINOFF>" + ofxInvtran("1", "20240115") + ofxStock + "</SPINOFF>", "SPINOFF"},
		{"a short position", "<TRANSFER>" + ofxInvtran("1", "20240115") + ofxStock + "<UNITS>5<TFERACTION>IN<POSTYPE>SHORT</TRANSFER>", "short"},
		{"a transfer of nothing", "<TRANSFER>" + ofxInvtran("1", "20240115") + ofxStock + "<UNITS>0<TFERACTION>IN</TRANSFER>", "missing units"},
		{"a split without its ratio", "<SPLIT>" + ofxInvtran("1", "20240115") + ofxStock + "<OLDUNITS>5</SPLIT>", "ratio"},
		{"a dividend of nothing that is named", "<INVBANKTRAN><STMTTRN><TRNTYPE>DIV<DTPOSTED>20260110<TRNAMT>5<FITID>1</STMTTRN></INVBANKTRAN>", "without a security"},
		{"a dividend taken back", "<INCOME>" + ofxInvtran("1", "20240115") + ofxStock + "<INCOMETYPE>DIV<TOTAL>-8</INCOME>", "signs are those of a correction"},
		{"a reinvestment taken back", "<REINVEST>" + ofxInvtran("1", "20240115") + ofxStock + "<INCOMETYPE>DIV<TOTAL>8<UNITS>-1</REINVEST>", "signs are those of a correction"},
		{"a reinvestment whose sums do not agree", "<REINVEST>" + ofxInvtran("1", "20240115") + ofxStock + "<INCOMETYPE>DIV<TOTAL>-8<UNITS>1<UNITPRICE>9</REINVEST>", "is not 8"},
		{"a commission below zero", "<INCOME>" + ofxInvtran("1", "20240115") + ofxStock + "<INCOMETYPE>DIV<TOTAL>8<COMMISSION>-1</INCOME>", "COMMISSION is negative"},
		{"two decimal signs", "<INCOME>" + ofxInvtran("1", "20240115") + ofxStock + "<INCOMETYPE>DIV<TOTAL>1,008.50</INCOME>", "not a number"},
		{"a bond whose interest is not in the total", "<BUYDEBT><INVBUY>" + ofxInvtran("1", "20240201") + ofxBond + "<UNITS>5000<UNITPRICE>98.5<TOTAL>-4925</INVBUY><ACCRDINT>12.34</BUYDEBT>", "do not equal 4925"},
		{"a zone that is none", "<INCOME>" + ofxInvtran("1", "20240115120000[x]") + ofxStock + "<INCOMETYPE>DIV<TOTAL>8</INCOME>", "date"},
		{"no security", "<INCOME>" + ofxInvtran("1", "20240115") + "<INCOMETYPE>DIV<TOTAL>8</INCOME>", "missing security"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := readOFX(t, ofxFile(row.record))
			if len(s.Entries) != 0 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, row.reason) || s.Problems[0].Line != 12 {
				t.Errorf("Read = %v, problems %v; want one on line 12 with %q alone", importertest.Describe(s), s.Problems, row.reason)
			}
		})
	}
}

// Computed by hand: 10 bought for 1501.00, 4 sold for 799.00, 8.50 of dividend and 5000.00 paid in
// are 4306.50; 10 less 4 are 6, as in the list of positions.
func TestOFX_VersionsAreReadAlike(t *testing.T) {
	records := []string{
		"<BUYSTOCK><INVBUY>" + ofxInvtran("1", "20240115") + ofxStock + "<UNITS>10<UNITPRICE>150.00<COMMISSION>1.00<TOTAL>-1501.00</INVBUY><BUYTYPE>BUY</BUYSTOCK>",
		"<SELLSTOCK><INVSELL>" + ofxInvtran("2", "20240601") + ofxStock + "<UNITS>-4<UNITPRICE>200.00<COMMISSION>1.00<TOTAL>799.00</INVSELL><SELLTYPE>SELL</SELLSTOCK>",
		"<INCOME>" + ofxInvtran("3", "20240331") + ofxStock + "<INCOMETYPE>DIV<TOTAL>8.50</INCOME>",
		"<INVBANKTRAN><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240102<TRNAMT>5000.00<FITID>4<NAME>Transfer from A &amp; B</STMTTRN></INVBANKTRAN>",
	}
	first := readOFX(t, ofxFile(records...))
	// In OFX 2 every value is closed.
	closed := regexp.MustCompile(`<([A-Z]+)>([^<\n]+)`).ReplaceAllString(ofxFile(records...).Text, "<$1>$2</$1>")
	_, closed, _ = strings.Cut(closed, "\n\n")
	second := readOFX(t, importer.File{Name: "test.ofx", Text: "<?xml version=\"1.0\"?>\n<?OFX OFXHEADER=\"200\" VERSION=\"220\"?>\n" + strings.Repeat("\n", 8) + closed})
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("version 2 is read differently:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"USD": "4306.5"}, importertest.Cash(first)); diff != "" {
		t.Errorf("cash differs:\n%s", diff)
	}
	if diff := cmp.Diff(map[market.Symbol]string{"AAPL": "6"}, importertest.Shares(first)); diff != "" {
		t.Errorf("shares differ:\n%s", diff)
	}
	if name := first.Entries[0].Transaction.Name; name != "Apple & Co" {
		t.Errorf("name = %q, want %q", name, "Apple & Co")
	}
}

func TestOFX_AllOnOneLineIsReadAsWell(t *testing.T) {
	text := strings.ReplaceAll(ofxFile(
		"<INCOME>"+ofxInvtran("1", "20240331")+ofxStock+"<INCOMETYPE>DIV<TOTAL>8.50</INCOME>",
		"<INCOME>"+ofxInvtran("2", "20240630")+ofxStock+"<INCOMETYPE>DIV<TOTAL>9.50</INCOME>").Text, "\n<", "<")
	s := readOFX(t, importer.File{Name: "test.qfx", Text: text})
	if diff := cmp.Diff(map[string]string{"USD": "18"}, importertest.Sum(s, portfolio.KindDividend)); diff != "" {
		t.Errorf("dividends differ:\n%s", diff)
	}
}

func TestOFX_SameNumberTwice(t *testing.T) {
	dividend := "<INCOME>" + ofxInvtran("1", "20240331") + ofxStock + "<INCOMETYPE>DIV<TOTAL>8.50</INCOME>"
	s := readOFX(t, ofxFile(dividend, dividend,
		"<INCOME>"+ofxInvtran("1", "20240331")+ofxStock+"<INCOMETYPE>DIV<TOTAL>9.50</INCOME>",
		"<BUYSTOCK><INVBUY>"+ofxInvtran("1", "20240331")+ofxStock+"<UNITS>1<UNITPRICE>8.5<TOTAL>-8.5</INVBUY></BUYSTOCK>"))
	if len(s.Entries) != 2 || len(s.Ignored) != 1 || s.Ignored[0].Line != 13 || len(s.Problems) != 1 || s.Problems[0].Line != 14 {
		t.Errorf("Read = %v, ignored %v, problems %v; want dividend and purchase, line 13 ignored and a problem on 14", importertest.Describe(s), s.Ignored, s.Problems)
	}
}

func TestOFX_WhatIsNotOfSecuritiesIsSaid(t *testing.T) {
	text := "<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT<TRNAMT>1</STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
	s, err := importer.OFX().Read(importer.File{Name: "bank.ofx", Text: text}, importer.Options{})
	if len(s.Entries) != 0 || err == nil || !strings.Contains(err.Error(), "bank.ofx is a bank or card statement") {
		t.Errorf("Read = %v, %v; want one sentence that says it is of a bank account", s.Entries, err)
	}
}

func TestOFX_WhatMovesNothingIsIgnored(t *testing.T) {
	s := readOFX(t, ofxFile(
		"<JRNLFUND>"+ofxInvtran("1", "20240331")+"<SUBACCTTO>MARGIN<SUBACCTFROM>CASH<TOTAL>10</JRNLFUND>",
		"<INVBANKTRAN><STMTTRN><TRNTYPE>HOLD<DTPOSTED>20260110<TRNAMT>5<FITID>2</STMTTRN></INVBANKTRAN>",
		"<INVBANKTRAN><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260110<TRNAMT>0<FITID>3</STMTTRN></INVBANKTRAN>"))
	if len(s.Entries)+len(s.Problems) != 0 || len(s.Ignored) != 3 {
		t.Errorf("Read = %v, %v, ignored %v; want three ignored", s.Entries, s.Problems, s.Ignored)
	}
}

func TestOFX_WithoutACurrencyThatOfTheAccountIsTaken(t *testing.T) {
	f := ofxFile("<INCOME>" + ofxInvtran("1", "20240115") + ofxStock + "<INCOMETYPE>DIV<TOTAL>8.50</INCOME>")
	f.Text = strings.Replace(f.Text, "<CURDEF>USD", "", 1)
	s, err := importer.OFX().Read(f, importer.Options{Account: "a", Currency: "CHF"})
	if err != nil || len(s.Entries) != 1 || s.Entries[0].Transaction.Currency != "CHF" {
		t.Errorf("Read for an account in CHF = %v, %v; want a dividend in CHF", s, err)
	}
	if s := readOFX(t, f); len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, "currency") {
		t.Errorf("Read = %v, problems %v; want one of the currency", s.Entries, s.Problems)
	}
}

func TestOFX_DaysOfUTCAreBroughtToTheZone(t *testing.T) {
	newYork := time.FixedZone("EST", -5*60*60)
	for _, row := range []struct {
		name, when, want string
	}{
		{"evening in New York, written in UTC", "20240116003000[0:GMT]", "2024-01-15"},
		{"its own zone", "20240116003000[-5:EST]", "2024-01-16"},
		{"a day at midnight", "20240116000000[0:GMT]", "2024-01-16"},
		{"no zone", "20240116003000", "2024-01-16"},
		{"half an hour off", "20240116120000.123[+5.5:IST]", "2024-01-16"},
	} {
		t.Run(row.name, func(t *testing.T) {
			f := ofxFile("<INCOME>" + ofxInvtran("1", row.when) + ofxStock + "<INCOMETYPE>DIV<TOTAL>8.50</INCOME>")
			s, err := importer.OFX().Read(f, importer.Options{Account: "a", Zone: newYork})
			if err != nil || len(s.Entries) != 1 {
				t.Fatalf("Read = %v, %v; want one entry", s, err)
			}
			if got := s.Entries[0].Transaction.Date.Format(time.DateOnly); got != row.want {
				t.Errorf("date of %s = %s, want %s", row.when, got, row.want)
			}
		})
	}
}

func TestOFX_FilesThatDoNotHoldTogetherAreRefused(t *testing.T) {
	for _, row := range []struct{ name, text string }{
		{"not OFX", "Date,Amount\n"},
		{"cut in the middle", "<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><INVTRANLIST><INCOME>"},
		{"cut in a tag", "<OFX><INVSTMTMSG"},
		{"an end without a beginning", "<OFX></STMTRS></OFX>"},
		{"entities of its own", "<OFX><!DOCTYPE x [<!ENTITY a \"aaaa\">]></OFX>"},
		{"tags within each other without end", "<OFX>" + strings.Repeat("<A>", 1000)},
		{"a comment without end", "<OFX><!-- "},
		{"text between tags", "<OFX><A><B>1</A>more</OFX>"},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, err := importer.OFX().Read(importer.File{Name: "x", Text: row.text}, importer.Options{})
			if !errors.Is(err, importer.ErrFormat) {
				t.Errorf("Read(%.40q) = %v, %v; want ErrFormat", row.text, s, err)
			}
		})
	}
}

func TestOFX_AccountIsThatOfTheFileWhereNoneIsGiven(t *testing.T) {
	f := ofxFile("<INCOME>" + ofxInvtran("1", "20240115") + ofxStock + "<INCOMETYPE>DIV<TOTAL>8.50</INCOME>")
	s, err := importer.OFX().Read(f, importer.Options{})
	if err != nil || len(s.Entries) != 1 || s.Entries[0].Transaction.Account != "U1" {
		t.Errorf("Read = %v, %v; want one entry of account U1", s, err)
	}
}

func FuzzOFX(f *testing.F) {
	f.Add(ofxFile("<INCOME>" + ofxInvtran("1", "20240115[-5:EST]") + ofxStock + "<INCOMETYPE>DIV<TOTAL>8.50</INCOME>").Text)
	f.Add(ofxFile("<BUYDEBT><INVBUY>" + ofxInvtran("", "20240201") + ofxBond + "<UNITS>5000<UNITPRICE>98.5<TOTAL>-4942.34</INVBUY><ACCRDINT>12.34</BUYDEBT>").Text)
	f.Add("<OFX><INVSTMTRS><CURDEF>USD<INVTRANLIST><MEMO>\n<SPLIT><FITID>1<DTTRADE>20240101</SPLIT></INVTRANLIST></INVSTMTRS></OFX>")
	f.Add("<OFX><A/><B x='1'>&lt;&amp;amp;</B><![CDATA[ <C> ]]><!-- --></OFX>")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := importer.OFX().Read(importer.File{Name: "fuzz.ofx", Text: text}, importer.Options{Account: importertest.Account})
		if err != nil {
			return
		}
		for _, e := range s.Entries {
			if err := e.Transaction.Validate(); err != nil {
				t.Errorf("line %v of %q: %v", e.Lines, text, err)
			}
		}
	})
}

func FuzzOFX_NoRecordIsLost(f *testing.F) {
	f.Add(ofxInvtran("1", "20240115[-5:EST]") + ofxStock + "<INCOMETYPE>DIV<TOTAL>8.50")
	f.Add("<MEMO><FITID>1<DTTRADE>x")
	f.Add("")
	f.Fuzz(func(t *testing.T, inside string) {
		if strings.Contains(strings.ToUpper(inside), "</I") {
			t.Skip("it closes what stands around it")
		}
		s, err := importer.OFX().Read(ofxFile("<INCOME>"+inside+"</INCOME>"), importer.Options{Account: importertest.Account})
		if err == nil && len(s.Entries)+len(s.Problems)+len(s.Ignored) == 0 {
			t.Errorf("Read says nothing of the record %q", inside)
		}
	})
}

// The time per record must be constant.
func BenchmarkOFX(b *testing.B) {
	for _, n := range []int{2000, 4000, 8000} {
		records := make([]string, n)
		for i := range records {
			records[i] = "<BUYSTOCK><INVBUY>" + ofxInvtran(strings.Repeat("x", i%7)+time.Unix(int64(i), 0).UTC().Format("150405"), "20240115") + ofxStock + "<UNITS>10<UNITPRICE>150.00<TOTAL>-1500.00</INVBUY></BUYSTOCK>"
		}
		f := ofxFile(records...)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.SetBytes(int64(len(f.Text)))
			for b.Loop() {
				if _, err := importer.OFX().Read(f, importer.Options{Account: "a"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Numbers are unique only within an account: equal records of two accounts are both recorded.
func TestOFX_EqualRecordsOfTwoAccountsAreTwo(t *testing.T) {
	one := ofxFile("<INCOME>" + ofxInvtran("I1", "20240331") + ofxStock + "<INCOMETYPE>DIV<TOTAL>8.50</INCOME>")
	begin, end := strings.Index(one.Text, "<INVSTMTTRNRS>"), strings.Index(one.Text, "</INVSTMTTRNRS>")+len("</INVSTMTTRNRS>")
	statement := one.Text[begin:end]
	both := importer.File{Name: "both.ofx", Text: one.Text[:end] + strings.Replace(statement, "<ACCTID>U1", "<ACCTID>U2", 1) + one.Text[end:]}
	s := importertest.ReadWhole(t, importer.OFX(), both, importer.Options{})
	var accounts []string
	for _, e := range s.Entries {
		accounts = append(accounts, e.Transaction.Account)
	}
	if diff := cmp.Diff([]string{"U1", "U2"}, accounts); diff != "" || len(s.Problems)+len(s.Ignored) != 0 {
		t.Errorf("accounts, want against got:\n%s problems %v, ignored %v", diff, s.Problems, s.Ignored)
	}
	if s = readOFX(t, both); len(s.Entries) != 1 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, "U1 and U2") {
		t.Errorf("read as one account = %v, problems %v; want the second as a problem that names both", importertest.Describe(s), s.Problems)
	}
}

func TestOFX_AnOptionAmongTheStocksIsNoStock(t *testing.T) {
	f := ofxFile("<BUYSTOCK><INVBUY>" + ofxInvtran("B1", "20240115") + ofxStock + "<UNITS>2<UNITPRICE>150<TOTAL>-300</INVBUY></BUYSTOCK>")
	f.Text = strings.Replace(f.Text, "<TICKER>AAPL<", "<TICKER>AAPL  240119C00150000<", 1)
	f.Text = strings.Replace(f.Text, "<TICKER>AAPL</", "<TICKER>AAPL  240119C00150000</", 1)
	if s := readOFX(t, f); len(s.Entries) != 0 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, "options are not supported") {
		t.Errorf("read = %v, problems %v; want a problem that says it is an option", importertest.Describe(s), s.Problems)
	}
}

// OFX has no thousands separators: a comma is a decimal point, unless the file also has points.
func TestOFX_PointsAndCommasInOneFileAreRefused(t *testing.T) {
	paid := func(id, amount string) string {
		return "<INVBANKTRAN><STMTTRN><TRNTYPE>XFER<DTPOSTED>20260110<TRNAMT>" + amount + "<FITID>" + id + "</STMTTRN></INVBANKTRAN>"
	}
	s, err := importer.OFX().Read(ofxFile(paid("D1", "1,500"), paid("D2", "2.50")), importer.Options{Account: importertest.Account})
	if !errors.Is(err, importer.ErrFormat) || !strings.Contains(err.Error(), "line 12") || !strings.Contains(err.Error(), "1,500") {
		t.Errorf("Read = %v, %v; want ErrFormat that names the line and 1,500", importertest.Describe(s), err)
	}
	if s := readOFX(t, ofxFile(paid("D1", "1,500"), paid("D2", "2,50"))); len(s.Entries) != 2 || importertest.Cash(s)["USD"] != "4" {
		t.Errorf("commas alone = %v, want 1.5 and 2.5", importertest.Describe(s))
	}
}
