package offline_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/golden"
	"github.com/nfa-cli/nfa/internal/llm/offline"
)

// outcomeOf is what a tool gave.
func outcomeOf(tool, result string) offline.ToolOutcome {
	return offline.ParseToolOutcome(tool, result, strings.HasPrefix(result, `{"error"`))
}

var wantAll, wantNone = golden.Contains, golden.NotContains

const appleQuote = `{"quotes":[{"symbol":"AAPL","name":"Apple Inc.","price":"137.44","currency":"USD","as_of":"2022-06-28","source":"m","flags":["sample"]}]}`

func TestOutcome_WhatWentWrongIsInTheToolsWords(t *testing.T) {
	for _, tt := range []struct {
		name, content string
		isError       bool
		err, code     string
	}{
		{"a result", appleQuote, false, "", ""},
		{"an error with its code", `{"error":"no such thing","code":"no_data"}`, true, "no such thing", "no_data"},
		{"an error in plain words", "boom\nbang", true, "boom bang", ""},
		{"no JSON", "<html>", false, "the result cannot be read: <html>", ""},
		{"nothing", "", false, "the result cannot be read: ", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := offline.ParseToolOutcome(offline.ToolQuote, tt.content, tt.isError)
			if o.Err != tt.err || o.Code != tt.code {
				t.Errorf("error %q with code %q, want %q with %q", o.Err, o.Code, tt.err, tt.code)
			}
		})
	}
}

func TestWrite_TheFindingThenWhatWentWrongThenTheSources(t *testing.T) {
	got := offline.WriteAnswer(offline.AnswerInput{}, []offline.ToolOutcome{outcomeOf(offline.ToolQuote, appleQuote), outcomeOf(offline.ToolTime, `{"error":"no clock"}`)}, "first", "second")
	want := "first\n\nsecond\n\n**AAPL** (Apple Inc.): **137.44 USD** on 2022-06-28.\n\n! `current_time`: no clock. Check the spelling or the range, and ask again.\n\nSAMPLE m, as of 2022-06-28"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

func TestWrite_OfNothingIsSaid(t *testing.T) {
	wantAll(t, offline.WriteAnswer(offline.AnswerInput{}, nil), "The tools gave no result")
}

func TestSums_AreFoundAgainByTheAnswer(t *testing.T) {
	a := offline.AnswerInput{ShareCounts: []offline.AnswerShares{{Symbol: "AAPL", Shares: "10"}}}
	quoted := outcomeOf(offline.ToolQuote, appleQuote)
	sums := a.Calculations([]offline.ToolOutcome{quoted})
	if diff := cmp.Diff([]string{"10 * 137.44"}, sums); diff != "" {
		t.Fatalf("sums (-want +got):\n%s", diff)
	}
	got := offline.WriteAnswer(a, []offline.ToolOutcome{quoted, outcomeOf(offline.ToolCalculate, `{"expression":"10 * 137.44","result":"1374.4"}`)})
	wantAll(t, got, "- 10 AAPL: **1,374.40 USD**")
	wantNone(t, got, "`10 * 137.44` =")
}

func TestSums_OfWhatFailedAreNone(t *testing.T) {
	for _, a := range []offline.AnswerInput{{Amount: "100"}, {ShareCounts: []offline.AnswerShares{{Symbol: "AAPL", Shares: "10"}}}, {}} {
		if sums := a.Calculations([]offline.ToolOutcome{outcomeOf(offline.ToolQuote, `{"error":"down"}`), outcomeOf(offline.ToolReturns, `{"symbol":"AAPL"}`)}); len(sums) > 0 {
			t.Errorf("%+v: sums %v", a, sums)
		}
	}
}

func TestWorkflow_OnlyACompletedRunIsSaidToHaveRun(t *testing.T) {
	wantAll(t, offline.WriteWorkflow("twice", []offline.ToolOutcome{outcomeOf("skill_twice", `{"completed":true,"shown":"it is **6**"}`)}), "The steps of the skill `twice` were run", "it is **6**")
	wantAll(t, offline.WriteWorkflow("twice", []offline.ToolOutcome{outcomeOf("skill_twice", `{"error":"no","code":"refused"}`)}), "was not run")
}

func TestObject_IsReadAsFarAsItCame(t *testing.T) {
	o := offline.DecodeResult(`{"name":"a\nb","list":["x",3," ","y"],"inner":{"b":1,"a":{"c":2},"b2":[]},"cut":12.5`)
	if o.Text("name") != "a b" || o.Raw("name") != "a\nb" || o.Text("cut") != "" || o.Text("none") != "" {
		t.Errorf("name %q, raw %q, what was cut %q, what is not there %q", o.Text("name"), o.Raw("name"), o.Text("cut"), o.Text("none"))
	}
	if diff := cmp.Diff([]string{"x", "y"}, o.Texts("list")); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"b", "a", "b2"}, o.Keys("inner")); diff != "" || o.Object("inner").Object("a").Text("c") != "2" {
		t.Errorf("keys of the object within (-want +got):\n%s", diff)
	}
	if keys := o.Keys("name"); keys != nil {
		t.Errorf("a text has the keys %v", keys)
	}
}

const msft = `{"symbol":"MSFT","from":"2010-01-04","to":"2022-06-28","interval":"daily","total_return":4.5,"annual_volatility":0.2,"max_drawdown":-0.3,"currency":"USD","adjustment":"split","source":"m","as_of":"2022-06-28"}`

func TestWrite_AnAmountInAnotherCurrencyIsSaidToBeCountedAsThisOne(t *testing.T) {
	const sum = `{"expression":"round(100 * (1 + 4.5), 2)","result":"550"}`
	outcomes := []offline.ToolOutcome{outcomeOf(offline.ToolReturns, msft), outcomeOf(offline.ToolCalculate, sum)}
	const counted = "! The amount is counted as if it were USD: what moved between EUR and USD is not in it."
	wantAll(t, offline.WriteAnswer(offline.AnswerInput{Amount: "100", Currency: "EUR"}, outcomes), counted, "**550.00 USD**")
	wantNone(t, offline.WriteAnswer(offline.AnswerInput{Amount: "100", Currency: "USD"}, outcomes), "counted as if")
}

func TestWrite_ReturnsInUnlikeCurrenciesGetNoVerdict(t *testing.T) {
	sap := strings.NewReplacer("MSFT", "SAP", "USD", "EUR", "4.5", "9.5", "0.2", "0.25", "-0.3", "-0.35").Replace(msft)
	got := offline.WriteAnswer(offline.AnswerInput{}, []offline.ToolOutcome{outcomeOf(offline.ToolReturns, msft), outcomeOf(offline.ToolReturns, sap)})
	wantAll(t, got, "what moved between currencies is in none: MSFT USD; SAP EUR.")
	wantNone(t, got, "Highest return")
	like := offline.WriteAnswer(offline.AnswerInput{}, []offline.ToolOutcome{outcomeOf(offline.ToolReturns, msft), outcomeOf(offline.ToolReturns, strings.ReplaceAll(sap, "EUR", "USD"))})
	wantAll(t, like, "Highest return: SAP")
	wantNone(t, like, "between currencies")
}

// A close that was adjusted for dividends is not what was paid on its day.
func TestWrite_ClosesBesideReturnsSayWhatWasDoneToThem(t *testing.T) {
	const history = `{"symbol":"MSFT","interval":"daily","count":2,"currency":"USD","adjustment":"split_div","first":{"date":"2010-01-04","close":"23.30"},"last":{"date":"2022-06-28","close":"256.48"}}`
	got := offline.WriteAnswer(offline.AnswerInput{}, []offline.ToolOutcome{outcomeOf(offline.ToolHistory, history), outcomeOf(offline.ToolReturns, msft)})
	wantAll(t, got, "It closed at 23.30 USD on 2010-01-04", "prices adjusted for splits and dividends, so older ones are not what was paid.")
}

func TestWrite_APriceThatIsNotNothingIsNotWrittenAsNothing(t *testing.T) {
	for given, want := range map[string]string{"0.00001234": "0.00001234", "0.0000123456789": "0.00001235", "0.05": "0.05", "0.006634": "0.006634", "0": "0.00", "1e-20": "0.00000000000000000001"} {
		got := offline.WriteAnswer(offline.AnswerInput{}, []offline.ToolOutcome{outcomeOf(offline.ToolQuote, `{"quotes":[{"symbol":"X","price":"`+given+`","currency":"USD"}]}`)})
		wantAll(t, got, "): **"+want+" USD** on")
	}
}

func TestSums_OfUnknownUnitsAreNotAddedUp(t *testing.T) {
	a := offline.AnswerInput{ShareCounts: []offline.AnswerShares{{Symbol: "A", Shares: "1"}, {Symbol: "B", Shares: "2"}}}
	quoted := outcomeOf(offline.ToolQuote, `{"quotes":[{"symbol":"A","price":"10"},{"symbol":"B","price":"20"}]}`)
	if diff := cmp.Diff([]string{"1 * 10", "2 * 20"}, a.Calculations([]offline.ToolOutcome{quoted})); diff != "" {
		t.Errorf("sums (-want +got):\n%s", diff)
	}
}
