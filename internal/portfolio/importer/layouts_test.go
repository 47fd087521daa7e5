package importer_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/portfolio/importer/importertest"
)

// C37: layouts of public samples, with values of our own. Each line is checked by hand.
func TestFormats_LayoutsOfPublicSamples(t *testing.T) {
	for _, tc := range publicLayouts() {
		t.Run(tc.name, func(t *testing.T) {
			f := importertest.File(tc.file...)
			if !tc.format.Recognizes(f) {
				t.Fatalf("%s does not recognize its file", tc.format.Name)
			}
			tc.options.Account = "a"
			s, err := tc.format.Read(f, tc.options)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, importertest.Describe(s)); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(strings.Join(tc.problem, ", "), strings.Join(importertest.Reasons(s.Problems, 17), ", ")); diff != "" && tc.ignored >= 0 {
				t.Errorf("problems (-want +got):\n%s\n%v", diff, s.Problems)
			}
			if len(s.Ignored) != tc.ignored && tc.ignored >= 0 {
				t.Errorf("ignored %v, want %d", s.Ignored, tc.ignored)
			}
		})
	}
}

type publicLayout struct {
	name          string
	format        importer.Format
	options       importer.Options
	file          []string
	want, problem []string
	ignored       int
}

func publicLayouts() []publicLayout {
	return []publicLayout{
		{name: "fidelity", format: importer.Fidelity(), file: []string{
			"", "Brokerage", "",
			"Run Date,Action,Symbol,Description,Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Cash Balance ($),Settlement Date",
			"03/14/2025,YOU BOUGHT ACME INC (ACM) (Cash),ACM,ACME INC,Cash,10,172.40,4.95,,,-1728.95,8271.05,03/17/2025",
			"05/15/2025,DIVIDEND RECEIVED ACME INC (ACM) (Cash),ACM,ACME INC,Cash,,,,,,2.50,8273.55,",
			"05/30/2025,REINVESTMENT FIDELITY GOVERNMENT MONEY MARKET (SPAXX) (Cash),SPAXX,FIDELITY GOVERNMENT MONEY MARKET,Cash,1.2,1,,,,-1.20,8273.55,",
			"06/02/2025,YOU SOLD ACME INC (ACM) (Cash),ACM,ACME INC,Cash,-4,215.10,,0.03,,860.37,9133.92,06/03/2025",
			"06/30/2025,Electronic Funds Transfer Received (Cash),,No Description,Cash,,,,,,500.00,9633.92,",
			"07/01/2025,YOU SOLD OPENING TRANSACTION PUT (MU),-MU250926P150,PUT (MU),Cash,-1,3.35,0,0,,335.00,9968.92,07/02/2025",
			"09/26/2025,EXPIRED PUT (MU), -MU250926P150,PUT (MU),Cash,1,0,0,0,,0.00,9968.92,",
			`"The data and information in this spreadsheet is provided to you solely for your use"`,
			`"Date downloaded" 12/31/2025, 9:11 AM`,
		}, want: []string{
			"[5] 2025-03-14 buy ACM 10 @172.4 1724 USD fee 4.95", "[6] 2025-05-15 dividend ACM 2.5 USD", "[8] 2025-06-02 sell ACM 4 @215.1 860.4 USD fee 0.03", "[9] 2025-06-30 deposit 500 USD",
		}, problem: []string{"10 options are not s", "11 options are not s"}, ignored: 3},
		{name: "fidelity, merger and bonds", format: importer.Fidelity(), file: []string{
			"Run Date,Account,Action,Symbol,Security Description,Security Type,Quantity,Price ($),Commission ($),Fees ($),Accrued Interest ($),Amount ($),Settlement Date",
			" 09/01/2025,1, MERGER MER FROM A1234B126#REOR M0000000000001 NEWCO HOLDINGS (NEW) (Cash), NEW, NEWCO HOLDINGS,Cash,10,,,,,,",
			" 09/01/2025,1, MERGER MER PAYOUT #REOR M0000000000000 OLDCO CORP (A1234B126) (Cash), A1234B126, OLDCO CORP,Cash,-20,,,,,,",
			" 05/20/2025,1, YOU BOUGHT OLDCO CORP (A1234B126) (Cash), A1234B126, OLDCO CORP,Cash,20,9.88,,,,-197.60,05/26/2025",
			" 05/17/2025,1, YOU BOUGHT, 912797ABC, TREASURY BILL,Cash,5000,98.84,,,,-4942.00,",
			" 05/17/2025,1, YOU BOUGHT, 912797AB5, TREASURY BILL,Cash,5000,98.84,,,,-4942.00,",
			" 05/18/2025,1, YOU BOUGHT, 912828AB2, TREASURY NOTE,Cash,3000,99.85,,,0.23,-2995.73,",
			" 05/19/2025,1, MUNI EXEMPT INT COLO REV 05.00000% (Cash), 96255NBE8, COLO REV,Cash,,,,,,125,",
			" 05/19/2025,1, REDEMPTION PAYOUT TREASURY BILL (Cash), 912797AB5, TREASURY BILL,Cash,-5000,1,,,,5000,",
		}, want: []string{
			"[2 3] 2025-09-01 merger A1234B126 10 for 20 to NEW", "[4] 2025-05-20 buy A1234B126 20 @9.88 197.6 USD", "[6] 2025-05-17 buy 912797AB5 5000 @0.9884 4942 USD",
			"[8] 2025-05-19 interest 96255NBE8 125 USD", "[9] 2025-05-19 sell 912797AB5 5000 @1 5000 USD",
		}, problem: []string{"5 5000 times the pr", "7 bond with accrued"}},
		{name: "vanguard", format: importer.Vanguard(), file: []string{
			"Account Number,Investment Name,Symbol,Shares,Share Price,Total Value,", "11112222,TOTAL STOCK,VTI,10,250.00,2500.00,", "", "",
			"Account Number,Trade Date,Settlement Date,Transaction Type,Transaction Description,Investment Name,Symbol,Shares,Share Price,Principal Amount,Commission Fees,Net Amount,Accrued Interest,Account Type,",
			"11112222,2026-06-01,2026-06-02,Funds Received,Electronic Bank Transfer,CASH,,0,0,1000,0,1000,0,CASH,",
			"11112222,2026-06-01,2026-06-02,Buy,Buy,TOTAL STOCK,VTI,4,250,-1000,0,-1000,0,CASH,",
			"11112222,2026-06-01,2026-06-02,Sweep out,Sweep Out Of Settlement Fund,FEDERAL MONEY,VMFXX,0,1,1000,0,1000,0,CASH,",
			"11112222,2026-06-20,2026-06-20,Dividend,Dividend Received,TOTAL STOCK,VTI,0,0,9.00,0,9.00,0,CASH,",
			"11112222,2026-06-20,2026-06-20,Reinvestment,Dividend Reinvestment,TOTAL STOCK,VTI,0.036,250,-9.00,0,-9.00,0,CASH,",
		}, want: []string{
			"[6] 2026-06-01 deposit 1000 USD", "[7] 2026-06-01 buy VTI 4 @250 1000 USD", "[9] 2026-06-20 dividend VTI 9 USD", "[10] 2026-06-20 buy VTI 0.036 @250 9 USD",
		}, ignored: 1},
		{name: "vanguard-uk", format: importer.VanguardUK(), file: []string{
			"A general account", "", "Cash Transactions", "", "Date,Details,Amount,Balance",
			"08/03/2022,Deposit for investment purchases,9000,9000",
			`09/03/2022,"Bought 1,050 Foo ETF Distributing (FOO)",-8000.10,999.90`,
			"01/04/2022,Cash Account Interest,0.41,1000.31",
			"07/04/2022,Account Fee for the period 08-Jan-2022 to 07-Apr-2022,-14.05,986.26",
			"29/07/2022,DIV: FOO.XLON.GB @ GBP 0.3106,170.83,1157.09",
			"29/07/2022,Reversal of DIV: FOO.XLON.GB @ GBP 0.3106,-170.83,986.26",
			"30/07/2022,DIV: FOO.XLON.GB @ GBP 0.3,165.00,1151.26",
			"17/08/2022,Sold 1 Foo ETF – Distributing (FOO),8.06,1159.32",
			"23/08/2022,Payment by Faster - One-off withdrawal Faster,-159.32,1000.00",
			"01/10/2022,Bought .9232 U.S. Equity Index Fund - Accumulation,-400,600",
			"Balance,600", "", "Investment Transactions", "", "Date,InvestmentName,TransactionDetails,Quantity,Price,Cost",
			`10/03/2022,Foo ETF Distributing (FOO),"Bought 1,050 Foo ETF Distributing (FOO)",1050,7.62,8000.10`, "Cost,8000",
		}, want: []string{
			"[6] 2022-03-08 deposit 9000 GBP", "[7] 2022-03-09 buy FOO.L 1050 8000.1 GBP", "[8] 2022-04-01 interest 0.41 GBP", "[9] 2022-04-07 fee 14.05 GBP",
			"[12] 2022-07-30 dividend FOO.L 165 GBP", "[13] 2022-08-17 sell FOO.L 1 8.06 GBP", "[14] 2022-08-23 withdrawal 159.32 GBP",
		}, problem: []string{"15 the fund has no t"}, ignored: 2},
		{name: "freetrade", format: importer.Freetrade(), file: []string{
			"Title,Type,Timestamp,Account Currency,Total Amount,Buy / Sell,Ticker,ISIN,Price per Share in Account Currency,Stamp Duty,Quantity,Venue,Order ID,Order Type,Instrument Currency,Total Shares Amount,Price per Share,FX Rate,Base FX Rate,FX Fee (BPS),FX Fee Amount,Dividend Ex Date,Dividend Pay Date,Dividend Eligible Quantity,Dividend Amount Per Share,Dividend Gross Distribution Amount,Dividend Net Distribution Amount,Dividend Withheld Tax Percentage,Dividend Withheld Tax Amount",
			"Top up,TOP_UP,2024-04-01T00:35:22.634Z,GBP,1000.00,,,,,,,,,,,,,,,,,,,,,,,,",
			"Nvidia,DIVIDEND,2024-03-27T06:26:00.000Z,GBP,0.31,,NVDA,US67066G1040,,,11.5,,,,USD,,,,0.8,0,0.00,2024-03-05,2024-03-27,11.5,0.04,0.46,0.39,15,0.07",
			"Alliance,ORDER,2024-02-23T15:34:06.099Z,GBP,5068.25,BUY,ATST,GB00B11V7W98,11.97869359,25.22,421.00000000,London Stock Exchange,X1,MARKET,GBP,5043.03,11.97869359,,,0,,,,,,,,,",
			"Nvidia,ORDER,2024-01-24T15:16:15.350Z,GBP,1996.75,BUY,NVDA,US67066G1040,484.45622073,0.00,4.10561350,Multiple,X2,MARKET,USD,2534.97,617.439318,1.26952945,1.2745,39,7.76,,,,,,,,",
			"February,MONTHLY_STATEMENT,2024-03-01T00:00:00.000Z,,,,,,,,,,,,,,,,,,,,,,,,,,",
			"ThredUp,FREESHARE_ORDER,2021-12-13T16:16:49.475Z,GBP,11.04,BUY,TDUP,US88556E1029,11.03772436,0.00,1.00000000,New York Stock Exchange,X3,,USD,4554.89,14.6,1.32265,1.32265,45,0.00,,,,,,,,",
		}, want: []string{
			"[2] 2024-04-01 deposit 1000 GBP", "[3] 2024-03-27 dividend NVDA 0.37 GBP tax 0.06", "[4] 2024-02-23 buy ATST.L 421 @11.97869359 5043.03 GBP tax 25.22",
			"[5] 2024-01-24 buy NVDA 4.1056135 @484.45622073 1988.99 GBP fee 7.76",
			"[7] 2021-12-13 transfer_in TDUP 1 11.04 GBP",
		}, ignored: 1},
		{name: "saxo", format: importer.Saxo(), options: importer.Options{Currency: "EUR"}, file: []string{
			"Client ID,Trade Date,Value Date,Type,Instrument,Instrument ISIN,Instrument currency,Exchange Description,Instrument Symbol,Event,Amount,Order ID,Conversion Rate",
			`,30-Dec-2024,31-Dec-2024,Trade,NVIDIA Corp.,US67066G1040,USD,NASDAQ,NVDA:xnas,Buy 3 @ 134.85 USD,"-405,55",,1`,
			`,02-Jan-2025,02-Jan-2025,Trade,All-World,IE00BK5BQT80,USD,London Stock Exchange (ETFs),VWRA:xlon,Sell 3 @ 139.74 USD,"418,22",,1`,
			`,16-jan-2025,20-jan-2025,Transactie,S&P 500,IE00B3XXRP09,EUR,Euronext Amsterdam,VUSA:xams,Koop 1 @ 110.01 EUR,"-111,01",,1`,
			`,02-Apr-2025,02-Apr-2025,Corporate action,All-World,IE00B3RBWM25,EUR,Euronext Amsterdam,VWRL:xams,Dividend,1.83,,1`,
			`,02-Jan-2025,02-Jan-2025,Cash amount,,,USD,,,Custody Fee,"-3,91",,1`,
			`,30-Dec-2024,30-Dec-2024,Cash Transfer,,,USD,Unknown,,Deposit,500,,1`,
		}, want: []string{
			"[2] 2024-12-30 buy NVDA 3 @134.85 404.55 USD fee 1", "[3] 2025-01-02 sell VWRA.L 3 @139.74 419.22 USD fee 1", "[4] 2025-01-16 buy VUSA.AS 1 @110.01 110.01 EUR fee 1",
			"[5] 2025-04-02 dividend VWRL.AS 1.83 EUR", "[6] 2025-01-02 fee 3.91 USD", "[7] 2024-12-30 deposit 500 USD",
		}},
		{name: "saxo in Dutch", format: importer.Saxo(), file: []string{
			"Client ID,Trade Date,Value Date,Type,Instrument,Instrument ISIN,Instrument currency,Exchange Description,Instrument Symbol,Event,Booked Amount,Order ID,Conversion Rate,From Derivative,Underlying asset type",
			`,02-mrt-2025,02-mrt-2025,Trade,All-World,IE00BK5BQT80,USD,London Stock Exchange (ETFs),VWRA:xlon,Sell 3 @ 139.74 USD,"419,22",,1,No,`,
			`,02-mei-2025,02-mei-2025,Cash amount,,,USD,,,Custody Fee,"-3,91",,1,No,`,
		}, want: []string{"[2] 2025-03-02 sell VWRA.L 3 @139.74 419.22 USD", "[3] 2025-05-02 fee 3.91 USD"}},
		{name: "xtb since 2025, with the currency that its trades prove", format: importer.XTB(), file: []string{
			"Account number;1234;;;;;;", "Cash Operations;;;;;;;", "Type;Ticker;Instrument;Time;Amount;ID;Comment;Product",
			"Free funds interest tax;;;2025-11-02 10:00:00;-0,05;2;Free-funds Interest Tax;IKE",
			"Stock purchase;IS0M.DE;Govt Bond;2025-10-01 10:00:00;-616,32;3;OPEN BUY 4 @ 154.0800;IKE",
			"Stock sell;DTLE.UK;Treasury;2025-10-01 08:00:00;297,65;5;CLOSE BUY 100 @ 2.9765;IKE",
			"IKE cash transfer in;;;2025-07-01 10:00:00;1.000,00;9;IKE Cash transfer IN;IKE",
			"Close trade;ETHEREUM;ETHEREUM;2025-07-01 10:00:00;-2,50;10;Profit of position;IKE",
			"Subaccount transfer;;;2025-06-07 08:40:00;3;11;Transfer between accounts;Investment Plans",
			"Subaccount transfer;;;2025-06-07 08:40:00;-3;12;Transfer between accounts;IKE",
			"Total;;;;678,28;;;",
		}, want: []string{
			"[4] 2025-11-02 tax 0.05 EUR", "[5] 2025-10-01 buy IS0M.DE 4 @154.08 616.32 EUR", "[6] 2025-10-01 sell DTLE.L 100 @2.9765 297.65 EUR", "[7] 2025-07-01 deposit 1000 EUR",
		}, problem: []string{"8 contract for diff"}, ignored: 3},
		{name: "xtb", format: importer.XTB(), options: importer.Options{Currency: "EUR"}, file: []string{
			"ID;Type;Time;Comment;Symbol;Amount;;;;",
			"1;Stocks/ETF purchase;12.04.2024 13:01:45;OPEN BUY 34/42.5658 @ 11.7480;SPYL.DE;-399.43;;;;",
			"2;Deposit;12.04.2024 13:00:22;JP_MORGAN deposit;;500;;;;",
			"3;Withholding tax;26.09.2024 11:00:23;FB.US USD WHT 15%;FB.US;-0.33;;;;",
			"4;Dividend;26.09.2024 11:00:23;FB.US USD 0.5000/ SHR;FB.US;2.23;;;;",
			"5;Stocks/ETF purchase;14.05.2024 17:21:09;OPEN BUY 0.1799 @ 550.30;CSPX.UK;-99;;;;",
			"6;Swap;11.01.2022 16:16:01;Swap of position;GOLD;-2;;;;",
			"7;Stocks/ETF sale;02.05.2024 11:42:37;CLOSE BUY 1 @ 26.280;ZAL.DE;26.28;;;;",
		}, want: []string{
			"[2] 2024-04-12 buy SPYL.DE 34 @11.748 399.43 EUR", "[3] 2024-04-12 deposit 500 EUR", "[4] 2024-09-26 tax FB 0.33 EUR", "[5] 2024-09-26 dividend FB 2.23 EUR",
			"[6] 2024-05-14 buy CSPX.L 0.1799 @550.3 99 EUR", "[8] 2024-05-02 sell ZAL.DE 1 @26.28 26.28 EUR",
		}, problem: []string{"7 contract for diff"}},
		{name: "traderepublic", format: importer.TradeRepublic(), file: []string{
			`"datetime","date","account_type","category","type","asset_class","name","symbol","shares","price","amount","fee","tax","currency","original_amount","original_currency","fx_rate","description","transaction_id","counterparty_name","counterparty_iban","payment_reference","mcc_code"`,
			`"2026-09-18T08:28:07Z","2026-09-18","DEFAULT","TRADING","BUY","STOCK","Thales","FR0000121329","0.421229","237.4","-100.00","-1.00","-0.40","EUR","","","","Buy trade","a1","","","",""`,
			`"2026-05-01T03:49:10.717832Z","2026-05-01","DEFAULT","CASH","INTEREST_PAYMENT","","","","","","0.80","","-0.24","EUR","","","","Interest","a2","","","",""`,
			`"2026-09-18T08:26:04Z","2026-09-18","DEFAULT","CASH","TRANSFER_INSTANT_INBOUND","","Jane","","","","110.00","","","EUR","","","","Incoming","a3","","","",""`,
			`"2026-09-18T08:36:46Z","2026-09-18","DEFAULT","TRADING","BUY","CRYPTO","Axie","AXS","11.324643","0.88303","-10.00","-1.00","","EUR","","","","Buy","a4","","","",""`,
		}, want: []string{
			"[2] 2026-09-18 buy FR0000121329 0.421229 @237.4 100 EUR fee 1 tax 0.4", "[3] 2026-05-01 interest 0.8 EUR tax 0.24", "[4] 2026-09-18 deposit 110 EUR",
			"[5] 2026-09-18 buy AXS-USD 11.324643 @0.88303 10 EUR fee 1",
		}},
		{name: "traderepublic, signed shares, taxes without a payment, a reversed dividend", format: importer.TradeRepublic(), file: []string{
			"datetime;date;account_type;category;type;asset_class;name;symbol;shares;price;amount;fee;tax;currency;original_amount;original_currency;fx_rate;description;transaction_id",
			"2021-09-07T00:00:00.000000Z;2021-09-07;DEFAULT;TRADING;BUY;STOCK;Aker;NO0010890304;120.0000000000;2.386000;-286.32;-1.00;;EUR;;;;;b1",
			"2021-09-08T00:00:00.000000Z;2021-09-08;DEFAULT;TRADING;SELL;STOCK;Aker;NO0010890304;-35.0000000000;2.315000;81.03;-1.00;;EUR;;;;;b2",
			"2023-12-15T00:00:00.000000Z;2023-12-15;DEFAULT;CASH;SEC_ACCOUNT;BOND;Mai 2024;XS1614198262;20.04;;0.000000;;0.05;EUR;;;;;b3",
			"2024-01-12T00:00:00.000000Z;2024-01-12;DEFAULT;CASH;PRE_DETERMINED_TAX_BASE;FUND;S&P 500;LU0496786574;24.9188;;0.000000;;-0.33;EUR;;;;;b4",
			"2025-07-17T09:43:05.327422Z;2025-07-17;DEFAULT;CASH;DIVIDEND;STOCK;Net Lease;US3793782018;181.638106;;29.580000;;-7.56;EUR;34.51;USD;0.857265;;b5",
			"2026-03-28T12:17:08.949883Z;2026-03-27;DEFAULT;CASH;DIVIDEND;STOCK;Net Lease;US3793782018;181.638106;;-29.580000;;7.56;EUR;-34.51;USD;0.857265;;b6",
			"2026-03-28T12:44:58.343321Z;2026-03-27;DEFAULT;CASH;DIVIDEND;STOCK;Net Lease;US3793782018;181.638106;;29.580000;;-7.80;EUR;34.51;USD;0.857265;;b7",
			"2026-03-28T12:44:58.343321Z;2026-03-27;DEFAULT;CASH;CARD_ORDERING_FEE;;;;;;-5.00;;;EUR;;;;;b8",
		}, want: []string{
			"[2] 2021-09-07 buy NO0010890304 120 @2.386 286.32 EUR fee 1", "[3] 2021-09-08 sell NO0010890304 35 @2.315 81.03 EUR fee 1", "[4] 2023-12-15 tax_refund XS1614198262 0.05 EUR",
			"[5] 2024-01-12 tax LU0496786574 0.33 EUR", "[8] 2026-03-28 dividend US3793782018 29.58 EUR tax 7.8", "[9] 2026-03-28 fee 5 EUR",
		}, ignored: 2},
		{name: "trading 212, a split with the time of day in ISO 8601", format: importer.Trading212(), file: []string{
			"Action,Time (UTC),ISIN,Ticker,Name,No. of shares,Price / share,Currency (Price / share),Exchange rate,Result,Currency (Result),Total,Currency (Total),ID",
			`Stock split close,2024-07-15T07:00:00.000+00:00,US9078181081,BAR,"Bar Company",90.0000000000,10.00,USD,,0.00,"USD",900.00,"USD",split-close`,
			`Stock split open,2024-07-15T07:00:00.009+00:00,US9078181081,BAR,"Bar Company",10.0000000000,90.00,USD,,,,900.00,"USD",split-open`,
			`Market sell,2024-10-02T11:00:00+00:00,US9078181081,BAR,"Bar Company",10.0000000000,120.00,USD,,300.00,"USD",1200.00,"USD",sell-bar`,
		}, want: []string{"[2 3] 2024-07-15 reverse_split BAR 10 for 90", "[4] 2024-10-02 sell BAR 10 @120 1200 USD"}},
		{name: "trading 212, rows of two versions", format: importer.Trading212(), file: []string{
			"Action,Time,ISIN,Ticker,Name,No. of shares,Price / share,Currency (Price / share),Exchange rate,Result,Currency (Result),Total,Currency (Total),Withholding tax,Currency (Withholding tax),Notes,ID,Currency conversion fee,Currency (Currency conversion fee)",
			`Market buy,2023-12-18 14:30:03.613,US17275R1023,CSCO,"Cisco Systems",2,50,USD,1.25,,"EUR",80.00,"EUR",,,,EOF1,,`,
			`Transfer out,2025-02-28 08:25:01.076,US17275R1023,CSCO,"Cisco Systems",,EOF2,1.5,60,USD,1.2,0.00,"EUR",75,"EUR",,,,`,
			`Stock split close,2025-03-24 07:24:24.095,US9078181081,UNP,"Union Pacific",,EOF3,8,2,USD,1.03,0.00,"EUR",15,"EUR",,,,`,
			`Stock split open,2025-03-24 07:24:24.104,US9078181081,UNP,"Union Pacific",,EOF4,2,8,USD,1.03,,"EUR",15,"EUR",,,,`,
		}, want: []string{"[2] 2023-12-18 buy CSCO 2 80 EUR", "[3] 2025-02-28 transfer_out CSCO 1.5", "[4 5] 2025-03-24 reverse_split UNP 2 for 8"}},
		{name: "traderepublic by a converter", format: importer.TradeRepublic(), file: []string{
			"Datum;Transactietype;Waarde (netto);Opmerking;ISIN;Aantal;Kosten;Belasting", "2024-11-30;Onttrekking;-10,84;John Doe;;;;", "2024-11-26;Storting;0,01;John Doe;;;;",
			"2024-07-23;Aankoop;-5;FTSE Developed World;IE00BKX55T58;0,052361;;", "2024-11-29;Verkoop;10,799;FTSE Developed World;IE00BKX55T58;0,04;1;", "2024-09-25;Dividend;0,03;FTSE Developed World;IE00BKX55T58;;;",
		}, want: []string{
			"[2] 2024-11-30 withdrawal 10.84 EUR", "[3] 2024-11-26 deposit 0.01 EUR", "[4] 2024-07-23 buy IE00BKX55T58 0.052361 5 EUR", "[5] 2024-11-29 sell IE00BKX55T58 0.04 11.799 EUR fee 1",
			"[6] 2024-09-25 dividend IE00BKX55T58 0.03 EUR",
		}},
		{name: "portfolio performance in German, of both kinds of accounts", format: importer.PortfolioPerformance(), file: []string{
			"Datum;Typ;Wert;Buchungswährung;Bruttobetrag;Währung Bruttobetrag;Wechselkurs;Gebühren;Steuern;Stück;ISIN;WKN;Ticker-Symbol;Wertpapiername;Notiz",
			"2024-01-15T00:00;Einlage;5.000,00;EUR;;;;;;;;;;;",
			"2024-02-01T10:00;Kauf;-2.112,40;EUR;2.300,00;USD;1,0900;1,00;;12,5;US0378331005;865985;AAPL;Apple Inc.;",
			"15.03.2025;Kauf;2.501,00;EUR;2.500,00;EUR;1,00;1,00;0,00;50;DE0007164600;716460;SAP.DE;SAP SE;",
			"2024-04-10T00:00;Dividende;20,00;EUR;;;;;5,28;8;DE0007164600;716460;SAP.DE;SAP SE;",
			"2024-06-03T14:00;Verkauf;520,00;EUR;;;;5,00;15,00;5;IE00B4L5Y983;A0RPWH;EUNL.DE;iShares Core MSCI World;",
			"2024-06-30T00:00;Zinsen;3,21;EUR;;;;;;;;;;;",
			"2024-06-30T00:00;Steuerrückerstattung;9,8;EUR;;;;;;;;;;;",
			"2024-07-01T00:00;Einlieferung;1.500,00;EUR;;;;;;3;DE0007164600;716460;SAP.DE;SAP SE;Depotwechsel",
			"2024-07-02T00:00;Auslieferung;400,00;EUR;;;;;;1;DE0007164600;716460;SAP.DE;SAP SE;Depotwechsel",
			"2024-07-03T00:00;Umbuchung (Ausgang);-40,00;EUR;;;;;;;;;;;",
			"2024-07-04T00:00;SWAP_OUT;300;EUR;;;;;;;;;;;",
		}, want: []string{
			"[2] 2024-01-15 deposit 5000 EUR", "[3] 2024-02-01 buy AAPL 12.5 2111.4 EUR fee 1", "[4] 2025-03-15 buy SAP.DE 50 2500 EUR fee 1", "[5] 2024-04-10 dividend SAP.DE 25.28 EUR tax 5.28",
			"[6] 2024-06-03 sell EUNL.DE 5 540 EUR fee 5 tax 15", "[7] 2024-06-30 interest 3.21 EUR", "[8] 2024-06-30 tax_refund 9.8 EUR", "[9] 2024-07-01 transfer_in SAP.DE 3 1500 EUR",
			"[10] 2024-07-02 transfer_out SAP.DE 1", "[11] 2024-07-03 withdrawal 40 EUR",
		}, problem: []string{"12 unknown typ \"SWAP"}},
		{name: "robinhood", format: importer.Robinhood(), file: []string{
			`"Activity Date","Process Date","Settle Date","Instrument","Description","Trans Code","Quantity","Price","Amount"`,
			`"3/3/2026","3/3/2026","3/5/2026","SPY","SPY 3/20/2026 Call $580.00","STC","2","$4.25","$850.00"`,
			`"3/2/2026","3/2/2026","3/4/2026","AAPL","Apple CUSIP: 037833100","Sell","100","$189.10","$18,910.00"`,
			`"3/2/2026","3/2/2026","3/4/2026","AAPL","Apple CUSIP: 037833100","Buy","100","$187.40","($18,740.00)"`,
			`"3/2/2026","3/2/2026","3/2/2026","MSFT","Cash Div: R/D 2026-02-15","CDIV","","","$7.50"`,
			`"4/27/2026","4/27/2026","4/27/2026","GE","Cash Div - nra tax withhold","NRAT","","","($0.02)"`,
			`"3/1/2026","3/1/2026","3/1/2026","","ACH Deposit","ACH","","","$5,000.00"`,
			`"3/1/2026","3/1/2026","3/1/2026","","Gold Fee","GOLD","","","($5.00)"`,
			`"3/31/2026","3/31/2026","3/31/2026","","Interest Payment","INT","","","$1.23"`,
			`"6/10/2026","6/10/2026","6/10/2026","NVDA","NVIDIA","SPL","90","",""`,
			`"","","","","","","","","","The data provided is for informational purposes only."`,
		}, want: []string{
			"[3] 2026-03-02 sell AAPL 100 @189.1 18910 USD", "[4] 2026-03-02 buy AAPL 100 @187.4 18740 USD", "[5] 2026-03-02 dividend MSFT 7.5 USD", "[6] 2026-04-27 tax GE 0.02 USD",
			"[7] 2026-03-01 deposit 5000 USD", "[8] 2026-03-01 fee 5 USD", "[9] 2026-03-31 interest 1.23 USD",
		}, problem: []string{"2 options are not s", "10 split of NVDA wit"}, ignored: 1},
		{name: "traderepublic, fees and shares without an amount", format: importer.TradeRepublic(), file: []string{
			"datetime;date;account_type;category;type;asset_class;name;symbol;shares;price;amount;fee;tax;currency;original_amount;original_currency;fx_rate;description;transaction_id",
			"2024-04-05T12:00:00.000000Z;2024-04-05;DEFAULT;CASH;CARD_ORDERING_FEE;;;;;;0.000000;-5.00;;EUR;;;;Trade Republic Card;c1",
			"2023-01-30T16:17:37.532141Z;2023-01-30;DEFAULT;CASH;STOCKPERK;STOCK;Apple;US0378331005;;;15.890000;;;EUR;;;;Stockperk;c2",
			"2023-02-02T09:43:18.550Z;2023-01-31;DEFAULT;DELIVERY;FREE_RECEIPT;FUND;FTSE All-World;IE00BK5BQT80;17.0000000000;;;;;;;;;FREE_RECEIPT;c3",
			"2024-05-01T00:00:00.000Z;2024-05-01;DEFAULT;DELIVERY;MIGRATION;FUND;FTSE All-World;IE00BK5BQT80;-10.0000000000;6.380000;;;;EUR;;;;MIGRATION;c4",
			"2025-06-01T00:00:00.000000Z;2025-06-01;DEFAULT;CASH;MIGRATION;;;;;;500.000000;;;EUR;;;;Securities migration;c5",
		}, want: []string{
			"[2] 2024-04-05 fee 5 EUR", "[3] 2023-01-30 deposit 15.89 EUR", "[4] 2023-02-02 transfer_in IE00BK5BQT80 17 cost unknown", "[5] 2024-05-01 transfer_out IE00BK5BQT80 10", "[6] 2025-06-01 deposit 500 EUR",
		}},
		{name: "ibkr transaction history", format: importer.IBKR(), file: []string{
			"Statement,Header,Field Name,Field Value", "Statement,Data,Title,Transaction History", "Summary,Header,Field Name,Field Value", "Summary,Data,Base Currency,GBP",
			"Transaction History,Header,Date,Account,Description,Transaction Type,Symbol,Quantity,Price,Price Currency,Gross Amount ,Commission,Net Amount,Exchange Rate",
			"Transaction History,Data,2026-01-01,U1,ACME INC,Buy,ACM,10.0,150.0,USD,-1200.0,-1.0,-1201.0,0.8",
			"Transaction History,Data,2026-01-02,U1,VODAFONE GROUP,Buy,VOD,100,0.7,GBP,-70.0,-1.0,-71.0,1",
			"Transaction History,Data,2026-01-03,U1,Electronic Fund Transfer,Deposit,-,-,-,-,2000.0,-,2000.0,1",
			"Transaction History,Data,2026-01-04,U1,ACM(US0000000018) Cash Dividend USD 0.27,Dividend,ACM,-,-,-,3.31,-,3.31,0.8",
			"Transaction History,Data,2026-01-05,U1,FX Translations P&L,Adjustment,-,-,-,-,-3.35,-,-3.35,1",
		}, want: []string{
			"[6] 2026-01-01 buy ACM 10 1200 GBP fee 1", "[7] 2026-01-02 buy VOD.L 100 @0.7 70 GBP fee 1", "[8] 2026-01-03 deposit 2000 GBP", "[9] 2026-01-04 dividend ACM 3.31 GBP",
		}, ignored: -1},
	}
}
