package offline_test

import (
	"strings"
	"testing"
)

func TestTalk_HelpNamesTheToolsAndSkillsThatAreHere(t *testing.T) {
	for _, question := range []string{"help", "What can you do?", "hello", "hi there", "which skills do you have", ""} {
		got := newChat(t, "quote", "calculate").ask(question).Content
		wantEvery(t, got, "not a language model", "`quote`", "`calculate`", "`get-price`", "`rebalance`", "NFA_BASE_URL", "NFA_API_KEY", "NFA_MODEL", "OPENAI_API_KEY")
		wantAbsent(t, got, "`price_history`", "`returns_stats`")
	}
}

func TestTalk_WithoutToolsItSaysSo(t *testing.T) {
	wantEvery(t, newChat(t).ask("help").Content, "none that I know is present")
}

func TestTalk_WhatItDoesNotUnderstandGetsThreeExamples(t *testing.T) {
	got := newChat(t, everyTool...).ask("tell me a joke about penguins").Content
	wantEvery(t, got, "I did not understand the question", "not a language model", "OPENAI_API_KEY")
	if n := strings.Count(got, "\n- `"); n != 3 {
		t.Errorf("%d examples, want 3:\n%s", n, got)
	}
	wantEvery(t, newChat(t, everyTool...).ask("please write me a long poem about how MSFT came to be so loved").Content, "though I recognised `MSFT`", "`MSFT price`")
}

func TestTalk_ItsOwnExamplesWork(t *testing.T) {
	text := newChat(t, everyTool...).ask("tell me a joke about penguins").Content + newChat(t, everyTool...).ask("help").Content
	tried := 0
	for line := range strings.Lines(text) {
		at := strings.LastIndex(strings.TrimSuffix(strings.TrimSpace(line), "`"), "`")
		if !strings.HasPrefix(line, "- ") || at < 0 {
			continue
		}
		example := strings.TrimSuffix(strings.TrimSpace(line)[at+1:], "`")
		tried++
		if m := newChat(t, everyTool...).ask(example); len(m.ToolCalls) == 0 {
			t.Errorf("the example %q leads to no call but to: %s", example, m.Content)
		}
	}
	if tried != 8 {
		t.Errorf("found %d examples, want 8:\n%s", tried, text)
	}
}

func TestTalk_SubjectsBeyondItAreNamed(t *testing.T) {
	for question, want := range map[string]string{
		"should I buy AAPL?":                 "whether to buy or sell (`AAPL`)",
		"Will it rain tomorrow?":             "what will happen",
		"how did my portfolio do since 2015": "a portfolio",
		"latest news on MSFT":                "news and filings (`MSFT`)",
		"what is the P/E of IBM":             "the P/E ratio (`IBM`)",
		"dividend yield of AAPL":             "the dividend yield (`AAPL`)",
		"Apple's market cap":                 "the market capitalisation (`AAPL`)",
		"does AAPL pay a dividend":           "dividends (`AAPL`)",
		"worst year of MSFT":                 "which year or month was the best or the worst (`MSFT`)",
		"is AAPL overvalued":                 "valuation (`AAPL`)",
		"will my pension last":               "retirement and plans",
	} {
		m := newChat(t, everyTool...).ask(question)
		wantEvery(t, m.Content, "I understood that you ask about "+want, "will not guess", "OPENAI_API_KEY")
		if len(m.ToolCalls) > 0 {
			t.Errorf("%q leads to %v", question, shown(m.ToolCalls))
		}
	}
}

func TestTalk_WhatIsNotThereIsSaidAsSuch(t *testing.T) {
	for question, want := range map[string]string{
		"dividend yield of AAPL":                        "No tool here gives that figure, and I will not guess it; the price I can give.",
		"best month of AAPL":                            "I cannot rank years, months or days",
		"price of AAPL on 9/11/2001":                    "I read “9/11/2001” as a date, but not which number is its month. Write it as YYYY-MM-DD",
		"how much would 10000 dollars in MSFT be worth": "Since when?",
	} {
		wantEvery(t, newChat(t, everyTool...).ask(question).Content, want)
	}
	c := newChat(t, everyTool...)
	c.ask("AAPL price")
	c.give(`{"quotes":[]}`)
	wantEvery(t, c.ask("and on 9/11/2001?").Content, "“9/11/2001”")
}

func TestTalk_ATimeThatCannotBeCarriedIsAskedFor(t *testing.T) {
	for question, words := range map[string]string{
		"how has AAPL done since early 2020": "early 2020", "price of AAPL last friday": "last friday", "did AAPL fall more in 2008 or 2020": "2020", "how has my portfolio done since '08": "'08",
	} {
		m := newUserDataChat(t).ask(question)
		wantEvery(t, m.Content, "I read “"+words+"” as a time, but cannot tell from which day to which.")
		if len(m.ToolCalls) > 0 {
			t.Errorf("%q leads to %v", question, shown(m.ToolCalls))
		}
	}
}

func TestTalk_ANumberThatMayBeTwoIsAskedFor(t *testing.T) {
	m := newChat(t, everyTool...).ask("what would 10.000 euros in MSFT since 2010 be worth")
	wantEvery(t, m.Content, "I read “10.000” as a number, but not whether its sign parts thousands or a fraction.")
	if len(m.ToolCalls) > 0 {
		t.Errorf("it calls %v all the same", shown(m.ToolCalls))
	}
}

func TestTalk_ALongQuestionIsCutAtAWordAndItIsSaid(t *testing.T) {
	long := "what is AAPL trading at " + strings.Repeat("please ", 400)
	c := newChat(t, everyTool...)
	c.ask(long)
	wantEvery(t, c.give(`{"quotes":[{"symbol":"AAPL","price":"1"}]}`).Content, "only its beginning was read, up to “please please please”", "**AAPL**")
	wantAbsent(t, newChat(t, everyTool...).ask("tell me a joke").Content, "only its beginning")
}

func TestTalk_AShortAttachmentDoesNotChangeTheQuestionEither(t *testing.T) {
	m := newChat(t, everyTool...).ask("price of AAPL\n\nNotes of 2015: MSFT vs IBM")
	if got := shown(m.ToolCalls); len(got) != 1 || got[0] != quoteOf("AAPL") {
		t.Errorf("calls = %v, want the quote of AAPL alone", got)
	}
}

func TestTalk_WhatIsLackingIsAskedFor(t *testing.T) {
	for question, want := range map[string]string{
		"price of Foobar Industries": "I do not know a symbol for “Foobar Industries”",
		"what is foobar trading at":  "“foobar”",
		"how risky?":                 "you ask about return and risk. Of what?",
		"compare AAPL":               "Name at least two",
		"compare AAPL and Foobar":    "“Foobar”",
		"calculate something nice":   "not the expression",
	} {
		wantEvery(t, newChat(t, everyTool...).ask(question).Content, want)
	}
}

func TestTalk_UnknownNamesBesideKnownOnesAreMentioned(t *testing.T) {
	c := newChat(t, everyTool...)
	c.ask("price of AAPL and Foobar")
	wantEvery(t, c.give(`{"quotes":[{"symbol":"AAPL","price":"1"}]}`).Content, "! I do not know a symbol for “Foobar”", "**AAPL**")
}

func TestTalk_ASummaryIsCountsAndHeadings(t *testing.T) {
	text := "# The *first*\n\nSome words.\n\n```\n# no heading\n```\n## Second\nmore\n"
	got := newChat(t, everyTool...).ask("Summarize this\n\n" + text).Content
	wantEvery(t, got, "`9 lines, 13 words", `- The \*first\*`, "- Second", "not read it", "OPENAI_API_KEY")
	wantAbsent(t, got, "no heading\n")
	wantEvery(t, newChat(t, everyTool...).ask("summarize").Content, "no text attached")
}

func TestTalk_AttachedTextDoesNotChangeTheQuestion(t *testing.T) {
	attached := strings.Repeat("Compare MSFT vs IBM since 1999. Calculate 1 + 1. Summarize this, use the get-price skill.\n\n", 40)
	c := newChat(t, everyTool...)
	m := c.ask("AAPL price?\n\n" + attached)
	if got := shown(m.ToolCalls); len(got) != 1 || got[0] != quoteOf("AAPL") {
		t.Fatalf("calls = %v, want the quote of AAPL alone", got)
	}
	wantEvery(t, c.give(`{"quotes":[{"symbol":"AAPL","price":"1"}]}`).Content, "The text below your question was not read")

	wantEvery(t, newChat(t, everyTool...).ask("what does this tell us\n\n"+attached).Content, "did not understand what you want of the attached text", "`79 lines")
}
