package offline

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const connectHint = "To connect a language model, type `/setup` in the chat (`nfa setup` outside it), or set `NFA_BASE_URL`, `NFA_API_KEY` and `NFA_MODEL` for any OpenAI-compatible server, " +
	"or `OPENAI_API_KEY`, and start nfa again."

const identityText = "I am nfa's offline assistant: a set of rules, not a language model."

// textAnswer answers what takes no tool, or is empty.
func (c conversation) textAnswer(in intent) string {
	switch in.Topic {
	case TopicHelp:
		return c.introduction()
	case TopicThanks:
		return "You are welcome. Ask for another price, history or comparison whenever you like."
	case TopicSummary:
		return c.describeAttachment(in)
	case TopicSubject:
		return c.unsupportedAnswer(in)
	case TopicUserData:
		return c.userDataRefusal(in)
	case TopicUnknown:
		if in.Unread {
			return c.describeAttachment(in)
		}
		return fmt.Sprintf("%s I did not understand the question%s.\n\n%s\n\n%s", identityText, ofRecognised(in.Symbols), c.examples(in), connectHint)
	}
	return ""
}

// unsupportedAnswer says what was asked for and why it is not answered.
func (c conversation) unsupportedAnswer(in intent) string {
	return fmt.Sprintf("I understood that you ask about %s%s. %s %s\n\n%s\n\n%s",
		in.Subject.Name, ofSymbols(in.Symbols), identityText, in.Subject.Reason, c.examples(in), connectHint)
}

func ofSymbols(symbols []string) string {
	if len(symbols) == 0 {
		return ""
	}
	return " (" + InlineCode(symbols...) + ")"
}

func ofRecognised(symbols []string) string {
	if len(symbols) == 0 {
		return ""
	}
	return ", though I recognised " + InlineCode(symbols...)
}

// ability is a known tool with what a user gets from it.
type ability struct{ tool, benefit, example string }

var abilities = []ability{
	{ToolQuote, "the newest price of one or several instruments", "What is Apple trading at?"},
	{ToolHistory, "how a price moved", "History of MSFT over 5 years"},
	{ToolReturns, "return, volatility and the worst fall, and comparisons", "Compare AAPL and MSFT since 2010"},
	{ToolChart, "prices as a chart, in a line, candles or falls", "Chart AAPL 5y"},
	{ToolCalculate, "exact arithmetic", "What is 12.5% of 3,400?"},
	{ToolTime, "date and time", "What day is it?"},
	{ToolPositions, "what you hold and what it is worth", "Show my portfolio"},
	{ToolPerformance, "what your book earned, also beside a benchmark", "How has my portfolio done?"},
	{ToolAllocation, "how your book is divided", "Show my allocation"},
	{ToolCheckup, "what rules your book fails", "Check my portfolio"},
	{ToolRebalance, "trades back to your targets", "Rebalance my portfolio"},
	{ToolLots, "your tax lots, losses to harvest and capital gains", "Show my lots"},
	{ToolWatchlist, "what you watch", "Show my watchlist"},
	{ToolJournal, "what became of your decisions", "Review my decisions"},
	{ToolProfile, "what is known of you as an investor", "Show my profile"},
}

// introduction says what the assistant can do here, with the tools and skills
// that are here.
func (c conversation) introduction() string {
	var b strings.Builder
	b.WriteString(identityText + " I answer from tools:\n")
	found := false
	for _, a := range abilities {
		if c.tools[a.tool] {
			found = true
			fmt.Fprintf(&b, "\n- `%s`: %s. Try `%s`", a.tool, a.benefit, a.example)
		}
	}
	if !found {
		b.WriteString("\n- none that I know is present in this conversation, so I can do little.")
	}
	if skills := c.skillNames(); skills != "" {
		b.WriteString("\n\nSkills: " + skills + ". Say `use the NAME skill on AAPL`, or type `/` and the name. I follow a skill only by the tools it lists.")
	}
	b.WriteString("\n\nI cannot give opinions, read texts or plan freely. " + connectHint)
	return b.String()
}

const maxSkillsNamed = 20

func (c conversation) skillNames() string {
	text := InlineCode(c.skills[:min(len(c.skills), maxSkillsNamed)]...)
	if len(c.skills) > maxSkillsNamed {
		text += " and more (see `/skills`)"
	}
	return text
}

// examples are three questions that work, about what was named.
func (c conversation) examples(in intent) string {
	symbol := "AAPL"
	if len(in.Symbols) > 0 {
		symbol = strings.ReplaceAll(in.Symbols[0], "`", "'")
	}
	return fmt.Sprintf("What I can answer, for example:\n\n- `%s price`\n- `How has %s done since 2010, and how bad did it get?`\n- `What is 12.5%% of 3,400?`", symbol, symbol)
}

// describeAttachment is all that rules can say of an attached text.
func (c conversation) describeAttachment(in intent) string {
	if strings.TrimSpace(in.Attached) == "" {
		return identityText + " Summarising takes a language model, and there is no text attached to your question. " + connectHint
	}
	text := "I understood that you want a summary."
	if in.Topic != TopicSummary {
		text = "I did not understand what you want of the attached text."
	}
	// In code, because these are counts of the user's own text, not figures that
	// a source would have to stand for.
	text += fmt.Sprintf(" It has `%s lines, %s words, %s characters`.",
		FormatCount(countLines(in.Attached)), FormatCount(countWords(in.Attached)), FormatCount(utf8.RuneCountInString(in.Attached)))
	if found := headings(in.Attached); len(found) > 0 {
		text += " Its headings:\n\n" + list(found)
	} else {
		text += " It has no headings."
	}
	return text + "\n\n" + identityText + " I can count a text, not read it; that takes a language model. " + connectHint
}

func countLines(text string) int { return strings.Count(strings.TrimRight(text, "\n"), "\n") + 1 }

func countWords(text string) int {
	n := 0
	for range strings.FieldsSeq(text) {
		n++
	}
	return n
}

const (
	maxHeadings   = 8
	longestHeader = 80 // bytes shown of a heading
)

// headings are the first Markdown headings of a text, outside code.
func headings(text string) []string {
	var out []string
	fenced := false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(CutBytes(line, 4*longestHeader))
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fenced = !fenced
			continue
		}
		title := strings.TrimLeft(trimmed, "#")
		if fenced || title == trimmed || !strings.HasPrefix(title, " ") {
			continue
		}
		if title = CleanLine(title, longestHeader); title != "" {
			out = append(out, title)
		}
		if len(out) == maxHeadings {
			break
		}
	}
	return out
}

func list(items []string) string {
	var b strings.Builder
	for _, item := range items {
		b.WriteString("- " + EscapeMarkdown(item) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
