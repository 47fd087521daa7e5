package importer_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/portfolio/importer/importertest"
)

const schwabHeader = `"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"`

func readSchwab(t testing.TB, lines ...string) importer.Statement {
	t.Helper()
	return importertest.Read(t, importer.Schwab(), importertest.File(append([]string{schwabHeader}, lines...)...), importer.Options{})
}

func TestSchwab_EachKindOfLine(t *testing.T) {
	for _, tt := range []struct{ name, line, want string }{
		{"purchase with a fee", `02/03/2025,Buy,BRK/B,BERKSHIRE,2,$480.00,$4.95,-$964.95`, "2025-02-03 buy BRK.B 2 @480 960 USD fee 4.95"},
		{"sale with a fee", `02/03/2025,Sell,VTI,VANGUARD,"1,000",$290.50,$6.65,"$290,493.35"`, "2025-02-03 sell VTI 1000 @290.5 290500 USD fee 6.65"},
		{"sale with a negative quantity", `02/03/2025,Sell,VTI,VANGUARD,-10,$290,,$2900`, "2025-02-03 sell VTI 10 @290 2900 USD"},
		{"parentheses for a minus", `02/03/2025,Buy,VTI,VANGUARD,1,$290.50,,($290.50)`, "2025-02-03 buy VTI 1 @290.5 290.5 USD"},
		{"day that a late line belongs to", `01/06/2025 as of 12/31/2024,Qualified Dividend,VTI,VANGUARD,,,,$12.34`, "2024-12-31 dividend VTI 12.34 USD"},
		{"dividend of the year before", `01/31/2025,Pr Yr Cash Div,SPY,SPDR,,,,$5.90`, "2025-01-31 dividend SPY 5.9 USD"},
		{"dividend from an account taken over", `11/07/2023,Non-Qualified Div,,TDA TRAN - NON-TAXABLE DIVIDENDS (CMF),,,,$72.06`, "2023-11-07 dividend CMF 72.06 USD"},
		{"gains of a fund", `12/20/2024,Long Term Cap Gain,VFIAX,VANGUARD,,,,$8.01`, "2024-12-20 dividend VFIAX 8.01 USD"},
		{"capital paid back", `12/20/2024,Return Of Capital,O,REALTY,,,,$3.00`, "2024-12-20 return_of_capital O 3 USD"},
		{"interest", `10/30/2023,Credit Interest,,SCHWAB1 INT,,,,$1.63`, "2023-10-30 interest 1.63 USD"},
		{"interest paid", `10/30/2023,Margin Interest,,INT CHARGED,,,,-$7.10`, "2023-10-30 interest_paid 7.1 USD"},
		{"fee of a security", `09/06/2024,ADR Mgmt Fee,IBN,ICICI,,,,-$0.50`, "2024-09-06 fee IBN 0.5 USD"},
		{"tax of a security", `09/06/2024,NRA Tax Adj,IBN,ICICI,,,,-$1.30`, "2024-09-06 tax IBN 1.3 USD"},
		{"fee given back", `09/06/2024,ADR Mgmt Fee,IBN,ICICI,,,,$0.50`, "2024-09-06 fee_refund IBN 0.5 USD"},
		{"adviser's fee given back", `09/06/2024,Advisor Fee,,TO ADVISOR,,,,$12.50`, "2024-09-06 fee_refund 12.5 USD"},
		{"tax given back", `09/06/2024,NRA Tax Adj,IBN,ICICI,,,,$1.30`, "2024-09-06 tax_refund IBN 1.3 USD"},
		{"money out", `10/18/2023,Wire Sent,,WIRED,,,,-$100000.00`, "2023-10-18 withdrawal 100000 USD"},
		{"money in", `10/18/2023,MoneyLink Transfer,,Tfr,,,,$250.00`, "2023-10-18 deposit 250 USD"},
		{"cash between accounts", `10/18/2023,Journal,,FROM ...123,,,,$250.00`, "2023-10-18 deposit 250 USD"},
		{"shares out", `05/22/2023,Journaled Shares,DGLRX,BNY,-877,$22.91,,`, "2023-05-22 transfer_out DGLRX 877"},
		{"shares in, at no known cost", `05/22/2023,Security Transfer,VTI,VANGUARD,10,,,`, "2023-05-22 transfer_in VTI 10 cost unknown"},
		{"shares of an employer", `05/22/2023,Stock Plan Activity,GOOG,ALPHABET,3,,,`, "2023-05-22 transfer_in GOOG 3 cost unknown"},
		{"short sale", `05/22/2023,Sell Short,TSLA,TESLA,5,$200,,$1000`, "2023-05-22 sell TSLA 5 @200 1000 USD"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := readSchwab(t, tt.line)
			if diff := cmp.Diff([]string{"[2] " + tt.want}, importertest.Describe(s)); diff != "" {
				t.Errorf("read %s, want against got:\n%s problems %v", tt.line, diff, s.Problems)
			}
		})
	}
}

func TestSchwab_ShortSaleSaysSo(t *testing.T) {
	s := readSchwab(t, `05/22/2023,Sell Short,TSLA,TESLA,5,$200,,$1000`, `05/23/2023,Sell,TSLA,TESLA,5,$200,,$1000`)
	if len(s.Entries) != 2 || !s.Entries[0].Transaction.Short || s.Entries[1].Transaction.Short {
		t.Errorf("short of Sell Short and Sell = %+v, want the first alone", s.Entries)
	}
}

func TestSchwab_ADividendAndItsSharesOfOneDayAreOne(t *testing.T) {
	s := readSchwab(t,
		`10/31/2023,Reinvest Dividend,NFRIX,NUVEEN,,,,$144.11`,
		`10/31/2023,Reinvest Dividend,FIHBX,FEDERATED,,,,$102.30`,
		`10/31/2023,Reinvest Shares,FIHBX,FEDERATED,12.4,$8.25,,-$102.30`,
		`10/31/2023,Reinvest Shares,NFRIX,NUVEEN,8.082,$17.83,,-$144.11`,
	)
	want := []string{
		"[2 5] 2023-10-31 reinvested_dividend NFRIX 8.082 @17.83 144.11 USD",
		"[3 4] 2023-10-31 reinvested_dividend FIHBX 12.4 @8.25 102.3 USD",
	}
	if diff := cmp.Diff(want, importertest.Describe(s)); diff != "" {
		t.Errorf("want against got:\n%s", diff)
	}
}

// A file may end between the two lines, and the next one begin with both: the result must be the
// same.
func TestSchwab_WhereAFileIsCutChangesNothing(t *testing.T) {
	dividend := `10/31/2023,Reinvest Dividend,SPY,SPDR S&P 500 ETF,,,,$694.48`
	shares := `11/01/2023,Reinvest Shares,SPY,SPDR S&P 500 ETF,1.6531,$420.10,,-$694.48`
	whole := readSchwab(t, shares, dividend)
	want := []string{"[2] 2023-11-01 buy SPY 1.6531 @420.1 694.48 USD", "[3] 2023-10-31 dividend SPY 694.48 USD"}
	if diff := cmp.Diff(want, importertest.Describe(whole)); diff != "" {
		t.Errorf("want against got:\n%s", diff)
	}
	before, after := readSchwab(t, dividend), readSchwab(t, shares)
	if before.Entries[0].Transaction.SourceID != whole.Entries[1].Transaction.SourceID || after.Entries[0].Transaction.SourceID != whole.Entries[0].Transaction.SourceID {
		t.Errorf("sources %v and %v apart, %v together: want the same", importertest.IDs(before), importertest.IDs(after), importertest.IDs(whole))
	}
}

func TestSchwab_TaxTakenFromAReinvestedDividendKeepsThreeTransactions(t *testing.T) {
	s := readSchwab(t, `10/31/2023,Reinvest Dividend,VTI,V,,,,$100.00`, `10/31/2023,NRA Tax Adj,VTI,V,,,,-$15.00`, `10/31/2023,Reinvest Shares,VTI,V,0.4,$212.50,,-$85.00`)
	want := []string{"[2] 2023-10-31 dividend VTI 100 USD", "[3] 2023-10-31 tax VTI 15 USD", "[4] 2023-10-31 buy VTI 0.4 @212.5 85 USD"}
	if diff := cmp.Diff(want, importertest.Describe(s)); diff != "" {
		t.Errorf("want against got:\n%s", diff)
	}
}

func TestSchwab_EqualLinesAreCountedEach(t *testing.T) {
	s := readSchwab(t, `04/21/2023,Advisor Fee,,TO ADVISOR,,,,-$26.58`, `04/21/2023,Advisor Fee,,TO ADVISOR,,,,-$26.58`)
	if got := importertest.Cash(s)["USD"]; len(s.Entries) != 2 || got != "-53.16" {
		t.Errorf("two fees of 26.58 = %d entries of %s together, want 2 of -53.16", len(s.Entries), got)
	}
}

func TestSchwab_ReverseSplitOfTwoLines(t *testing.T) {
	s := readSchwab(t, `06/10/2024,Reverse Split,TNXP,TONIX PHARMA HLDGS,3,,,`, `06/10/2024,Reverse Split,890260854,TONIX PHARMA HLDGS XXXREVERSE SPLIT EFF: 06/10/24,-100,,,`)
	if diff := cmp.Diff([]string{"[2 3] 2024-06-10 reverse_split TNXP 3 for 100"}, importertest.Describe(s)); diff != "" {
		t.Errorf("want against got:\n%s problems %v", diff, s.Problems)
	}
	s = readSchwab(t, `06/10/2024,Reverse Split,TNXP,TONIX PHARMA HLDGS,3,,,`)
	if len(s.Entries) != 0 || len(s.Problems) != 1 {
		t.Errorf("half of a reverse split = %v, want one problem", importertest.Describe(s))
	}
}

func TestSchwab_WhatIsNotUnderstoodSaysWhatToDo(t *testing.T) {
	for _, tt := range []struct{ name, line, reason string }{
		{"split without a ratio", `07/15/2024 as of 07/12/2024,Stock Split,AVGO,BROADCOM,9,$170.067,,`, "enter the split of AVGO"},
		{"spin-off", `08/22/2022,Spin-off,APE,AMC,344,,,`, "enter a spin-off"},
		{"change of name", `04/30/2021,Name Change,09070K200,BIOSOLAR,"-1,000",,,`, "enter a merger"},
		{"cash for a fraction", `10/14/2024,Cash In Lieu,SCHB,SCHWAB,,,,$5.49`, "enter a sale of the fraction"},
		{"option", `05/22/2023,Sell to Open,GOOG 03/19/2027 385.00 C,CALL,1,$2.00,$0.65,$199.35`, "options are not supported"},
		{"option sold as a share", `05/22/2023,Sell,GOOG 03/19/2027 385.00 C,CALL,1,$2.00,$0.65,$199.35`, "options are not supported"},
		{"bond with accrued interest", `05/22/2023,Buy,912828XY1,US TREASURY,1000,$98.50,,-$990.00`, "a bond, or an error"},
		{"purchase that brings money", `05/22/2023,Buy,VTI,V,1,$200,,$200`, "wrong sign"},
		{"dividend taken back", `05/22/2023,Cash Dividend,VTI,V,,,,-$2.00`, "wrong sign"},
		{"dividend of nothing named", `05/22/2023,Cash Dividend,,CASH,,,,$2.00`, "missing symbol"},
		{"missing amount", `05/22/2023,Cash Dividend,VTI,V,,,,`, "missing amount"},
		{"unknown action", `05/22/2023,Gift,VTI,V,,,,$2.00`, `unknown action "Gift"`},
		{"no date", `today,Cash Dividend,VTI,V,,,,$2.00`, "not a date"},
		{"other currency", `05/22/2023,Cash Dividend,VTI,V,,,,€2.00`, "is in EUR, but the line is in USD"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := readSchwab(t, tt.line)
			if len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Reason, tt.reason) || s.Problems[0].Line != 2 {
				t.Errorf("read %s = %v, problems %v; want a problem of line 2 that says %q", tt.line, importertest.Describe(s), s.Problems, tt.reason)
			}
		})
	}
}

func TestSchwab_LinesAboveTheHeaderAndTheTotalAreNothingToRecord(t *testing.T) {
	f := importertest.File(`"Transactions for account Individual ...178 as of 01/02/2025"`, schwabHeader, `01/02/2025,Credit Interest,,INT,,,,$1.00`, `Transactions Total,,,,,,,$1.00`)
	s := importertest.Read(t, importer.Schwab(), f, importer.Options{})
	if diff := cmp.Diff([]string{"4 total of "}, importertest.Reasons(s.Ignored, 9)); diff != "" || len(s.Entries) != 1 {
		t.Errorf("ignored, want against got:\n%s entries %v", diff, importertest.Describe(s))
	}
}

func TestSchwab_ColumnsAreFoundByName(t *testing.T) {
	f := importertest.File(`Amount,Fees & Comm,Action,Date,Note,Symbol,Description,Price,Quantity`, `-$964.95,$4.95,Buy,02/03/2025,mine,VTI,VANGUARD,$480.00,2`)
	s := importertest.Read(t, importer.Schwab(), f, importer.Options{})
	if diff := cmp.Diff([]string{"[2] 2025-02-03 buy VTI 2 @480 960 USD fee 4.95"}, importertest.Describe(s)); diff != "" {
		t.Errorf("want against got:\n%s", diff)
	}
}

func TestSchwab_OtherFilesAreRefused(t *testing.T) {
	importertest.CheckRefused(t, importer.Schwab(), importertest.File("Date,Amount", "2024-01-01,5"))
}

func TestSchwab_ComesOutToTheCent(t *testing.T) {
	s := importertest.Read(t, importer.Schwab(), importertest.Recorded(t, "schwab.csv"), importer.Options{})
	// All amounts of the file, without the cash in lieu of line 120 (5.49):
	// 15,286.52 of dividends - 14,423.59 reinvested + 142.48 interest - 4,366.97
	// advisor's fees - 0.50 ADR fee - 1.30 tax + 505,135.00 sold - 1,680.00 bought
	// + 7.06 transferred - 100,000.00 wired - 30.00 transferred.
	if diff := cmp.Diff(map[string]string{"USD": "400068.7"}, importertest.Cash(s)); diff != "" {
		t.Errorf("cash, want against got:\n%s", diff)
	}
	for _, sum := range []struct {
		name, want string
		kinds      []portfolio.Kind
	}{
		{"dividends", "15286.52", []portfolio.Kind{portfolio.KindDividend, portfolio.KindReinvest}},
		{"interest", "142.48", []portfolio.Kind{portfolio.KindInterest}},
		{"fees", "4367.47", []portfolio.Kind{portfolio.KindFee}},
		{"taxes", "1.3", []portfolio.Kind{portfolio.KindTax}},
	} {
		if got := importertest.Sum(s, sum.kinds...)["USD"]; got != sum.want {
			t.Errorf("%s = %s, want %s", sum.name, got, sum.want)
		}
	}
	// Sums of the column Quantity; 4.546 of DGLRX were received and 877 left.
	want := map[market.Symbol]string{
		"SPY": "7.0976", "FIHBX": "-507.208", "NFRIX": "34.681", "SWVXX": "46.23", "SNSXX": "4136.58", "SNAXX": "-496428.62", "VNQ": "4.4877",
		"GBDC": "10.32", "ARCC": "18.4207", "TCPC": "36.3353", "TSLX": "13.5303", "NMFC": "33.7106", "FMGIX": "10.006", "VEA": "0.0086",
		"VWO": "0.0025", "DGLRX": "-872.454", "AVGO": "1",
	}
	if diff := cmp.Diff(want, importertest.Shares(s)); diff != "" {
		t.Errorf("shares, want against got:\n%s", diff)
	}
}

func TestSchwab_WhatIsLeftToTheUser(t *testing.T) {
	s := importertest.Read(t, importer.Schwab(), importertest.Recorded(t, "schwab.csv"), importer.Options{})
	problems := []string{"108 split of ", "110 4 shares ", "113 344 share", "114 shares we", "115 shares we", "116 shares we", "117 shares we", "118 shares we", "119 shares we", "120 5.49 doll"}
	if diff := cmp.Diff(problems, importertest.Reasons(s.Problems, 9)); diff != "" {
		t.Errorf("problems, want against got:\n%s", diff)
	}
	ignored := []string{"111 reverse sp", "112 reverse sp", "121 total of t"}
	if diff := cmp.Diff(ignored, importertest.Reasons(s.Ignored, 10)); diff != "" {
		t.Errorf("ignored, want against got:\n%s", diff)
	}
}

func FuzzSchwab(f *testing.F) {
	f.Add(schwabHeader + "\n10/31/2023,Reinvest Dividend,SPY,S,,,,$694.48\n10/31/2023,Reinvest Shares,SPY,S,1.6531,$420.10,,-$694.48\n")
	f.Add(schwabHeader + "\n06/10/2024,Reverse Split,TNXP,T,3,,,\n06/10/2024,Reverse Split,890260854,T XXX,-100,,,\nTransactions Total,,,,,,,1\n")
	f.Add("x\n" + schwabHeader + "\n07/15/2024 as of 07/12/2024,Stock Split,AVGO,B,9,$1e99,,-$\n")
	f.Fuzz(func(t *testing.T, text string) { importertest.Fuzz(t, importer.Schwab(), text) })
}

// One impossible month shows the date order of the whole file, so 05/04 is not the date it seems to be.
func TestSchwab_DaysBeforeMonthsRefuseTheWholeFile(t *testing.T) {
	f := importertest.File(schwabHeader, `"05/04/2023","Credit Interest","","SCHWAB1 INT","","","","$1.00"`, `"22/05/2023","Credit Interest","","SCHWAB1 INT","","","","$1.00"`)
	s, err := importer.Schwab().Read(f, importer.Options{Account: importertest.Account})
	if !errors.Is(err, importer.ErrFormat) || !strings.Contains(err.Error(), "22/05/2023") {
		t.Errorf("Read = %v, %v; want ErrFormat that names the date", importertest.Describe(s), err)
	}
}
