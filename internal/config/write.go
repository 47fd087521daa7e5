package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"syscall"

	"go.yaml.in/yaml/v3"

	"github.com/nfa-cli/nfa/internal/atomicfile"
)

// FilePath returns the path of the settings file in a data folder.
func FilePath(home string) string { return filepath.Join(home, fileName) }

// Write sets a value in a settings file and returns its line. It creates the file if needed, keeps all
// other lines byte for byte, and replaces the file atomically. It refuses secrets and lists.
func Write(path, key, value string) (line int, err error) {
	s, ok := lookupSetting(Settings(), key)
	switch {
	case !ok:
		return 0, fmt.Errorf("unknown setting %s; nfa config show lists all", key)
	case s.Secret:
		return 0, fmt.Errorf("%s is a secret; store keys with nfa auth set", key)
	case s.Kind == Paths:
		return 0, fmt.Errorf("%s is a list; edit the file instead", key)
	}
	if err := s.parse(&Config{}, []string{value}); err != nil {
		return 0, err
	}
	err = changeFile(path, func(path string, before []byte) (after []byte, err error) {
		after, line, err = setLine(path, before, s, strings.TrimSpace(value))
		return after, err
	})
	return line, err
}

// changeFile replaces the text of a settings file under a lock. It creates the file if needed, and
// does not write a text that is unchanged.
func changeFile(path string, change func(path string, before []byte) (after []byte, err error)) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // keep a symbolic link
	}
	defer func() {
		if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
			err = fmt.Errorf("%s was not changed: make it and its folder writable, or choose another data folder with --home or NFA_HOME (%w)", path, err)
		}
	}()
	release, err := lockFile(path)
	if err != nil {
		return err
	}
	defer release()
	mode := fs.FileMode(0o600)
	before, info, err := read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		mode = info.Mode().Perm()
	}
	after, err := change(path, before)
	if err != nil || bytes.Equal(before, after) {
		return err
	}
	return replaceFile(path, after, mode)
}

// setLine returns the text with the setting changed or appended.
func setLine(path string, text []byte, s Setting, value string) (after []byte, line int, err error) {
	root, err := parseDocument(path, text)
	if err != nil {
		return nil, 0, err
	}
	scalar, err := s.encode(value)
	if err != nil {
		return nil, 0, fmt.Errorf("write %s: %w", s.Key, err)
	}
	keys := strings.Split(s.Key, ".")
	section, found := findSetting(root, keys)
	switch {
	case found != nil:
		line = found.Line
		if after, err = replaceValue(text, found, scalar); err != nil {
			return nil, 0, fmt.Errorf("%s:%d: %w; change the line in your editor to: %s: %s", path, line, err, s.Key, scalar)
		}
	case section == nil || section == root:
		after, line = appendLine(text, keys, scalar)
	default:
		after, line = insertLine(text, section, keys[len(keys)-1], scalar)
	}
	if !onlyChanged(path, text, after, keys, scalar) {
		return nil, 0, fmt.Errorf("%s: cannot set %s without changing other lines; add in your editor: %s: %s", path, s.Key, s.Key, scalar)
	}
	return after, line, nil
}

// encode returns the value as YAML of the setting's type.
func (s Setting) encode(value string) ([]byte, error) {
	switch s.Kind {
	case Switch:
		on, err := strconv.ParseBool(value)
		return strconv.AppendBool(nil, on), err
	case Number:
		n, err := strconv.Atoi(value)
		return strconv.AppendInt(nil, int64(n), 10), err
	}
	scalar, err := yaml.Marshal(value)
	return bytes.TrimRight(scalar, "\n"), err
}

// findSetting returns the section of the last key, and its value or nil. If a section is missing, it
// returns root.
func findSetting(root *yaml.Node, keys []string) (section, found *yaml.Node) {
	section = root
	for i, key := range keys {
		if section == nil || section.Kind != yaml.MappingNode {
			return nil, nil
		}
		next := valueOf(section, key)
		switch {
		case i == len(keys)-1:
			return section, next
		case next == nil:
			return root, nil
		}
		section = next
	}
	return section, nil
}

func valueOf(root *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == key {
			return root.Content[i+1]
		}
	}
	return nil
}

// lineEnd returns the line ending of the file.
func lineEnd(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// appendLine appends the setting, with its section if it has one.
func appendLine(text []byte, keys []string, scalar []byte) (after []byte, line int) {
	end, indent := lineEnd(text), ""
	after = bytes.Clone(text)
	if len(after) > 0 && !bytes.HasSuffix(after, []byte("\n")) {
		after = append(after, end...)
	}
	for _, section := range keys[:len(keys)-1] {
		after = fmt.Appendf(after, "%s%s:%s", indent, section, end)
		indent += "  "
	}
	line = bytes.Count(after, []byte("\n")) + 1
	return fmt.Appendf(after, "%s%s: %s%s", indent, keys[len(keys)-1], scalar, end), line
}

// insertLine inserts the setting before the first one of its section.
func insertLine(text []byte, section *yaml.Node, key string, scalar []byte) (after []byte, line int) {
	if len(section.Content) == 0 {
		return text, section.Line
	}
	first := section.Content[0]
	start := lineStart(text, first.Line)
	indent := strings.Repeat(" ", first.Column-1)
	after = fmt.Appendf(bytes.Clone(text[:start]), "%s%s: %s%s", indent, key, scalar, lineEnd(text))
	return append(after, text[start:]...), first.Line
}

// replaceValue replaces a value on one line.
func replaceValue(text []byte, n *yaml.Node, scalar []byte) ([]byte, error) {
	start := lineStart(text, n.Line)
	rest := text[start:]
	if end := bytes.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	from := columnStart(rest, n.Column)
	width, ok := scalarWidth(rest[from:], n)
	if !ok {
		return nil, errors.New("the value is not on one line")
	}
	if width == 0 { // "key:" without a value
		scalar = append([]byte(" "), scalar...)
		from = len(bytes.TrimRight(rest[:from], " \t\r"))
	}
	after := bytes.Clone(text[:start+from])
	after = append(after, scalar...)
	return append(after, text[start+from+width:]...), nil
}

func lineStart(text []byte, line int) int {
	start := 0
	for range line - 1 {
		start += bytes.IndexByte(text[start:], '\n') + 1
	}
	return start
}

// columnStart returns the byte offset of a column; YAML counts characters.
func columnStart(line []byte, column int) int {
	at, seen := len(line), 1
	for i := range string(line) {
		if seen == column {
			at = i
			break
		}
		seen++
	}
	return at
}

// scalarWidth returns the length of a value in bytes.
func scalarWidth(line []byte, n *yaml.Node) (int, bool) {
	switch {
	case n.Kind != yaml.ScalarNode || n.Tag != "" && n.Style&yaml.TaggedStyle != 0:
		return 0, false
	case n.Value == "" && n.Style == 0:
		return 0, true
	case n.Style == 0:
		return len(n.Value), bytes.HasPrefix(line, []byte(n.Value))
	}
	// Quoted: the shortest prefix that parses to the same value.
	for width := 2; width <= len(line); width++ {
		var value string
		if last := line[width-1]; last == line[0] && (last == '"' || last == '\'') && yaml.Unmarshal(line[:width], &value) == nil && value == n.Value {
			return width, true
		}
	}
	return 0, false
}

// onlyChanged reports whether the texts differ only in the one setting, which after does not have if
// value is nil.
func onlyChanged(path string, before, after []byte, keys []string, value []byte) bool {
	previous, errBefore := decodeValues(path, before)
	current, errAfter := decodeValues(path, after)
	var want any
	if errBefore != nil || errAfter != nil || yaml.Unmarshal(value, &want) != nil {
		return false
	}
	got, ok := removeKey(current, keys)
	removeKey(previous, keys)
	return ok == (value != nil) && reflect.DeepEqual(got, want) && reflect.DeepEqual(previous, current)
}

// removeKey removes a value and sections that become empty.
func removeKey(values map[string]any, keys []string) (value any, ok bool) {
	if len(keys) == 1 {
		value, ok = values[keys[0]]
		delete(values, keys[0])
		return value, ok
	}
	section, _ := values[keys[0]].(map[string]any)
	value, ok = removeKey(section, keys[1:])
	if len(section) == 0 {
		delete(values, keys[0])
	}
	return value, ok
}

func decodeValues(path string, text []byte) (map[string]any, error) {
	values := map[string]any{}
	root, err := parseDocument(path, text)
	if err != nil || root == nil {
		return values, err
	}
	return values, root.Decode(&values)
}

// replaceFile replaces a file atomically.
func replaceFile(path string, text []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	if err := atomicfile.Replace(path, text, mode); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	return nil
}
