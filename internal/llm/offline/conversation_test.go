package offline_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm"
)

// introducedBy is what the assistant says of itself under a system prompt.
func introducedBy(t *testing.T, system string) string {
	t.Helper()
	c := newChat(t, everyTool...)
	c.messages = []llm.Message{{Role: llm.RoleSystem, Content: system}}
	return c.ask("help").Content
}

func TestCatalogue_IsReadFromThePrompt(t *testing.T) {
	const list = "\n\nSome words first.\n\n- alpha: Does this\n- beta-two: Does: that\n- gamma\n\nWhen to use one:\n- never: guess\n"
	for _, heading := range []string{"Available skills", "## Available skills", "**Available skills**", "# Available Skills:", "Available skills:"} {
		got := introducedBy(t, "- before: the heading\n\n"+heading+list)
		wantEvery(t, got, "Skills: `alpha`, `beta-two` and `gamma`.")
		wantAbsent(t, got, "never", "before")
	}
}

func TestCatalogue_NoneOrUnreadable(t *testing.T) {
	for _, system := range []string{"", "No skills are available.", "Available skills\n\nnone", "- alpha: without a heading", "Available skills\n- Not A Name: x"} {
		wantAbsent(t, introducedBy(t, system), "Skills:")
	}
}

func TestCatalogue_ManyAreNotAllNamed(t *testing.T) {
	got := introducedBy(t, "Available skills\n"+strings.Repeat("- same-name: x\n", 30))
	wantEvery(t, got, "and more (see `/skills`)")
	if n := strings.Count(got, "`same-name`"); n != 20 {
		t.Errorf("%d skills named, want 20", n)
	}
}

func TestConversation_EarlierResultsAreNotAnsweredAgain(t *testing.T) {
	c := newChat(t, everyTool...)
	c.ask("AAPL price")
	c.give(`{"quotes":[{"symbol":"AAPL","price":"137.44"}]}`)
	c.ask("1 + 1")
	wantAbsent(t, c.give(`{"expression":"1 + 1","result":"2","exact":true}`).Content, "137.44")
}

func TestConversation_ResultsFindTheirCallByID(t *testing.T) {
	c := newChat(t, everyTool...)
	calls := c.ask("How has the S&P 500 done since 2008?").ToolCalls
	for _, i := range []int{1, 0} { // as a server might order them
		c.messages = append(c.messages, llm.Message{Role: llm.RoleTool, ToolCallID: calls[i].ID, Content: []string{sp500History, sp500}[i]})
	}
	wantEvery(t, c.next().Content, "rose 98.6% in all", "1,447.16 index points")
}

func TestConversation_ToolsItCannotReadAreNamed(t *testing.T) {
	c := newChat(t, everyTool...)
	c.ask("AAPL price")
	c.messages = append(c.messages, llm.Message{Role: llm.RoleTool, ToolName: "news", Content: `{"headlines":[]}`})
	wantEvery(t, c.next().Content, "`news` has answered; reading its result takes a language model")
}
