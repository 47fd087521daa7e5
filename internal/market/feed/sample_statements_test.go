package feed_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/recordings"
)

func statementSymbols() []market.Symbol { return []market.Symbol{"AAPL", "AMZN", "MSFT", "NVDA"} }

func statementsOf(t *testing.T, sym market.Symbol) []market.Statement {
	t.Helper()
	all, err := feed.NewSampleSource().Statements(t.Context(), sym, market.StatementQuery{})
	if err != nil {
		t.Fatalf("Statements(%s) = %v", sym, err)
	}
	return all
}

func TestStatements_NewestFirstFlaggedAndDated(t *testing.T) {
	for _, sym := range statementSymbols() {
		all := statementsOf(t, sym)
		for i, s := range all {
			if s.Symbol != sym || s.Form != "10-K" || s.Provenance.Currency != "USD" ||
				!s.Provenance.Has(market.FlagSample) || s.Provenance.Note == "" || !s.Provenance.AsOf.Equal(s.PeriodEnd) {
				t.Errorf("%s %d says too little: %+v", sym, s.FiscalYear, s.Provenance)
			}
			if i > 0 && s.FiscalYear != all[i-1].FiscalYear-1 {
				t.Errorf("%s: %d follows %d", sym, s.FiscalYear, all[i-1].FiscalYear)
			}
			if _, ok := s.Items[market.ItemNetIncome]; !ok {
				t.Errorf("%s %d has no net income", sym, s.FiscalYear)
			}
		}
	}
}

func TestStatements_FiguresNotConfirmedAreAbsentNotZero(t *testing.T) {
	newest := statementsOf(t, "MSFT")[0]
	if got, ok := newest.Items[market.ItemRevenue]; ok {
		t.Errorf("MSFT %d revenue = %s, want it absent", newest.FiscalYear, got.Value)
	}
	loss := statementsOf(t, "AMZN")[0].Items[market.ItemNetIncome]
	if want := decimal.New(-2722, 6); !loss.Value.Equal(want) {
		t.Errorf("AMZN 2022 net income = %s, want %s", loss.Value, want)
	}
}

type fact struct {
	End, Filed, Accn, Form string
	Val                    json.Number
}

// The sample files were made from these recordings, so errors made in the process show up here.
func TestStatements_SECFiguresAreInTheFilingTheyName(t *testing.T) {
	for sym, name := range map[market.Symbol]string{
		"AAPL": "companyfacts-CIK0000320193-AAPL.json.gz", "NVDA": "companyfacts-CIK0001045810-NVDA.json.gz",
	} {
		facts := companyFacts(t, name)
		for _, s := range statementsOf(t, sym) {
			for item, figure := range s.Items {
				if !factMatches(facts[item], s, figure.Value) {
					t.Errorf("%s %d %s = %s stands in no 10-K of the recording", sym, s.FiscalYear, item, figure.Value)
				}
			}
		}
	}
}

func factMatches(facts []fact, s market.Statement, figure decimal.Decimal) bool {
	for _, f := range facts {
		if f.End == s.PeriodEnd.Format("2006-01-02") && f.Form == s.Form && decimal.RequireFromString(f.Val.String()).Equal(figure) {
			return true
		}
	}
	return false
}

func companyFacts(t *testing.T, name string) map[string][]fact {
	t.Helper()
	file, err := os.Open(recordings.Path(t, "market", "sec", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var body struct {
		Facts struct {
			GAAP map[string]struct{ Units map[string][]fact } `json:"us-gaap"`
		}
	}
	if err := json.NewDecoder(unzipped).Decode(&body); err != nil {
		t.Fatal(err)
	}
	found := make(map[string][]fact)
	for item, tags := range map[string][]string{
		market.ItemRevenue:            {"RevenueFromContractWithCustomerExcludingAssessedTax", "Revenues"},
		market.ItemOperatingIncome:    {"OperatingIncomeLoss"},
		market.ItemNetIncome:          {"NetIncomeLoss"},
		market.ItemDilutedEPS:         {"EarningsPerShareDiluted"},
		market.ItemOperatingCashFlow:  {"NetCashProvidedByUsedInOperatingActivities"},
		market.ItemCapitalExpenditure: {"PaymentsToAcquirePropertyPlantAndEquipment", "PaymentsToAcquireProductiveAssets"},
	} {
		for _, tag := range tags {
			for _, facts := range body.Facts.GAAP[tag].Units {
				found[item] = append(found[item], facts...)
			}
		}
	}
	return found
}
