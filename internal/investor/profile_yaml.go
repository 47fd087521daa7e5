package investor

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/nfa-cli/nfa/internal/frontmatter"
)

// WriteYAML returns an editable document: every question as a comment with its answer below,
// including unanswered ones. ReadYAML reads it without loss; only UpdatedAt is not included.
func (iv Interview) WriteYAML(p Profile) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("# Your investor profile. Lines that start with # are explanations.\n" +
		"# Leave an answer empty if you do not know it or do not want to give it.\n")
	factor := Factor("")
	for _, e := range iv.entries {
		if e.Factor != factor {
			factor = e.Factor
			fmt.Fprintf(&out, "\n# ---- %s\n", factor)
		}
		out.WriteString("\n")
		for _, line := range e.comment() {
			out.WriteString("# " + line + "\n")
		}
		answer, err := e.yaml(&p)
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", e.ID, err)
		}
		out.Write(answer)
	}
	return out.Bytes(), nil
}

func (q Question) comment() []string {
	lines := []string{q.Text, q.Why}
	for _, c := range q.Choices {
		lines = append(lines, "  "+c.Value+": "+c.Text)
	}
	if q.Example != "" {
		lines = append(lines, "Example: "+q.Example)
	}
	return lines
}

func (e questionEntry) yaml(p *Profile) ([]byte, error) {
	answer := e.get(p)
	if answer == "" {
		return []byte(e.ID + ":\n"), nil
	}
	var value any = answer
	if e.Kind == KindList && answer != noneAnswer {
		value = strings.Split(answer, "; ")
	}
	return yaml.Marshal(map[string]any{e.ID: value})
}

// ReadYAML reads an edited document of WriteYAML. All errors are returned together as
// ErrInvalidDocument, each with its line; there is then no profile.
func (iv Interview) ReadYAML(data []byte) (Profile, error) {
	root, err := documentMapping(data)
	if err != nil {
		return Profile{}, fmt.Errorf("%w: %w", ErrInvalidDocument, err)
	}
	var p Profile
	var faults []error
	seen := map[string]int{}
	for i := 0; root != nil && i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		answer, err := answerText(value)
		switch first, twice := seen[key.Value]; {
		case twice:
			err = fmt.Errorf("%s appears twice, first in line %d", clip(key.Value), first)
		case err != nil:
			err = fmt.Errorf("%s: %w", clip(key.Value), err)
		default:
			err = iv.Set(&p, key.Value, answer)
		}
		seen[key.Value] = key.Line
		if err != nil {
			faults = append(faults, fmt.Errorf("line %d: %w", key.Line, err))
		}
		if len(faults) == maxFaults {
			break
		}
	}
	if len(faults) > 0 {
		return Profile{}, fmt.Errorf("%w: %w", ErrInvalidDocument, errors.Join(faults...))
	}
	return p, nil
}

const maxFaults = 20

// documentMapping returns the top-level mapping of a document, or nil if it is empty.
func documentMapping(data []byte) (*yaml.Node, error) {
	switch {
	case len(data) > maxDocument:
		return nil, errors.New("larger than 1 MB")
	case !utf8.Valid(data):
		return nil, errors.New("not UTF-8 text; save it as UTF-8")
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		line, message := frontmatter.LocateYAMLError(err)
		if line > 0 {
			return nil, fmt.Errorf("line %d: %s", line, message)
		}
		return nil, errors.New(message)
	}
	if err := decoder.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, errors.New("only one YAML document is allowed")
	}
	root := doc.Content[0]
	switch {
	case root.Kind == yaml.ScalarNode && root.ShortTag() == "!!null":
		return nil, nil
	case root.Kind != yaml.MappingNode:
		return nil, fmt.Errorf("line %d: expected lines of the form `question: answer`", root.Line)
	}
	return root, nil
}

// answerText returns the text of an answer as written, without YAML types: a country NO is not
// false, and 1985 is a year.
func answerText(value *yaml.Node) (string, error) {
	switch {
	case value.Kind == yaml.AliasNode || value.Anchor != "":
		return "", errors.New("YAML anchors and aliases are not accepted; write the answer itself")
	case value.Kind == yaml.ScalarNode && value.ShortTag() == "!!null":
		return "", nil
	case value.Kind == yaml.ScalarNode:
		return value.Value, nil
	case value.Kind != yaml.SequenceNode:
		return "", errors.New("expected one answer or a list of answers; put text with a colon in quotes")
	}
	var items []string
	for _, item := range value.Content {
		if item.Kind != yaml.ScalarNode || item.Anchor != "" {
			return "", errors.New("expected a list of answers; put text with a colon in quotes")
		}
		if strings.ContainsAny(item.Value, ";\n") {
			return "", errors.New("write one item per line, without semicolons")
		}
		items = append(items, item.Value)
	}
	return strings.Join(items, "; "), nil
}
