package offline_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFollowUp_LeansOnTheQuestionBefore(t *testing.T) {
	for _, tt := range []struct {
		name   string
		before []string
		asked  string
		want   []string
	}{
		{"other dates", []string{"how risky is AAPL since 2010"}, "and since 2015?", []string{returns(`"symbol":"AAPL","from":"2015-01-01"`)}},
		{"another name", []string{"history of AAPL since 2010"}, "what about MSFT?", []string{history(`"symbol":"MSFT","from":"2010-01-01"`)}},
		{"another name, and its dates", []string{"history of AAPL since 2010"}, "and IBM in 2009?", []string{history(`"symbol":"IBM","from":"2009-01-01","to":"2009-12-31"`)}},
		{"one leaning on another", []string{"AAPL price", "and MSFT?"}, "and IBM?", []string{quoteOf("IBM")}},
		{"another question of it", []string{"AAPL price"}, "how risky is it?", []string{returns(`"symbol":"AAPL"`)}},
		{"another question, dates kept", []string{"history of AAPL since 2010"}, "and how risky is it?", []string{returns(`"symbol":"AAPL","from":"2010-01-01"`)}},
		{"a price has no since", []string{"AAPL price"}, "and since 2015?", []string{history(`"symbol":"AAPL","from":"2015-01-01"`), returns(`"symbol":"AAPL","from":"2015-01-01"`)}},
		{"one more to compare", []string{"AAPL vs IBM since 2010"}, "and MSFT?", []string{
			returns(`"symbol":"AAPL","from":"2010-01-01"`), returns(`"symbol":"IBM","from":"2010-01-01"`), returns(`"symbol":"MSFT","from":"2010-01-01"`)}},
		{"compare it with", []string{"how risky is AAPL since 2010"}, "compare it with MSFT", []string{
			returns(`"symbol":"AAPL","from":"2010-01-01"`), returns(`"symbol":"MSFT","from":"2010-01-01"`)}},
		{"the ticker that was asked for", []string{"price of Foobar Industries"}, "fbar", []string{quoteOf("FBAR")}},
		{"a new question stands alone", []string{"how risky is AAPL since 2010"}, "MSFT price", []string{quoteOf("MSFT")}},
		{"small talk between is no matter of symbols", []string{"AAPL price"}, "thanks", nil},
		{"a skill again", []string{"run get-price for IBM"}, "and for MSFT?", []string{`Skill{"name":"get-price"}`}},
		{"nothing before", nil, "and since 2015?", nil},
		{"nonsense is not of the symbol before", []string{"AAPL price"}, "tell me a joke", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newChat(t, everyTool...)
			for _, question := range tt.before {
				c.ask(question)
			}
			m := c.ask(tt.asked)
			if diff := cmp.Diff(tt.want, shown(m.ToolCalls)); diff != "" {
				t.Errorf("calls for %q after %q (-want +got):\n%s\n%s", tt.asked, tt.before, diff, m.Content)
			}
		})
	}
}
