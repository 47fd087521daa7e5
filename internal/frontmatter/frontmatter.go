package frontmatter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	meta "github.com/yuin/goldmark-meta"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"go.yaml.in/yaml/v3"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// The errors for front matter that cannot be read.
var (
	ErrMissing   = errors.New("no front matter")
	ErrMalformed = errors.New("invalid YAML in front matter")
	ErrAliases   = errors.New("YAML anchors and aliases are not accepted")
	ErrNesting   = errors.New("YAML is nested too deeply")
	ErrTooLong   = errors.New("front matter is longer than 32 KB")
)

// maxNesting is the maximum nesting of lists and maps. Real front matter has three levels.
const maxNesting = 16

// maxLength is the maximum length in bytes. Real front matter is much shorter.
const maxLength = 32 << 10

// Matter holds the front matter as values, and its scalars as written, because YAML reads "version:
// 1.10" as the number 1.1. Inside lists and maps, text stays as written, as in YAML 1.2: ON, yes, n
// and 007 are text, and a number is a json.Number with every digit.
type Matter struct {
	Values   map[string]any
	Written  map[string]string // scalars of the first level as written in the file
	Warnings []string
}

// Read parses YAML that starts at line firstLine of the file. It refuses anchors and aliases, because
// they can expand a small file to a huge one.
func Read(src []byte, firstLine int) (Matter, error) {
	if len(src) > maxLength {
		return Matter{}, ErrTooLong
	}
	src = bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))
	var fm Matter
	root, err := Tree(src, firstLine)
	if err != nil && !errors.Is(err, ErrAliases) {
		repaired, warnings := quotePlainText(src)
		repairedRoot, repairedErr := Tree(repaired, firstLine)
		if len(warnings) == 0 || repairedErr != nil {
			return fm, err
		}
		src, root, fm.Warnings, err = repaired, repairedRoot, warnings, nil
	}
	if err != nil {
		return fm, err
	}
	if err := fm.collect(root); err != nil {
		return fm, err
	}
	if dashLine().Match(src) {
		// goldmark-meta treats a line of dashes as the closing fence, even inside a value.
		err = root.Decode(&fm.Values)
	} else {
		fm.Values, err = metaValues(scalarFields(src, root, firstLine))
	}
	if err != nil {
		_, message := LocateYAMLError(err)
		return fm, fmt.Errorf("%w: %s", ErrMalformed, message)
	}
	for key, value := range fm.Values {
		if day, ok := value.(time.Time); ok {
			fm.Values[key] = day.Format(time.DateOnly)
		}
	}
	if fm.Values == nil {
		fm.Values = map[string]any{}
	}
	// goldmark-meta would read the values of lists and maps as YAML 1.1, in which ON and yes are true.
	for i := 0; i+1 < len(root.Content); i += 2 {
		if value := root.Content[i+1]; value.Kind != yaml.ScalarNode {
			fm.Values[root.Content[i].Value] = nodeValue(value)
		}
	}
	return fm, nil
}

// Tree parses src into YAML nodes. It adds blank lines before src, so that errors have the line numbers
// of the file.
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
		return fmt.Errorf("%w: line %d: at most %d levels", ErrNesting, n.Line, maxNesting)
	}
	for _, child := range n.Content {
		if err := checkTree(child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// collect sets the scalars of the first level as written. It refuses a duplicate key, because either
// value may be the intended one.
func (fm *Matter) collect(root *yaml.Node) error {
	fm.Written = make(map[string]string, len(root.Content)/2)
	seen := make(map[string]bool, len(root.Content)/2)
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if seen[key.Value] {
			return fmt.Errorf("%w: line %d: key %q appears twice", ErrMalformed, key.Line, key.Value)
		}
		seen[key.Value] = true
		if value.Kind == yaml.ScalarNode && value.Tag != "!!null" {
			fm.Written[key.Value] = value.Value
		}
	}
	return nil
}

var dashLine = lazyregexp.New(`(?m)^[ \t]*-+[ \t]*$`)

// metaParser is shared by all files. It has no state, and creating one takes a sixth of the memory of
// reading a skill.
var metaParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(util.Prioritized(meta.NewParser(), 0)))
})

// scalarFields returns the lines of the fields that are neither lists nor maps. The steps of a skill are
// long, so that parsing them twice would take most of the time of a scan.
func scalarFields(src []byte, root *yaml.Node, firstLine int) []byte {
	if root.Style&yaml.FlowStyle != 0 || bytes.ContainsAny(src, "\r\u0085\u2028\u2029") { // other ends of lines in YAML
		return src
	}
	lines := bytes.SplitAfter(src, []byte("\n"))
	var scalars []byte
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i+1].Kind != yaml.ScalarNode {
			continue
		}
		end := len(lines)
		if i+2 < len(root.Content) {
			end = root.Content[i+2].Line - firstLine
		}
		for _, line := range lines[root.Content[i].Line-firstLine : end] {
			scalars = append(scalars, line...)
		}
	}
	return scalars
}

// metaValues parses the front matter with goldmark and goldmark-meta.
func metaValues(src []byte) (map[string]any, error) {
	fenced := make([]byte, 0, len(src)+len("---\n\n---\n"))
	fenced = append(fenced, "---\n"...)
	fenced = append(fenced, src...)
	fenced = append(fenced, "\n---\n"...)
	pc := parser.NewContext()
	metaParser().Parse(text.NewReader(fenced), parser.WithContext(pc))
	return meta.TryGet(pc)
}

// jsonNumber is a number as in JSON. YAML 1.2 has others, but 007 and 1_000 are codes, not numbers.
var jsonNumber = lazyregexp.New(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// nodeValue returns a list, a map, or a scalar of YAML 1.2.
func nodeValue(n *yaml.Node) any {
	switch n.Kind {
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			list[i] = nodeValue(item)
		}
		return list
	case yaml.MappingNode:
		fields := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			fields[n.Content[i].Value] = nodeValue(n.Content[i+1])
		}
		return fields
	}
	var value any
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		if n.Decode(&value) == nil {
			return value
		}
	case "!!int", "!!float":
		if jsonNumber().MatchString(n.Value) {
			return json.Number(n.Value)
		}
		if !strings.Contains(n.Value, "_") && !leadingZero().MatchString(n.Value) && n.Decode(&value) == nil {
			return value
		}
	}
	return n.Value
}

// leadingZero is a number such as 007.
var leadingZero = lazyregexp.New(`^[-+]?0[0-9]`)

// LocateYAMLError returns the line, counted from 1, and the message of a YAML parser error. The
// line is 0 if the parser does not report one.
func LocateYAMLError(err error) (line int, message string) {
	message = strings.TrimPrefix(err.Error(), "yaml: ")
	if m := yamlLine().FindStringSubmatch(message); m != nil {
		line, _ = strconv.Atoi(m[1])
		message = m[2]
	}
	// The library counts lines from 1 in errors of its scanner, and from 0 in errors of its parser.
	if yamlParserError().MatchString(message) {
		line++
	}
	return line, message
}

var (
	yamlLine        = lazyregexp.New(`(?s)^line (\d+): (.*)$`)
	yamlParserError = lazyregexp.New(`^did not find expected (node content|key|['<])`)
)
