package frontmatter

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The errors for front matter that cannot be read.
var (
	ErrMissing   = errors.New("no front matter")
	ErrMalformed = errors.New("malformed YAML in the front matter")
	ErrAliases   = errors.New("YAML anchors and aliases are not accepted")
	ErrNesting   = errors.New("too deep")
	ErrTooLong   = errors.New("the front matter is longer than 32 KB")
)

// maxNesting bounds lists and maps inside one another. Real front matter nests
// three deep.
const maxNesting = 16

// maxLength is far beyond any real front matter, in bytes.
const maxLength = 32 << 10

// Matter holds the YAML of a SKILL.md as values, and the scalars as written, because "version:
// 1.10" is the number 1.1 to YAML.
type Matter struct {
	Values   map[string]any
	Written  map[string]string // scalars of the first level as they stand in the file
	Warnings []string
}

// Read parses YAML whose first line is line firstLine of the file. It refuses anchors and aliases,
// which can expand a small file to a huge one.
func Read(src []byte, firstLine int) (Matter, error) {
	if len(src) > maxLength {
		// A folder of such files would keep every start busy.
		return Matter{}, ErrTooLong
	}
	src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	if fm, ok := parsePlain(src); ok {
		return fm, nil
	}
	return readYAML(src, firstLine)
}

// readYAML reads what may be anything that YAML has.
func readYAML(src []byte, firstLine int) (fm Matter, err error) {
	root, err := Tree(src, firstLine)
	if err != nil && !errors.Is(err, ErrAliases) {
		mended, warnings := quotePlainText(src)
		again, againErr := Tree(mended, firstLine)
		if len(warnings) == 0 || againErr != nil {
			return fm, err
		}
		root, fm.Warnings, err = again, warnings, nil
	}
	if err != nil {
		return fm, err
	}
	return fm, fm.collect(root)
}

// Tree parses src into YAML nodes only. It puts blank lines in front so that errors have the line
// numbers of the file.
func Tree(src []byte, firstLine int) (*yaml.Node, error) {
	padded := append(bytes.Repeat([]byte("\n"), firstLine-1), src...)
	var doc yaml.Node
	if err := yaml.Unmarshal(padded, &doc); err != nil {
		line, message := LocateYAMLError(err)
		switch {
		case strings.Contains(message, "unknown anchor"):
			return nil, fmt.Errorf("%w (%s)", ErrAliases, message)
		case line > 0:
			return nil, fmt.Errorf("%w: line %d: %s", ErrMalformed, line, message)
		}
		return nil, fmt.Errorf("%w: %s", ErrMalformed, message)
	}
	if len(doc.Content) == 0 {
		return &yaml.Node{Kind: yaml.MappingNode}, nil
	}
	root := doc.Content[0]
	if err := checkTree(root, 0); err != nil {
		return nil, err
	}
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return &yaml.Node{Kind: yaml.MappingNode}, nil
	}
	if root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("%w: line %d: expected `key: value` lines", ErrMalformed, root.Line)
	}
	return root, nil
}

func checkTree(n *yaml.Node, depth int) error {
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		return fmt.Errorf("%w (line %d)", ErrAliases, n.Line)
	case depth > maxNesting:
		return fmt.Errorf("%w: line %d: lists and maps nested more than %d deep", ErrNesting, n.Line, maxNesting)
	}
	for i, child := range n.Content {
		if err := checkTree(child, depth+1); err != nil {
			return err
		}
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.Kind != yaml.ScalarNode {
			return fmt.Errorf("%w: line %d: a key must be text", ErrMalformed, child.Line)
		}
	}
	return nil
}

// collect reads the values, keeps the scalars of the first level as written, and refuses a key
// given twice: which of the two was meant is not ours to guess.
func (fm *Matter) collect(root *yaml.Node) error {
	fm.Values = make(map[string]any, len(root.Content)/2)
	fm.Written = make(map[string]string, len(root.Content)/2)
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, node := root.Content[i], root.Content[i+1]
		if _, seen := fm.Values[key.Value]; seen {
			return fmt.Errorf("%w: line %d: the key %q is given twice", ErrMalformed, key.Line, key.Value)
		}
		value, err := nodeValue(node)
		if err != nil {
			return err
		}
		fm.Values[key.Value] = value
		if node.Kind == yaml.ScalarNode && value != nil {
			fm.Written[key.Value] = node.Value
		}
	}
	return nil
}

// nodeValue returns the value of a node. Keys and everything that is not a number, true, false or
// null are text.
func nodeValue(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.MappingNode:
		out := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			value, err := nodeValue(n.Content[i+1])
			if err != nil {
				return nil, err
			}
			out[n.Content[i].Value] = value
		}
		return out, nil
	case yaml.SequenceNode:
		out := make([]any, len(n.Content))
		for i, item := range n.Content {
			value, err := nodeValue(item)
			if err != nil {
				return nil, err
			}
			out[i] = value
		}
		return out, nil
	}
	switch n.ShortTag() {
	case "!!null":
		return nil, nil
	case "!!int", "!!float", "!!bool":
		// YAML reads 010 as 8. It is more likely a code than an octal number.
		if digits := strings.TrimLeft(n.Value, "0"); digits != "" && digits != n.Value && digits[0] >= '0' && digits[0] <= '9' {
			return n.Value, nil
		}
		var value any
		if err := n.Decode(&value); err != nil {
			return nil, fmt.Errorf("%w: line %d: %q is not %s", ErrMalformed, n.Line, n.Value, n.Tag)
		}
		return value, nil
	}
	return n.Value, nil
}
