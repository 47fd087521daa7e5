package offline

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

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

// report answers with what the tools returned, in their own words.
func (c *catalog) report(d decision, results []result) reply {
	var parts []string
	failed := 0
	add := func(text string) {
		if text = strings.TrimSpace(text); text != "" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	for _, r := range results {
		shown := r.message.Shown
		switch {
		case r.message.IsError:
			failed++
			text := r.message.Content
			if shown != nil && shown.Error != "" {
				text = shown.Error
			}
			add(failure(text))
		case r.tool == "Skill":
			skill := skillResult(r.message.Content)
			said := c.declineSkill(cmp.Or(skill.Name, "this skill"), skill.Content, d.chinese)
			return reply{text: withNotes(d.notes, said.text), outcome: said.outcome}
		case shown == nil:
			add(cutBytes(r.message.Content, 4000))
		default:
			line := headline(*shown, d.chinese)
			if shown.Opened && line != "" {
				add(line) // the rest is on the screen
				break
			}
			if !strings.Contains(strings.ReplaceAll(shown.Text, `\`, ""), line) {
				add(line)
			}
			add(shown.Text)
		}
	}
	if lacksAccount(results) {
		question := needAccount.english
		if d.chinese {
			question = needAccount.chinese
		}
		add(question)
		return reply{text: withNotes(d.notes, strings.Join(parts, "\n\n")), outcome: llm.Outcome{Kind: llm.OutcomeAsked, Missing: []string{"account"}}}
	}
	d.outcome.Kind = llm.OutcomeAnswered
	if failed == len(results) {
		d.outcome.Kind = llm.OutcomeFailed
	}
	return reply{text: withNotes(d.notes, strings.Join(parts, "\n\n")), outcome: d.outcome}
}

var needAccount = requirement{"account", "Which account?", "哪个账户？", "in account"}

// lacksAccount reports whether a tool did not know which of several accounts is meant.
func lacksAccount(results []result) bool {
	return slices.ContainsFunc(results, func(r result) bool {
		return r.message.IsError && strings.Contains(r.message.Content, "name one with account")
	})
}

func headline(s llm.Shown, chinese bool) string {
	if chinese && s.HeadlineZH != "" {
		return s.HeadlineZH
	}
	return s.Headline
}

// failure is the error of a tool as a sentence.
func failure(content string) string {
	var e struct {
		Error string `json:"error"`
	}
	text := content
	if json.Unmarshal([]byte(content), &e) == nil && e.Error != "" {
		text = e.Error
	}
	const longest = 600
	text = cleanLine(text, longest)
	if text == "" {
		return ""
	}
	if name, _, _ := strings.Cut(text, ":"); !strings.Contains(name, "_") {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	if !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return markdownSigns.Replace(text)
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
