package offline_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// newChartChat is an assistant that has every tool, and the one that draws.
func newChartChat(t *testing.T) *chat { return newChat(t, append([]string{"chart"}, everyTool...)...) }

func chartCall(rest string) string { return `chart{"symbols":[` + rest + "}" }

func TestChart_PhrasesBecomeACallThatDraws(t *testing.T) {
	for _, tt := range []struct {
		question string
		want     []string
	}{
		{"chart AAPL 5y", []string{chartCall(`"AAPL"],"range":"5y"`)}},
		{"Chart AAPL", []string{chartCall(`"AAPL"]`)}},
		{"chart AAPL since March 2015", []string{chartCall(`"AAPL"],"from":"2015-03-01"`)}},
		{"draw Apple and the S&P 500 since 2008", []string{chartCall(`"AAPL","^GSPC"],"from":"2008-01-01"`)}},
		{"plot MSFT ytd", []string{chartCall(`"MSFT"],"range":"ytd"`)}},
		{"Show me a chart of IBM between 2010 and 2015", []string{chartCall(`"IBM"],"from":"2010-01-01","to":"2015-12-31"`)}},
		{"compare AAPL and MSFT in a chart since 2010", []string{chartCall(`"AAPL","MSFT"],"from":"2010-01-01"`)}},
		{"AAPL candles over 1y", []string{chartCall(`"AAPL"],"kind":"candles","range":"1y"`)}},
		{"draw the drawdown of AAPL and MSFT", []string{chartCall(`"AAPL"],"kind":"drawdown"`), chartCall(`"MSFT"],"kind":"drawdown"`)}},
		{"a histogram of the returns of ^GSPC", []string{chartCall(`"^GSPC"],"kind":"histogram"`)}},
		{"Zeichne Apple seit 2010", []string{chartCall(`"AAPL"],"from":"2010-01-01"`)}},

		// What sounds like it and is not.
		{"max drawdown of IBM 2007-2010", []string{returns(`"symbol":"IBM","from":"2007-01-01","to":"2010-12-31"`)}},
		{"how has AAPL done since 2010? with a chart", []string{history(`"symbol":"AAPL","from":"2010-01-01"`), returns(`"symbol":"AAPL","from":"2010-01-01"`)}},
		{"history of MSFT over 5 years", []string{history(`"symbol":"MSFT","range":"5y"`)}},
		{"how do I withdraw money", nil},
		{"draw a picture of a cat", nil},
		{"chart Foobar Industries", nil},
	} {
		m := newChartChat(t).ask(tt.question)
		if diff := cmp.Diff(tt.want, shown(m.ToolCalls)); diff != "" {
			t.Errorf("calls for %q (-want +got):\n%s\n%s", tt.question, diff, m.Content)
		}
	}
}

func TestChart_AFollowUpDrawsAgain(t *testing.T) {
	c := newChartChat(t)
	c.ask("draw AAPL candles since 2015")
	if diff := cmp.Diff([]string{chartCall(`"MSFT"],"kind":"candles","from":"2015-01-01"`)}, shown(c.ask("and MSFT?").ToolCalls)); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	c = newChartChat(t)
	c.ask("AAPL price")
	if diff := cmp.Diff([]string{chartCall(`"AAPL"]`)}, shown(c.ask("now draw it").ToolCalls)); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func TestChart_OfNothingIsAskedBack(t *testing.T) {
	m := newChartChat(t).ask("draw a chart")
	wantEvery(t, m.Content, "I understood that you ask about a chart.", "Of what?")
}

func TestChart_WithoutTheToolFiguresAnswer(t *testing.T) {
	m := newChat(t, everyTool...).ask("draw AAPL 5y")
	if diff := cmp.Diff([]string{history(`"symbol":"AAPL","range":"5y"`)}, shown(m.ToolCalls)); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func TestChart_TheAnswerSaysWhatIsDrawnAndWhereItIsFrom(t *testing.T) {
	c := newChartChat(t)
	c.ask("chart AAPL and MSFT 5y")
	got := c.give(`{"kind":"compare","symbols":["AAPL","MSFT"],"interval":"monthly","from":"2017-05-31","to":"2022-06-28","points":62,
		"sources":[{"currency":"USD","source":"the sample","as_of":"2022-06-28","flags":["sample"],"note":"AAPL in USD"},
		{"currency":"USD","source":"the sample","as_of":"2022-06-28","flags":["sample"],"note":"MSFT in USD"}],"warnings":["one month is missing"]}`).Content
	want := "The chart of **AAPL** and **MSFT** is drawn: monthly closes beside each other, each 100 at the start, from 2017-05-31 to 2022-06-28. Its card shows it.\n\n" +
		"! one month is missing.\n\n" +
		"SAMPLE the sample, as of 2022-06-28. AAPL in USD. MSFT in USD."
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

func TestChart_WhatTheResultLacksIsNotMadeUp(t *testing.T) {
	for _, result := range []string{`{"kind":"spiral","symbols":["AAPL"]}`, `{"symbols":"AAPL","sources":7}`} {
		c := newChartChat(t)
		c.ask("chart AAPL")
		if got := c.give(result).Content; !strings.Contains(got, "n/a") || strings.Contains(got, "spiral") {
			t.Errorf("answer to %s:\n%s", result, got)
		}
	}
}

func TestChart_OneThatCannotBeDrawnSaysWhyOnce(t *testing.T) {
	c := newChartChat(t)
	c.ask("draw AAPL candles")
	got := c.give(`{"error":"nothing drawn: of AAPL only closes are known; draw a line","code":"no_data"}`).Content
	wantEvery(t, got, "`chart`: nothing drawn: of AAPL only closes are known; draw a line.")
	if strings.Contains(got, "is drawn") {
		t.Errorf("a missing chart is mentioned:\n%s", got)
	}
}

func TestConnect_NamesSetupFirst(t *testing.T) {
	got := newChartChat(t).ask("what can you do?").Content
	wantEvery(t, got, "`chart`: prices as a chart", "Try `Chart AAPL 5y`", "type `/setup` in the chat (`nfa setup` outside it)")
	if strings.Index(got, "/setup") > strings.Index(got, "NFA_BASE_URL") {
		t.Errorf("the variables come before /setup:\n%s", got)
	}
}
