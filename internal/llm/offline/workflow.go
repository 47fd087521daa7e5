package offline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/offline/answer"
	"github.com/nfa-cli/nfa/internal/llm/offline/question"
	"github.com/nfa-cli/nfa/internal/llm/offline/quoted"
	"github.com/nfa-cli/nfa/internal/llm/offline/toolname"
	"github.com/nfa-cli/nfa/internal/pattern"
)

// workflowTool is the tool that runs a skill's steps: the one that the Skill tool
// pointed to in this turn, else the one that bears the skill's name. It is empty
// where none is on offer.
func (c conversation) workflowTool(skill string) string {
	named := toolname.WorkflowPrefix + strings.ReplaceAll(skill, "-", "_")
	for _, o := range c.outcomes {
		if told := o.Result.Text("run_with"); o.Err == "" && o.Tool == toolname.Skill && strings.HasPrefix(told, toolname.WorkflowPrefix) {
			named = told
		}
	}
	if !c.tools[named] {
		return ""
	}
	return named
}

// callWorkflow runs a skill's steps with the values that the user's words hold.
// Where they do not suffice, or say more than the steps can take, it says how to
// run it: steps must not be run with values that were guessed.
func (c conversation) callWorkflow(in intent, tool string) reply {
	takes := takenBy(c.specs[tool])
	values, ok := fill(takes, valueWords(in.Arguments))
	if !ok {
		return say(runBySlash(in.Skill, takes))
	}
	return reply{calls: []llm.ToolCall{c.newCall(0, tool, values)}}
}

// runBySlash says how the user runs the steps of a skill.
func runBySlash(skill string, takes []taken) string {
	line := "/" + strings.ReplaceAll(skill, "`", "'")
	for _, t := range takes {
		if name := strings.ReplaceAll(quoted.Line(t.name, 60), "`", "'"); t.required {
			line += " <" + name + ">"
		} else {
			line += " [" + name + "]"
		}
	}
	return fmt.Sprintf("The steps of the skill %s are run by the program, without a language model, but I did not find each of its values in your words. `%s` runs it.",
		quoted.Code(skill), line)
}

// taken is a value that a tool takes.
type taken struct {
	name     string
	kind     string // of JSON
	choices  []string
	required bool
}

// takenBy reads the values that a tool takes, in the order of its schema.
func takenBy(spec llm.ToolSpec) []taken {
	schema := answer.Decode(string(spec.Parameters))
	required := schema.Texts("required")
	properties := schema.Object("properties")
	var out []taken
	for _, name := range schema.Keys("properties") {
		p := properties.Object(name)
		out = append(out, taken{name: name, kind: p.Text("type"), choices: p.Texts("enum"), required: slices.Contains(required, name)})
	}
	return out
}

// leading are words that only lead to a value.
var leading = []string{
	"use", "run", "apply", "load", "activate", "follow", "start", "please", "do", "on", "with", "for", "of", "and", "the", "a", "an", "to", "at", "in", "skill",
}

// valueWords are the words of a request that may be values.
func valueWords(arguments string) []string {
	var out []string
	for _, w := range question.Words(arguments) {
		if !slices.Contains(leading, strings.ToLower(w)) {
			out = append(out, w)
		}
	}
	return out
}

// fill gives each word to the value it fits, in their order; ok is false where a
// required value is without one or a word is left.
func fill(takes []taken, words []string) (values map[string]any, ok bool) {
	values = map[string]any{}
	words = slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		name, text, named := strings.Cut(word, "=")
		at := slices.IndexFunc(takes, func(t taken) bool { return t.name == name })
		if !named || at < 0 {
			return false
		}
		value, n := takes[at].read([]string{text})
		if n > 0 {
			values[name] = value
		}
		return n > 0
	})
	for _, t := range takes {
		if _, given := values[t.name]; given {
			continue
		}
		value, n := t.read(words)
		if n > 0 {
			values[t.name] = value
		} else if t.required {
			return nil, false
		}
		words = words[n:]
	}
	return values, len(words) == 0
}

var currencyWord = pattern.Lazy(`^([A-Z]{3}|\p{Sc})$`)

// read takes the value off the front of words; n is how many words it has, and 0
// where the first of them does not fit.
func (t taken) read(words []string) (value any, n int) {
	switch {
	case len(words) == 0 || words[0] == "":
		return nil, 0
	case len(t.choices) > 0:
		at := slices.IndexFunc(t.choices, func(one string) bool { return strings.EqualFold(one, words[0]) })
		if at < 0 {
			return nil, 0
		}
		return t.choices[at], 1
	case t.kind == "boolean":
		low := strings.ToLower(words[0])
		if low != "yes" && low != "no" && low != "true" && low != "false" {
			return nil, 0
		}
		return low == "yes" || low == "true", 1
	case t.kind == "number" || t.kind == "integer":
		number, ok := plainNumber(words[0])
		if !ok || t.kind == "integer" && !number.IsInteger() {
			return nil, 0
		}
		return json.Number(number.String()), 1
	case t.kind == "array":
		return t.list(words)
	case len(words) > 1 && currencyWord().MatchString(words[1]):
		if _, ok := plainNumber(words[0]); ok {
			return words[0] + " " + words[1], 2
		}
	}
	return words[0], 1
}

// list takes words as long as they are no numbers: those are for what follows.
func (t taken) list(words []string) (value any, n int) {
	var items []string
	for _, word := range words {
		if _, number := plainNumber(word); number {
			break
		}
		items = append(items, slices.DeleteFunc(strings.Split(word, ","), func(s string) bool { return s == "" })...)
		n++
	}
	return items, n
}

var inThousands = pattern.Lazy(`^[-+]?(?:\d*|\d{1,3}(?:,\d{3})+)(?:\.\d*)?$`)

// plainNumber reads a number as people write it, with commas between its thousands or
// a sign of percent.
func plainNumber(word string) (decimal.Decimal, bool) {
	const longest = 40
	word = strings.TrimSuffix(word, "%")
	// 4,5 is no number here: without its comma it would be another.
	if len(word) > longest || !inThousands().MatchString(word) {
		return decimal.Decimal{}, false
	}
	d, err := decimal.NewFromString(strings.ReplaceAll(word, ",", ""))
	return d, err == nil
}
