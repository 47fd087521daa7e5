package offline

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/llm"
)

// result is a tool message of this turn.
type result struct {
	tool    string
	message llm.Message
}

// resultsOf returns the results since the user's message.
func resultsOf(messages []llm.Message) []result {
	var out []result
	for _, m := range messages {
		if m.Role == llm.RoleTool {
			out = append(out, result{m.ToolName, m})
		}
	}
	return out
}

// report answers with the texts that the tools returned.
func (c *catalog) report(d decision, results []result) reply {
	r := reply{text: strings.Join(d.notes, " "), outcome: d.outcome}
	failed := 0
	add := func(call, text string) {
		text = strings.TrimSpace(text)
		if text != "" && !slices.ContainsFunc(r.shown, func(s shownPart) bool { return s.text == text }) {
			r.shown = append(r.shown, shownPart{call, text})
		}
	}
	for _, one := range results {
		shown := one.message.Shown
		switch {
		case one.message.IsError:
			failed++
			text := one.message.Content
			if shown != nil && shown.Error != "" {
				text = shown.Error
			}
			if refused(one.message.Content) {
				add("", "Nothing was done.") // the card or the error of the command says why
			} else {
				add(one.message.ToolCallID, failure(text))
			}
		case one.tool == "Skill":
			skill := skillResult(one.message.Content)
			said := c.declineSkill(cmp.Or(skill.Name, "this skill"), skill.Content, d.chinese)
			return reply{text: withNotes(d.notes, said.text), outcome: said.outcome}
		case shown == nil:
			add("", cutBytes(one.message.Content, 4000))
		default:
			add("", missingFigure(shown.Text, strings.ToLower(d.frame.text)))
			line := headline(*shown, d.chinese)
			switch {
			case shown.Opened && line != "":
				add(one.message.ToolCallID, line) // the rest is on the screen
			case strings.Contains(strings.ReplaceAll(shown.Text, `\`, ""), line):
				add(one.message.ToolCallID, shown.Text)
			case d.chinese:
				add("", line) // the labels of figures are in English
				add(one.message.ToolCallID, shown.Text)
			default:
				add(one.message.ToolCallID, line+"\n\n"+shown.Text)
			}
		}
	}
	if lacksAccount(results) {
		question := needAccount.english
		if d.chinese {
			question = needAccount.chinese
		}
		add("", question)
		r.outcome = llm.Outcome{Kind: llm.OutcomeAsked, Missing: []string{"account"}}
		return r
	}
	r.outcome.Kind = llm.OutcomeAnswered
	if failed == len(results) {
		r.outcome.Kind = llm.OutcomeFailed
	}
	return r
}

// missingFigure returns the line of a result that explains why a figure in the question is missing.
func missingFigure(text, question string) string {
	for line := range strings.Lines(text) {
		names, reason, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "- no "), ": ")
		if !ok || !strings.HasPrefix(line, "- no ") {
			continue
		}
		for name := range strings.SplitSeq(names, ", ") {
			long, short, _ := strings.Cut(strings.ToLower(name), " (")
			short = strings.TrimSuffix(short, ")")
			if strings.Contains(question, long) || short != "" && len(cues(question, short+"|"+strings.ReplaceAll(short, "/", "")+"|"+strings.ReplaceAll(short, "/", " "))) > 0 {
				return "No " + name + ": " + strings.TrimSuffix(reason, ".") + "."
			}
		}
	}
	return ""
}

var needAccount = requirement{"account", "Which account?", "哪个账户？", "in account"}

// lacksAccount reports whether a tool did not know which of several accounts is meant.
func lacksAccount(results []result) bool {
	return slices.ContainsFunc(results, func(r result) bool {
		return r.message.IsError && strings.Contains(r.message.Content, "name the account")
	})
}

func headline(s llm.Shown, chinese bool) string {
	if chinese && s.HeadlineZH != "" {
		return s.HeadlineZH
	}
	return s.Headline
}

// refused reports whether the error of a tool says that the call was not approved.
func refused(content string) bool {
	name, _, ok := strings.Cut(errorText(content), " was refused")
	return ok && !strings.Contains(name, " ")
}

// errorText returns the error in the result of a failed tool.
func errorText(content string) string {
	var e struct {
		Error string `json:"error"`
	}
	if json.Unmarshal([]byte(content), &e) == nil && e.Error != "" {
		return e.Error
	}
	return content
}

// failure returns the error of a tool as a sentence.
func failure(content string) string {
	text := errorText(content)
	const longest = 600
	text = cleanLine(text, longest)
	if text == "" {
		return ""
	}
	return markdownSigns.Replace(humanize.Sentence(text))
}

type loadedSkill struct{ Name, Content string }

func skillResult(content string) loadedSkill {
	var s struct {
		Name    string `json:"name"`
		Content string `json:"content"`
	}
	// A result that is no object is the text of the skill.
	if json.Unmarshal([]byte(content), &s) != nil {
		return loadedSkill{Content: content}
	}
	return loadedSkill{s.Name, s.Content}
}

func withNotes(notes []string, text string) string {
	if len(notes) == 0 {
		return text
	}
	return strings.Join(notes, " ") + "\n\n" + text
}
