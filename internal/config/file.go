package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/frontmatter"
)

const (
	fileName    = "config.yaml"
	maxFileSize = 1 << 20
)

// source is a settings file and the rules for what it may contain.
type source struct {
	path     string
	required bool
	project  bool
	foreign  bool // .mcp.json, which has settings of other programs
	// references replaces secrets by references to them.
	references bool
	mode       fs.FileMode
}

func (src source) at(n *yaml.Node) string { return fmt.Sprintf("%s:%d", src.path, n.Line) }

func (l *loader) file(src source) {
	data, info, err := read(src.path)
	// ENOTDIR: the data folder is a file. Code that writes to it reports that.
	missing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	if missing && !src.required {
		return
	}
	if err != nil {
		l.problems = append(l.problems, err)
		return
	}
	if src.project {
		if !l.isOwn(src.path, info) {
			return
		}
		l.cfg.project = src.path
	}
	src.mode = info.Mode().Perm()
	root, err := parseDocument(src.path, data)
	if err != nil {
		l.problems = append(l.problems, err)
		return
	}
	if root != nil {
		l.mapping(src, root, "")
	}
}

// read returns the content of a settings file of at most maxFileSize.
func read(path string) ([]byte, fs.FileInfo, error) {
	data, info, err := atomicfile.ReadInfo(path, maxFileSize)
	switch {
	case errors.Is(err, atomicfile.ErrNotRegular):
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return nil, nil, fmt.Errorf("%s: is a folder, not a settings file", path)
		}
		return nil, nil, err
	case errors.Is(err, atomicfile.ErrTooLarge):
		return nil, nil, fmt.Errorf("%s: larger than 1 MB; this is not a settings file", path)
	case err != nil:
		return nil, nil, fmt.Errorf("read settings: %w", err)
	case !utf8.Valid(data):
		return nil, nil, fmt.Errorf("%s: not UTF-8 text; save it as UTF-8", path)
	}
	return data, info, nil
}

// parseDocument returns the mapping in data, or nil if data is empty.
func parseDocument(path string, data []byte) (*yaml.Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	err := decoder.Decode(&doc)
	switch {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, syntaxError(path, err)
	}
	var second yaml.Node
	if err := decoder.Decode(&second); err == nil {
		return nil, fmt.Errorf("%s:%d: second YAML document; use only one", path, second.Line)
	} else if !errors.Is(err, io.EOF) {
		return nil, syntaxError(path, err)
	}
	root := doc.Content[0]
	switch {
	case root.Kind == yaml.ScalarNode && root.ShortTag() == "!!null":
		return nil, nil
	case root.Kind != yaml.MappingNode:
		return nil, fmt.Errorf("%s:%d: expected lines of the form `key: value`", path, root.Line)
	}
	return root, nil
}

func syntaxError(path string, err error) error {
	line, message := frontmatter.LocateYAMLError(err)
	if line > 0 {
		path = fmt.Sprintf("%s:%d", path, line)
	}
	return fmt.Errorf("%s: not valid YAML: %s", path, message)
}

// mapping reads the settings of one level.
func (l *loader) mapping(src source, n *yaml.Node, prefix string) {
	l.pairs(src, n, prefix, func(name, value *yaml.Node) { l.entry(src, name, value, prefix+name.Value) })
}

// pairs passes each entry of a mapping to take.
func (l *loader) pairs(src source, n *yaml.Node, prefix string, take func(name, value *yaml.Node)) {
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		if hasAlias(name) || hasAlias(value) {
			l.problem(src.at(name), "YAML anchors and aliases are not supported; write the value")
			continue
		}
		if first, ok := seen[name.Value]; ok {
			l.problem(src.at(name), "%s%s is set twice, first on line %d", prefix, name.Value, first)
			continue
		}
		seen[name.Value] = name.Line
		take(name, value)
	}
}

// namedSections describes a section of sections with names that the user chose, such as providers.
type namedSections struct {
	key      string
	name     *regexp.Regexp
	letters  string // that name allows, for errors
	settings string // of a section below it, for errors
	read     func(src source, name, value *yaml.Node)
}

// sections reads each section below a name.
func (l *loader) sections(src source, n *yaml.Node, of namedSections) {
	if n.Kind != yaml.MappingNode {
		l.problem(src.at(n), "%s is a section; expected a name below it, with %s", of.key, of.settings)
		return
	}
	l.pairs(src, n, of.key+".", func(name, value *yaml.Node) {
		switch {
		case !of.name.MatchString(name.Value):
			l.problem(src.at(name), "%s has the invalid name %q; expected %s", of.key, name.Value, of.letters)
		case value.Kind != yaml.MappingNode:
			l.problem(src.at(name), "%s.%s is a section; expected %s below it", of.key, name.Value, of.settings)
		default:
			of.read(src, name, value)
		}
	})
}

func (l *loader) entry(src source, name, value *yaml.Node, key string) {
	s, ok := lookupSetting(l.settings, key)
	switch {
	case ok && src.project && !s.Project:
		l.problem(src.at(name), "%s cannot be set by a project, because a cloned folder must not redirect your questions; set it in your own settings or as %s", key, s.Env())
	case ok:
		l.scalar(src, s, value)
	case key == providersKey && src.project:
		l.problem(src.at(name), "providers cannot be set by a project, because a cloned folder must not redirect your questions; set it in your own settings")
	case key == providersKey:
		l.providers(src, value)
	case key == channelsKey && src.project:
		l.problem(src.at(name), "channels cannot be set by a project, because a cloned folder must not redirect your alerts; set them in your own settings")
	case key == channelsKey:
		l.channels(src, value)
	case key == serversKey:
		l.servers(src, value)
	case key == keysKey && src.project:
		l.problem(src.at(name), "keys cannot be set by a project, because a cloned folder must not change the key that denies a request; set them in your own settings")
	case key == keysKey:
		l.keys(src, value)
	case !l.isSection(key):
		l.problem(src.at(name), "unknown setting %q; %s", key, l.suggest(key))
	case value.Kind != yaml.MappingNode:
		l.problem(src.at(name), "%s is a section; expected indented settings below it", key)
	default:
		l.mapping(src, value, key+".")
	}
}

// scalar reads the value of one setting.
func (l *loader) scalar(src source, s Setting, value *yaml.Node) {
	texts, ok := textsOf(s.Kind, value)
	if !ok {
		l.problem(src.at(value), "%s is %s; expected %s", s.Key, describe(value), s.Expects())
		return
	}
	if s.Kind == Paths {
		texts = l.resolve(texts, filepath.Dir(src.path))
	}
	if err := l.set(s, texts, src.at(value)); err != nil {
		l.problem(src.at(value), "%w", err)
		return
	}
	if s.Secret && src.exposed() {
		l.cfg.Warnings = append(l.cfg.Warnings, fmt.Sprintf(
			"%s contains %s and other users can read it (mode %04o); run: chmod 600 %s", src.path, s.Key, src.mode, src.path))
	}
}

// textsOf returns the value of a node if it has the YAML type of the kind. A number instead of text is
// usually a mistake.
func textsOf(kind Kind, n *yaml.Node) ([]string, bool) {
	want := "!!str"
	switch kind {
	case Switch:
		want = "!!bool"
	case Number:
		want = "!!int"
	case Amount:
		// YAML reads an amount such as 0.50 as a number.
		if tag := n.ShortTag(); tag == "!!float" || tag == "!!int" {
			want = tag
		}
	case Paths:
		return listOf(n)
	}
	return []string{n.Value}, n.Kind == yaml.ScalarNode && n.ShortTag() == want
}

func listOf(n *yaml.Node) ([]string, bool) {
	if n.Kind != yaml.SequenceNode {
		return nil, false
	}
	out := make([]string, len(n.Content))
	for i, item := range n.Content {
		if item.Kind != yaml.ScalarNode || item.ShortTag() != "!!str" || item.Anchor != "" {
			return nil, false
		}
		out[i] = item.Value
	}
	return out, true
}

// describe names the type of a node, never its value, which may be a secret.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a section"
	case yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!null":
		return "empty"
	case "!!bool":
		return "a boolean"
	case "!!int", "!!float":
		return "a number"
	case "!!str":
		return "text"
	default:
		return "a value of type " + n.ShortTag()
	}
}

func hasAlias(n *yaml.Node) bool {
	return n.Kind == yaml.AliasNode || n.Anchor != "" || n.ShortTag() == "!!merge"
}

func (l *loader) isSection(key string) bool {
	for _, s := range l.settings {
		if strings.HasPrefix(s.Key, key+".") {
			return true
		}
	}
	return false
}
