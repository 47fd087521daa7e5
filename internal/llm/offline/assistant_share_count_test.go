package offline_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const twoQuotes = `{"quotes":[{"symbol":"AAPL","name":"Apple Inc.","price":"137.44","currency":"USD","as_of":"2022-06-28","source":"m"},
{"symbol":"MSFT","name":"Microsoft","price":"256.48","currency":"USD","as_of":"2022-06-28","source":"m"}],"errors":[]}`

func sum(expression, result string) string {
	return `{"expression":"` + expression + `","result":"` + result + `","exact":true}`
}

func TestHoldings_AreValuedOneByOneAndTogether(t *testing.T) {
	c := newChat(t, everyTool...)
	c.ask("I have 10 AAPL and 5 shares of MSFT, what is it worth?")
	want := []string{calculation("10 * 137.44"), calculation("5 * 256.48"), calculation("10 * 137.44 + 5 * 256.48")}
	if diff := cmp.Diff(want, shown(c.give(twoQuotes).ToolCalls)); diff != "" {
		t.Fatalf("second step (-want +got):\n%s", diff)
	}
	got := c.give(sum("10 * 137.44", "1374.4"), sum("5 * 256.48", "1282.4"), sum("10 * 137.44 + 5 * 256.48", "2656.8")).Content
	wantEvery(t, got, "- 10 AAPL: **1,374.40 USD**", "- 5 MSFT: **1,282.40 USD**", "- together: **2,656.80 USD**", "137.44 USD")
}

func TestHoldings_OfASkillThatCalculatesAreValuedToo(t *testing.T) {
	c := newChat(t, everyTool...)
	c.ask(activated("portfolio-checkup", "10 AAPL, 5 MSFT", "---\nname: portfolio-checkup\ntools_required: [quote, calculate]\n---\n"))
	if got := shown(c.give(twoQuotes).ToolCalls); len(got) != 3 || got[0] != calculation("10 * 137.44") {
		t.Fatalf("second step = %v, want three calculations", got)
	}
}

func TestHoldings_DifferentCurrenciesHaveNoSum(t *testing.T) {
	c := newChat(t, everyTool...)
	c.ask("what are 10 AAPL and 5 $SAP worth?")
	m := c.give(`{"quotes":[{"symbol":"AAPL","price":"2","currency":"USD"},{"symbol":"SAP","price":"3","currency":"EUR"}]}`)
	if diff := cmp.Diff([]string{calculation("10 * 2"), calculation("5 * 3")}, shown(m.ToolCalls)); diff != "" {
		t.Fatalf("second step (-want +got):\n%s", diff)
	}
	wantEvery(t, c.give(sum("10 * 2", "20"), sum("5 * 3", "15")).Content, "- 10 AAPL: **20.00 USD**", "no sum, because they are not in one currency")
}

func TestHoldings_NotUsedIsSaid(t *testing.T) {
	c := newChat(t, "quote")
	c.ask("what are 10 AAPL worth?")
	wantEvery(t, c.give(twoQuotes).Content, "! The numbers of shares were not used.")
	wantAbsent(t, answered(t, "what was AAPL worth", twoQuotes), "numbers of shares")
}

func TestHoldings_NamedTwiceAreAdded(t *testing.T) {
	c := newChat(t, everyTool...)
	c.ask("what are 10 AAPL, 5 AAPL and 1,000 AAPL worth?")
	if got := shown(c.give(twoQuotes).ToolCalls); !cmp.Equal(got, []string{calculation("(10 + 5 + 1000) * 137.44")}) {
		t.Errorf("second step = %v", got)
	}
}
