package eval

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/nfa-cli/nfa/internal/frontmatter"
)

// Problem is an error in an evals.yaml.
type Problem struct {
	Line    int // 0 if unknown
	Message string
}

// At formats the problem like a compiler: path:line: message.
func (p Problem) At(path string) string {
	if p.Line > 0 {
		path += ":" + strconv.Itoa(p.Line)
	}
	return path + ": " + p.Message
}

// Problems lists everything wrong with a file, in line order.
type Problems []Problem

// Error lists the problems.
func (p Problems) Error() string {
	texts := make([]string, len(p))
	for i, problem := range p {
		if texts[i] = problem.Message; problem.Line > 0 {
			texts[i] = fmt.Sprintf("line %d: %s", problem.Line, problem.Message)
		}
	}
	return strings.Join(texts, "; ")
}

// Parse parses an evals.yaml. It is strict, because with a misspelled key a case would pass without
// checking anything. The error is Problems, which lists all of them.
func Parse(data []byte) (Suite, error) {
	root, err := document(data)
	if err != nil {
		return Suite{}, err
	}
	r := &reader{}
	r.refuseAliases(root)
	if len(r.problems) > 0 {
		return Suite{}, r.problems // without them nothing below can be read
	}
	suite := r.suite(root)
	if len(r.problems) > 0 {
		slices.SortStableFunc(r.problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
		return Suite{}, r.problems
	}
	return suite, nil
}

// document returns the only YAML document of the file, which must not be empty.
func document(data []byte) (*yaml.Node, error) {
	if len(data) > MaxSize {
		return nil, Problems{{Message: fmt.Sprintf("larger than %d KB", MaxSize>>10)}}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	err := decoder.Decode(&doc)
	switch {
	case errors.Is(err, io.EOF):
		return nil, Problems{{Line: 1, Message: "empty file; expected prompts and cases"}}
	case err != nil:
		return nil, syntaxProblem(err)
	}
	err = decoder.Decode(&second)
	switch {
	case err == nil:
		return nil, Problems{{Line: second.Line, Message: "second YAML document; use only one"}}
	case !errors.Is(err, io.EOF):
		return nil, syntaxProblem(err)
	}
	return doc.Content[0], nil
}

func syntaxProblem(err error) Problems {
	line, message := frontmatter.LocateYAMLError(err)
	return Problems{{Line: line, Message: "not valid YAML: " + message}}
}

func (r *reader) suite(n *yaml.Node) Suite {
	var s Suite
	r.mapping(n, "the file",
		field{"prompts", func(v *yaml.Node) {
			r.mapping(v, "prompts",
				field{"select", func(v *yaml.Node) { s.Select = list(r, v, "select", r.prompt) }},
				field{"avoid", func(v *yaml.Node) { s.Avoid = list(r, v, "avoid", r.prompt) }})
		}},
		field{"cases", func(v *yaml.Node) { s.Cases = list(r, v, "cases", r.caseOf) }})
	if len(n.Content) == 0 && n.Kind == yaml.MappingNode {
		r.problem(n, "empty file; expected prompts and cases")
	}
	return s
}

func (r *reader) prompt(n *yaml.Node) Prompt { return Prompt{r.text(n, "a prompt"), n.Line} }

func (r *reader) caseOf(n *yaml.Node) Case {
	c := Case{Line: n.Line}
	present := r.mapping(n, "a case",
		field{"arguments", func(v *yaml.Node) { c.Arguments = r.userInput(v, "arguments") }},
		field{"book", func(v *yaml.Node) { c.Portfolio = list(r, v, "book", r.call) }},
		field{"calls", func(v *yaml.Node) { c.Calls = list(r, v, "calls", r.call) }},
		field{"turns", func(v *yaml.Node) { c.Turns = list(r, v, "turns", r.turn) }},
		field{"expect", func(v *yaml.Node) { c.Expect = r.expect(v) }})
	if present && len(c.Turns) == 0 {
		r.problem(n, "a case needs turns (the answers of the model)")
	}
	return c
}

func (r *reader) turn(n *yaml.Node) Turn {
	var t Turn
	present := r.mapping(n, "a turn",
		field{"calls", func(v *yaml.Node) { t.Calls = list(r, v, "calls", r.call) }},
		field{"text", func(v *yaml.Node) { t.Text = r.text(v, "text") }})
	if present && len(t.Calls) == 0 && t.Text == "" {
		r.problem(n, "a turn needs calls or text")
	}
	return t
}

func (r *reader) call(n *yaml.Node) Call {
	var c Call
	present := r.mapping(n, "a call",
		field{"tool", func(v *yaml.Node) { c.Tool = r.text(v, "tool") }},
		field{"arguments", func(v *yaml.Node) { c.Arguments = r.object(v, "arguments") }})
	if present && !slices.ContainsFunc(n.Content, func(k *yaml.Node) bool { return k.Value == "tool" }) {
		r.problem(n, "a call needs a tool")
	}
	return c
}

func (r *reader) expect(n *yaml.Node) Expect {
	var e Expect
	r.mapping(n, "expect",
		field{"errors", func(v *yaml.Node) { e.Errors = r.count(v, "errors") }},
		field{"untraced", func(v *yaml.Node) { e.Untraced = r.count(v, "untraced") }},
		field{"contains", func(v *yaml.Node) {
			e.Contains = list(r, v, "contains", func(v *yaml.Node) string { return r.text(v, "text to find") })
		}})
	return e
}
