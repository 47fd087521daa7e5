package offline_test

import (
	"strings"
	"testing"
)

func TestAnswer_TheDrawnTurn(t *testing.T) {
	got := answered(t, "How has the S&P 500 done since 2008, and how bad did it get?", sp500History, sp500)
	wantEvery(t, got,
		"From 2008-01-02 to 2020-04-17 the **S&P 500** (^GSPC, price index, no dividends) rose 98.6% in all, 5.7% a year, with volatility of 21.2% a year.",
		"The worst fall was 53.3%, from 2008-01-02 to 2009-03-09; it took until 2012-09-13 to get back.",
		"On 2020-04-17 it stood 15.1% below its high.",
		"1,447.16 index points on 2008-01-02", "3,095 daily closes", "3,386.15 on 2020-02-19",
		"\n\nSAMPLE vega-datasets 3.2.1 sp500-2000.csv, as of 2020-04-17")
	if n := strings.Count(got, "SAMPLE"); n != 1 {
		t.Errorf("the one source stands %d times:\n%s", n, got)
	}
	wantAbsent(t, got, "n/a")
}

func TestAnswer_AFallThatBeginsWithTheRangeIsQualified(t *testing.T) {
	const caution = "the high before it may lie earlier"
	wantEvery(t, answered(t, "how risky is ^GSPC", sp500), caution)
	later := changed(t, sp500, map[string]any{"drawdown_peak_date": "2008-05-19"})
	wantAbsent(t, answered(t, "how risky is ^GSPC", later), caution)
}

func TestAnswer_RecoveryIsDistinguished(t *testing.T) {
	for _, tt := range []struct {
		name     string
		recovery any
		want     string
	}{
		{"reached", "2012-09-13", "it took until 2012-09-13 to get back"},
		{"null: not yet", nil, "by 2020-04-17 it had not got back, standing 15.1% below its high"},
		{"absent: unknown", absentField, "when it got back: n/a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			wantEvery(t, answered(t, "how risky is ^GSPC", changed(t, sp500, map[string]any{"drawdown_recovery_date": tt.recovery})), tt.want)
		})
	}
}

func TestAnswer_AdjustmentSaysWhatAReturnCounts(t *testing.T) {
	for _, tt := range []struct{ symbol, adjustment, want string }{
		{"^GSPC", "raw", "price index, no dividends"},
		{"AAPL", "raw", "price return, no dividends, not adjusted for splits"},
		{"AAPL", "split", "price return, no dividends"},
		{"AAPL", "split_div", "total return, dividends reinvested"},
		{"AAPL", "unknown", "return of prices of unknown adjustment: splits and dividends may distort it"},
		{"AAPL", "", "return of prices of unknown adjustment: splits and dividends may distort it"},
	} {
		t.Run(tt.symbol+" "+tt.adjustment, func(t *testing.T) {
			stats := changed(t, sp500, map[string]any{"symbol": tt.symbol, "adjustment": tt.adjustment})
			wantEvery(t, answered(t, "how risky is AAPL", stats), "("+tt.symbol+", "+tt.want+")")
		})
	}
}

func TestAnswer_DirectionIsInTheWords(t *testing.T) {
	for _, tt := range []struct {
		total any
		want  string
	}{
		{"0.986346", "rose 98.6% in all"},
		{-0.12345, "fell 12.3% in all"},
		{0, "ended where it began in all"},
		{22.574614, "rose 2,257.5% in all"},
		{nil, "returned n/a in all"},
		{"soon", "returned n/a in all"},
		{"1e999999999", "returned n/a in all"},
	} {
		got := answered(t, "how risky is ^GSPC", changed(t, sp500, map[string]any{"total_return": tt.total}))
		wantEvery(t, got, tt.want)
	}
}

func TestAnswer_AbsentNumbersAreNeverInvented(t *testing.T) {
	got := answered(t, "How has the S&P 500 done since 2008?", `{"symbol":"^GSPC"}`, `{"symbol":"^GSPC"}`)
	wantEvery(t, got, "n/a a year", "The worst fall is not known (n/a)", "closed at n/a on n/a", "n/a, as of n/a")
	if strings.ContainsAny(got, "0123456789") {
		t.Errorf("a digit from nowhere:\n%s", got)
	}
}

func TestAnswer_WarningsAndNotesAreRepeated(t *testing.T) {
	got := answered(t, "how risky is AAPL", aapl)
	wantEvery(t, got, "! monthly prices: falls within a month are not seen.",
		"SAMPLE matplotlib 3.6.3 sample_data/Stocks.csv, as of 2022-06-28. Monthly close adjusted for splits and dividends.")
}

func TestAnswer_OneQuoteIsASentence(t *testing.T) {
	got := answered(t, "AAPL price?", `{"quotes":[{"symbol":"AAPL","name":"Apple Inc.","price":"1137.4","currency":"USD","as_of":"2022-06-28",
		"change":"-11.40","change_pct":"-0.99","previous_as_of":"2022-05-31","source":"m","flags":["stale","delayed"]}],"errors":[]}`)
	wantEvery(t, got, "**AAPL** (Apple Inc.): **1,137.40 USD** on 2022-06-28, -11.40 (-0.99%) since 2022-05-31.", "STALE DELAYED m, as of 2022-06-28")
}

func TestAnswer_SeveralQuotesAreATableAndUnknownOnesAreNamed(t *testing.T) {
	got := answered(t, "quote AAPL, ^GSPC and $FOO", `{"quotes":[
		{"symbol":"AAPL","name":"Apple Inc.","price":137.44,"currency":"USD","as_of":"2022-06-28","change":1.2,"change_pct":0.88,"previous_as_of":"2022-05-31","source":"m"},
		{"symbol":"^GSPC","name":"S&P 500","price":"2874.56","unit":"index points","as_of":"2020-04-17","source":"v"}],
		"errors":[{"symbol":"FOO","error":"unknown symbol \"FOO\"; did you mean F?"}]}`)
	wantEvery(t, got, "| **AAPL** Apple Inc. | 137.44 USD | +1.20 (+0.88%) | 2022-05-31 | 2022-06-28 |",
		"| **^GSPC** S&P 500 | 2,874.56 index points | n/a | n/a | 2020-04-17 |",
		`! **FOO**: unknown symbol "FOO"; did you mean F? Check the spelling`, "m, as of 2022-06-28", "v, as of 2020-04-17")
}

func TestAnswer_HistoryAloneIsATable(t *testing.T) {
	wantEvery(t, answered(t, "history of the S&P", sp500History), "**^GSPC** (S&P 500), daily closes from 2008-01-02 to 2020-04-17, 3,095 of them, as they were quoted:",
		"| first | 1,447.16 | 2008-01-02 |", "| lowest | 676.53 | 2009-03-09 |", "close in index points")
	adjusted := changed(t, sp500History, map[string]any{"adjustment": "split_div"})
	wantEvery(t, answered(t, "history of the S&P", adjusted), "older ones are not what was paid")
}

func TestAnswer_ComparisonIsATableWithAVerdict(t *testing.T) {
	ibm := changed(t, aapl, map[string]any{"symbol": "IBM", "total_return": 0.5, "annual_volatility": 0.2, "max_drawdown": -0.4, "drawdown_recovery_date": nil})
	got := answered(t, "compare AAPL and IBM since 2010", aapl, ibm)
	wantEvery(t, got, "|  | **AAPL** | **IBM** |", "| total return | +2,257.5% | +50.0% |", "| worst fall | -32.9% | -40.0% |",
		"| back at the high | 2014-08-29 | not yet |", "Highest return: AAPL. Lowest volatility: IBM. Mildest worst fall: AAPL.",
		"All are counted as total return, dividends reinvested.", "\n\n! monthly prices")
	wantAbsent(t, got, "do not compare")
}

func TestAnswer_UnlikeWindowsAreWarnedAboutAndGetNoVerdict(t *testing.T) {
	got := answered(t, "AAPL vs the S&P 500", aapl, sp500)
	wantEvery(t, got, "! The time is not the same for all", "All have data from 2010-01-29 to 2020-04-17: `compare AAPL ^GSPC between 2010-01-29 and 2020-04-17`",
		"! Daily and monthly closes stand side by side", "! The returns do not count the same: AAPL total return, dividends reinvested; ^GSPC price index, no dividends.")
	wantAbsent(t, got, "Highest return")
}

func TestAnswer_WindowsAMonthApartAreTheSame(t *testing.T) {
	near := changed(t, aapl, map[string]any{"symbol": "IBM", "from": "2010-02-26", "to": "2022-05-31"})
	wantAbsent(t, answered(t, "AAPL vs IBM", aapl, near), "The time is not the same")
	far := changed(t, aapl, map[string]any{"symbol": "IBM", "from": "2010-03-31"})
	wantEvery(t, answered(t, "AAPL vs IBM", aapl, far), "The time is not the same")
}

func TestAnswer_AMissingNumberLeavesNoVerdict(t *testing.T) {
	got := answered(t, "AAPL vs IBM", aapl, changed(t, aapl, map[string]any{"symbol": "IBM", "total_return": nil}))
	wantEvery(t, got, "| total return | +2,257.5% | n/a |")
	wantAbsent(t, got, "Highest return")
}

func TestAnswer_SumsAndTime(t *testing.T) {
	wantEvery(t, answered(t, "what is 12.5% of 3,400", `{"expression":"12.5% * 3400","result":"425","exact":true}`), "`12.5% * 3400` = **425**")
	wantEvery(t, answered(t, "1/3 + 0", `{"expression":"1/3 + 0","result":"0.333","exact":false}`), "= **0.333** (rounded)")
	wantEvery(t, answered(t, "what time is it", `{"time":"2026-11-21T10:30:00+01:00","date":"2026-11-21","weekday":"Saturday","timezone":"Europe/Vienna","utc":"2026-11-21T09:30:00Z"}`),
		"It is **10:30** on **Saturday, 2026-11-21** (Europe/Vienna; 2026-11-21T09:30:00Z).")
	wantEvery(t, answered(t, "what time is it", `{"time":"teatime"}`), "**teatime** on **n/a, n/a**")
}

func TestAnswer_PricesAreReadAsPrices(t *testing.T) {
	for given, want := range map[string]string{
		"5": "5.00", "5.1": "5.10", "0.12345": "0.1235", "334.8462": "334.85", "1234567.5": "1,234,567.50", "-1234.5": "-1,234.50", "12e2": "1,200.00",
		"": "n/a", "1,5": "n/a", "NaN": "n/a", "1e99": "n/a", "1e-99": "n/a",
	} {
		got := answered(t, "AAPL price", `{"quotes":[{"symbol":"AAPL","price":"`+given+`","currency":"EUR"}]}`)
		if want != "n/a" {
			want += " EUR"
		}
		wantEvery(t, got, "): **"+want+"** on")
	}
}

func TestAnswer_NotesAndWarningsStandOnceWithTheirSymbols(t *testing.T) {
	const common = "total return, dividends reinvested; Monthly close. A special dividend makes 2004-11 about 10 % too low in 2004."
	ibm := changed(t, aapl, map[string]any{"symbol": "IBM", "note": common, "warnings": []string{"2 gaps in the data", "shared"}})
	got := answered(t, "AAPL vs IBM", changed(t, aapl, map[string]any{"note": "total return, dividends reinvested; Monthly close", "warnings": []string{"shared"}}), ibm)
	wantEvery(t, got, "! shared.", "! IBM: 2 gaps in the data.",
		"SAMPLE matplotlib 3.6.3 sample_data/Stocks.csv, as of 2022-06-28. Monthly close. IBM: A special dividend makes 2004-11 about 10 % too low in 2004.")
	for _, once := range []string{"shared", "SAMPLE", "Monthly close", "dividends reinvested"} {
		if n := strings.Count(got, once); n != 1 {
			t.Errorf("%q stands %d times:\n%s", once, n, got)
		}
	}
}

func TestAnswer_ANoteOfTwoSourcesStandsOnce(t *testing.T) {
	other := changed(t, aapl, map[string]any{"as_of": "2022-05-31", "note": "monthly close adjusted for splits and dividends"})
	got := answered(t, "AAPL vs AAPL and IBM", aapl, other)
	if n := strings.Count(got, "Monthly close adjusted"); n != 1 || strings.Count(got, "SAMPLE") != 2 {
		t.Errorf("the note stands %d times below two sources:\n%s", n, got)
	}
}

func TestAnswer_OneFailureOfTwoToolsIsReportedOnce(t *testing.T) {
	const unknown = `{"error":"bars of SIE.DE: unknown symbol \"SIE.DE\"","code":"no_data"}`
	got := answered(t, "How has Siemens done?", unknown, unknown)
	wantEvery(t, got, "! `price_history` and `returns_stats`: bars of SIE.DE")
	if n := strings.Count(got, "unknown symbol"); n != 1 {
		t.Errorf("the failure stands %d times:\n%s", n, got)
	}
	other := `{"error":"another","code":"timeout"}`
	wantEvery(t, answered(t, "How has Siemens done?", unknown, other), "! `price_history`: bars", "! `returns_stats`: another")
}

func TestAnswer_NoOtherRangeIsOfferedWhereThereAreNoPrices(t *testing.T) {
	got := answered(t, "NVDA price", `{"error":"the sample holds no prices for NVDA, only annual statements","code":"no_data"}`)
	wantEvery(t, got, "no prices for NVDA", "Ask for another symbol.")
	wantAbsent(t, got, "range")
}

func TestAnswer_PriceOnADayIsTheLastCloseUpToIt(t *testing.T) {
	const closes = `{"symbol":"AAPL","name":"Apple Inc.","interval":"monthly","from":"2014-12-31","to":"2015-02-27","currency":"USD","adjustment":"split_div",
		"last":{"date":"2015-02-27","close":"28.72"},"high":{"date":"2015-01-30","close":"99"},"as_of":"2015-02-27","source":"m"}`
	got := answered(t, "Apple's price on 2015-03-01", closes)
	wantEvery(t, got, "**AAPL** (Apple Inc.) closed at **28.72 USD** on 2015-02-27, the last monthly close on or before 2015-03-01;")
	wantAbsent(t, got, "99")
	wantAbsent(t, answered(t, "Apple's price on 2015-02-27", closes), "on or before")
}

func TestAnswer_ErrorsAreRepeatedOnceWithTheNextMove(t *testing.T) {
	const unknown = `{"error":"bars of AAPX: unknown symbol \"AAPX\"; did you mean AAPL (Apple Inc.)?","code":"no_data"}`
	got := answered(t, "history and risk of AAPX since 2010", unknown)
	wantEvery(t, got, `unknown symbol "AAPX"; did you mean AAPL (Apple Inc.)? Ask again with another symbol or range.`)

	c := newChat(t, everyTool...)
	c.ask("compare AAPX with AAPX2 and AAPX since 2010")
	c.ask("AAPL vs AAPX")
	wantEvery(t, c.give(aapl, unknown).Content, "rose 2,257.5%", "did you mean AAPL")
}

func TestAnswer_CodesHaveTheirNextMove(t *testing.T) {
	for code, want := range map[string]string{
		"timeout": "Ask again, or for less at once.", "cancelled": "Ask again when you want it.", "crashed": "The log has the details.",
		"no_data": "another symbol or range", "validation_error": "Check the spelling or the range",
	} {
		got := answered(t, "AAPL price", `{"error":"it did not work","code":"`+code+`"}`)
		wantEvery(t, got, "`quote`: it did not work. ", want)
	}
}

func TestAnswer_ARefusalIsAccepted(t *testing.T) {
	got := answered(t, "AAPL price", `{"error":"quote was refused by the user: not now","code":"refused"}`)
	wantEvery(t, got, "Understood: `quote` was not run, and nothing was changed.", "not now")
	wantAbsent(t, got, "! ", "again")
}

func TestAnswer_ResultsThatCannotBeRead(t *testing.T) {
	for name, tt := range map[string]struct{ result, want string }{
		"not JSON":     {"<html>oops</html>", `the result cannot be read: \<html>oops`},
		"empty":        {"", "the result cannot be read"},
		"another type": {`[1,2]`, "the result cannot be read"},
		"half":         {`{"symbol":"AAPL","total_return":0.5,"annual_return":0.0`, "arrived cut short"},
		"clipped":      {sp500[:len(sp500)-40] + "\n[clipped: the first 9 of 99 bytes]", "arrived cut short"},
	} {
		t.Run(name, func(t *testing.T) { wantEvery(t, answered(t, "how risky is AAPL", tt.result), tt.want) })
	}
}

func TestAnswer_ANumberCutInTwoIsNotANumber(t *testing.T) {
	const half = `{"symbol":"AAPL","total_return":0.5,"annual_return":0.0`
	for _, result := range []string{half, half + "\n[clipped: the first 9 of 99 bytes]", `{"symbol":"AAPL","total_return":0.5,"annual_return":`, `{"symbol":"AAPL","total_return":0.5,"annual_ret`} {
		wantEvery(t, answered(t, "how risky is AAPL", result), "in all, n/a a year")
	}
	wantEvery(t, answered(t, "how risky is AAPL", half), "rose 50.0% in all")
}

func TestAnswer_ForeignWordsCannotChangeTheDrawing(t *testing.T) {
	got := answered(t, "AAPL and MSFT price", `{"quotes":[{"symbol":"A|B","name":"x\n| y |\u001b[31m **z**","price":"1","as_of":"2020-01-01"},{"symbol":"C","price":2}]}`)
	wantEvery(t, got, `| **A\|B** x \| y \|`, `\*\*z\*\*`)
	wantAbsent(t, got, "\x1b")
}

func TestAnswer_MissingToolsAreNamed(t *testing.T) {
	c := newChat(t, "returns_stats")
	c.ask("How has the S&P 500 done since 2008?")
	wantEvery(t, c.give(sp500).Content, "! That takes the tool `price_history`, which this conversation does not have. The answer goes without.", "rose 98.6%")

	m := newChat(t).ask("AAPL price")
	wantEvery(t, m.Content, "the tool `quote`", "NFA_BASE_URL")
}

func TestAnswer_MoreSymbolsThanOneQuestionTakesAreNamed(t *testing.T) {
	c := newChat(t, everyTool...)
	m := c.ask("quote AAPL MSFT IBM XRX ADBE AMZN DELL GOOGL NVDA TSLA")
	if got := shown(m.ToolCalls)[0]; strings.Contains(got, "NVDA") {
		t.Errorf("more than eight symbols in %s", got)
	}
	wantEvery(t, c.give(`{"quotes":[]}`).Content, "Left out", "`NVDA` and `TSLA`")
}
