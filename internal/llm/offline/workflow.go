package offline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/llm"
)

// workflowTool is the tool that runs a skill's steps: the one that the Skill tool
// pointed to in this turn, else the one that bears the skill's name. It is empty
// where none is on offer.
func (c conversation) workflowTool(skill string) string {
	named := WorkflowPrefix + strings.ReplaceAll(skill, "-", "_")
	for _, o := range c.outcomes {
		if runWith := o.Result.Text("run_with"); o.Err == "" && o.Tool == ToolSkill && strings.HasPrefix(runWith, WorkflowPrefix) {
			named = runWith
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
	params := parametersOf(c.specs[tool])
	values, ok := assignValues(params, valueWords(in.Arguments))
	if !ok {
		return textReply(slashUsage(in.Skill, params))
	}
	return reply{calls: []llm.ToolCall{c.newCall(0, tool, values)}}
}

// slashUsage says how the user runs the steps of a skill.
func slashUsage(skill string, params []parameter) string {
	line := "/" + strings.ReplaceAll(skill, "`", "'")
	for _, t := range params {
		if name := strings.ReplaceAll(CleanLine(t.name, 60), "`", "'"); t.required {
			line += " <" + name + ">"
		} else {
			line += " [" + name + "]"
		}
	}
	return fmt.Sprintf("The steps of the skill %s are run by the program, without a language model, but I did not find each of its values in your words. `%s` runs it.",
		InlineCode(skill), line)
}

// parameter is a value that a tool takes.
type parameter struct {
	name     string
	kind     string // of JSON
	choices  []string
	required bool
}

// parametersOf reads the values that a tool takes, in the order of its schema.
func parametersOf(spec llm.ToolSpec) []parameter {
	schema := DecodeResult(string(spec.Parameters))
	required := schema.Texts("required")
	properties := schema.Object("properties")
	var out []parameter
	for _, name := range schema.Keys("properties") {
		p := properties.Object(name)
		out = append(out, parameter{name: name, kind: p.Text("type"), choices: p.Texts("enum"), required: slices.Contains(required, name)})
	}
	return out
}

// leadingWords are words that only lead to a value.
var leadingWords = []string{
	"use", "run", "apply", "load", "activate", "follow", "start", "please", "do", "on", "with", "for", "of", "and", "the", "a", "an", "to", "at", "in", "skill",
}

// valueWords are the words of a request that may be values.
func valueWords(arguments string) []string {
	var out []string
	for _, w := range SplitWords(arguments) {
		if !slices.Contains(leadingWords, strings.ToLower(w)) {
			out = append(out, w)
		}
	}
	return out
}

// assignValues gives each word to the value it fits, in their order; ok is false where a
// required value is without one or a word is left.
func assignValues(params []parameter, args []string) (values map[string]any, ok bool) {
	values = map[string]any{}
	args = slices.DeleteFunc(slices.Clone(args), func(word string) bool {
		name, text, named := strings.Cut(word, "=")
		i := slices.IndexFunc(params, func(t parameter) bool { return t.name == name })
		if !named || i < 0 {
			return false
		}
		value, n := params[i].parse([]string{text})
		if n > 0 {
			values[name] = value
		}
		return n > 0
	})
	for _, t := range params {
		if _, set := values[t.name]; set {
			continue
		}
		value, n := t.parse(args)
		if n > 0 {
			values[t.name] = value
		} else if t.required {
			return nil, false
		}
		args = args[n:]
	}
	return values, len(args) == 0
}

var currencyWord = lazyregexp.New(`^([A-Z]{3}|\p{Sc})$`)

// parse takes the value off the front of words; n is how many words it has, and 0
// where the first of them does not fit.
func (t parameter) parse(args []string) (value any, n int) {
	switch {
	case len(args) == 0 || args[0] == "":
		return nil, 0
	case len(t.choices) > 0:
		at := slices.IndexFunc(t.choices, func(one string) bool { return strings.EqualFold(one, args[0]) })
		if at < 0 {
			return nil, 0
		}
		return t.choices[at], 1
	case t.kind == "boolean":
		low := strings.ToLower(args[0])
		if low != "yes" && low != "no" && low != "true" && low != "false" {
			return nil, 0
		}
		return low == "yes" || low == "true", 1
	case t.kind == "number" || t.kind == "integer":
		number, ok := plainNumber(args[0])
		if !ok || t.kind == "integer" && !number.IsInteger() {
			return nil, 0
		}
		return json.Number(number.String()), 1
	case t.kind == "array":
		return t.parseList(args)
	case len(args) > 1 && currencyWord().MatchString(args[1]):
		if _, ok := plainNumber(args[0]); ok {
			return args[0] + " " + args[1], 2
		}
	}
	return args[0], 1
}

// parseList takes words as long as they are no numbers: those are for what follows.
func (t parameter) parseList(args []string) (value any, n int) {
	var items []string
	for _, word := range args {
		if _, number := plainNumber(word); number {
			break
		}
		items = append(items, slices.DeleteFunc(strings.Split(word, ","), func(s string) bool { return s == "" })...)
		n++
	}
	return items, n
}

var inThousands = lazyregexp.New(`^[-+]?(?:\d*|\d{1,3}(?:,\d{3})+)(?:\.\d*)?$`)

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
