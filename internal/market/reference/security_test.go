package reference_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

// C10. The tickers are those of the SEC's company_tickers.json, in its order.
func TestClassify_SecuritiesOfOneIssuer(t *testing.T) {
	for _, row := range []struct{ name, tickers, want string }{
		{"preferred shares", "BAC BML-PG BAC-PL", "common preferred preferred"},
		{"a preferred share without a series", "TY TY-P", "common preferred"},
		{"a warrant in New York", "OXY OXY-WT", "common warrant"},
		{"unit, share and warrant", "RENEU RENE RENEW", "unit common warrant"},
		{"rights", "GODN GODNU GODNR", "common unit right"},
		{"classes after a hyphen", "BRK-B BRK-A", "common.B common.A"},
		{"classes by the fifth letter", "LBTYA LBTYB LBTYK", "common.A common.B common.C"},
		{"classes by the table", "GOOGL GOOG", "common.A common.C"},
		{"preferred shares on Nasdaq", "HBAN HBANM HBANP HBANL", "common preferred preferred other"},
		{"a preferred share with the letter of a class", "SOHO SOHOB SOHOO", "common other preferred"},
		{"notes without a mark", "T TBB T-PA", "common other preferred"},
		{"notes before the share", "BIPH BIP BIP-PA", "other common preferred"},
		{"notes that share a stem", "AMG MGR MGRB", "common other other"},
		{"exchange-traded notes", "JPM JPM-PC AMJ", "common preferred other"},
		{"a receipt and its ordinary share", "EADSY EADSF", "adr common"},
		{"a receipt that the table names", "BABA BABAF", "adr common"},
		{"one that only has preferred shares listed", "CTA-PA CTA-PB", "preferred preferred"},
		{"notes of a company without a listed share", "ATH-PA ATHS", "preferred other"},
		{"a single share", "NVDA", "common"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var issuer []market.Instrument
			for ticker := range strings.FieldsSeq(row.tickers) {
				sym, err := market.ParseSymbol(ticker)
				if err != nil {
					t.Fatal(err)
				}
				issuer = append(issuer, market.Instrument{Symbol: sym, Name: "SOME COMPANY INC", Kind: "equity"})
			}
			reference.Classify(issuer)
			var got []string
			for _, i := range issuer {
				got = append(got, strings.TrimSuffix(string(i.Class)+"."+i.ShareClass, "."))
			}
			if diff := cmp.Diff(strings.Fields(row.want), got); diff != "" {
				t.Errorf("classes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestClassOfName_AsSourcesWriteNames(t *testing.T) {
	for name, want := range map[string]market.SecurityClass{
		"Bank of America Corporation":                              market.ClassUnknown,
		"Bank of America Corporation Non Cumulative Perpetual Pfd": market.ClassPreferred,
		"Wells Fargo Depositary Shares, 4.75% Preferred Stock":     market.ClassPreferred,
		"Occidental Petroleum Corporation Warrants":                market.ClassWarrant,
		"Alibaba Group Holding Ltd. (ADR)":                         market.ClassADR,
		"Shell PLC American Depositary Shares":                     market.ClassADR,
		"Southern Company (The) Series 2020A 4.95% Senior Notes":   market.ClassNote,
		"Energy Transfer LP Common Units":                          market.ClassUnknown,
		"Some Acquisition Corp Unit":                               market.ClassUnit,
		"Berkshire Hathaway Inc. (class B)":                        market.ClassCommon,
		"Vanguard Total Stock Market ETF":                          market.ClassFund,
		"Wright Medical Group":                                     market.ClassUnknown,
		"Unit Corporation":                                         market.ClassUnknown,
	} {
		if got, _ := reference.ClassOfName(name); got != want {
			t.Errorf("ClassOfName(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestDescribe_TellsExchangeCurrencyAndClass(t *testing.T) {
	for sym, want := range map[market.Symbol]string{
		"VOD.L": "XLON GBP common", "VOD": " USD adr", "7203.T": "XTKS JPY common", "BAC-PL": " USD preferred",
		"NEVERSEEN.DE": "XETR EUR ", "REI-UN.TO": "XTSE CAD common", "TD-PFA.TO": "XTSE CAD preferred", "VOLV-B.ST": "XSTO SEK common",
		"OXY-WT": " USD warrant", "^GSPC": "  ", "VTI": "ARCX USD fund", "NEVERSEEN": "  ",
	} {
		i := reference.Describe(sym)
		if got := i.MIC + " " + i.TradingCurrency + " " + string(i.Class); got != want {
			t.Errorf("Describe(%s) = %q, want %q", sym, got, want)
		}
	}
}

// C30: all listings of a ticker, so that a user can choose one.
func TestListings_OfOneTicker(t *testing.T) {
	found, err := reference.NewSymbolTable().Listings("VOD")
	if err != nil {
		t.Fatal(err)
	}
	got := map[market.Symbol]string{}
	for _, i := range found {
		got[i.Symbol] = i.TradingCurrency
	}
	if got["VOD"] != "USD" || got["VOD.L"] != "GBP" {
		t.Errorf("Listings(VOD) = %v, want VOD in USD and VOD.L in GBP", got)
	}
	for _, row := range [][3]string{{"VOD", "XLON", "VOD.L"}, {"BRK B", "XNYS", "BRK.B"}, {"VOLV.B", "XSTO", "VOLV-B.ST"}, {"AAPL", "XXXX", ""}} {
		if sym, _ := reference.SymbolOn(row[0], row[1]); string(sym) != row[2] {
			t.Errorf("SymbolOn(%s, %s) = %q, want %q", row[0], row[1], sym, row[2])
		}
	}
}

func TestRatioOf_SharesOfOneUnit(t *testing.T) {
	day := func(text string) market.Date {
		d, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	common := market.Instrument{Symbol: "AAPL", Class: market.ClassCommon}
	for _, row := range []struct {
		of    market.Instrument
		on    string
		known bool
		eps   string // of one unit, if a share earns 1,500
	}{
		{common, "2026-01-02", true, "1500"},
		{market.Instrument{Symbol: "BRK.B"}, "2026-01-02", true, "1"},
		{market.Instrument{Symbol: "BRK.B"}, "2009-12-31", false, ""}, // before its split of 50 for 1
		{market.Instrument{Symbol: "BABA"}, "2026-01-02", true, "12000"},
		{market.Instrument{Symbol: "BAC-PL", Class: market.ClassPreferred}, "2026-01-02", false, ""},
		{market.Instrument{Symbol: "NEVERSEEN", Class: market.ClassADR}, "2026-01-02", false, ""},
		{market.Instrument{Symbol: "TM"}, "2022-01-03", true, "15000"},
		{market.Instrument{Symbol: "TM"}, "2021-09-30", false, ""}, // before the split of its shares
	} {
		ratio, known := reference.RatioOf(row.of, day(row.on))
		if known != row.known {
			t.Errorf("RatioOf(%s, %s) known = %v", row.of.Symbol, row.on, known)
			continue
		}
		if known && !ratio.PerUnit(decimal.NewFromInt(1500)).Equal(decimal.RequireFromString(row.eps)) {
			t.Errorf("%s: 1,500 a share are %s a unit, want %s", row.of.Symbol, ratio.PerUnit(decimal.NewFromInt(1500)), row.eps)
		}
	}
}

// C11: names as Nasdaq, the NYSE and Tastyworks write them.
func TestRatioOf_ANameMayStateIt(t *testing.T) {
	for name, want := range map[string]string{
		"Alibaba Group Holding Limited American Depositary Shares each representing eight Ordinary share":                                  "8/1",
		"Ericsson - American Depositary Shares each representing 1 underlying Class B share":                                               "1/1",
		"BHP Group Limited American Depositary Shares (Each representing two Ordinary Shares)":                                             "2/1",
		"Himax Technologies, Inc. - American depositary shares, each of which represents two ordinary shares.":                             "2/1",
		"America Movil, S.A.B. de C.V. American Depositary Shares (each representing the right to receive twenty (20) Series B Shares)":    "20/1",
		"Waterdrop Inc. American Depositary Shares (each representing the right to receive 10 Class A Ordinary Shares)":                    "10/1",
		"Full Truck Alliance Co. Ltd. American Depositary Shares (each representing 20 Class A Ordinary Shares)":                           "20/1",
		"Example plc ADSs (each representing 0.25 ordinary shares)":                                                                        "1/4",
		"Example SA American Depositary Shares, each representing one-half of one ordinary share":                                          "1/2",
		"Itau Unibanco Banco Holding SA American Depositary Shares (Each repstg 500 Preferred shares)":                                     "",
		"Banco Santander Brasil SA American Depositary Shares, each representing one unit":                                                 "",
		"Coca Cola Femsa S.A.B. de C.V.  American Depositary Shares, each representing 10 Units (each Unit consists of 3 Series B Shares)": "",
		"argenx SE - American Depositary Shares":                                                                                           "",
		"Diageo plc American Depositary Shares, each representing four Ordinary Shares, as amended":                                        "4/1",
	} {
		class, _ := reference.ClassOfName(name)
		ratio, known := reference.RatioOf(market.Instrument{Symbol: "NEVERSEEN", Class: class, Name: name}, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
		if got := fmt.Sprintf("%d/%d", ratio.Shares, ratio.Units); known != (want != "") || known && (got != want || class != market.ClassADR) {
			t.Errorf("%q is a %s of %s (known %v), want %q", name, class, got, known, want)
		}
	}
}
