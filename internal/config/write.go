package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// FilePath is the user's settings file of a home.
func FilePath(home string) string { return filepath.Join(home, fileName) }

// Write gives a setting of the top level a value in a settings file, which it
// makes where there is none, and tells the line. Every other line stays as it is,
// byte for byte. The file is replaced in one step, or left alone.
func Write(path, key, value string) (line int, err error) {
	s, ok := lookup(Settings(), key)
	if !ok || strings.Contains(key, ".") || s.Kind != Text && s.Kind != Choice || s.Secret {
		return 0, fmt.Errorf("%s is not a setting that can be written", key)
	}
	if err := s.parse(&Config{}, []string{value}); err != nil {
		return 0, err
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a link to where the user keeps their settings stays one
	}
	before, mode, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		before, mode, err = nil, 0o600, nil
	}
	if err != nil {
		return 0, err
	}
	after, line, err := withLine(path, before, key, value)
	if err != nil || bytes.Equal(before, after) && before != nil {
		return line, err
	}
	return line, replace(path, after, mode)
}

// withLine is the text with the one line changed, or put at its end.
func withLine(path string, text []byte, key, value string) (after []byte, line int, err error) {
	root, err := document(path, text)
	if err != nil {
		return nil, 0, err
	}
	scalar, err := yaml.Marshal(value)
	if err != nil {
		return nil, 0, fmt.Errorf("writing %s: %w", key, err)
	}
	scalar = bytes.TrimRight(scalar, "\n")
	if root == nil || valueOf(root, key) == nil {
		after, line = appended(text, key, scalar)
	} else {
		node := valueOf(root, key)
		line = node.Line
		if after, err = exchanged(text, node, scalar); err != nil {
			return nil, 0, fmt.Errorf("%s:%d: %w; change it in your editor to: %s: %s", path, line, err, key, scalar)
		}
	}
	if !holds(path, text, after, key, value) {
		return nil, 0, fmt.Errorf("%s: %s cannot be set without touching other lines; add in your editor: %s: %s", path, key, key, scalar)
	}
	return after, line, nil
}

func valueOf(root *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if root.Content[i].Value == key {
			return root.Content[i+1]
		}
	}
	return nil
}

// appended puts the setting on a line of its own after the last, with the line
// ends that the file has.
func appended(text []byte, key string, scalar []byte) (after []byte, line int) {
	end := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		end = "\r\n"
	}
	after = bytes.Clone(text)
	if len(after) > 0 && !bytes.HasSuffix(after, []byte("\n")) {
		after = append(after, end...)
	}
	line = bytes.Count(after, []byte("\n")) + 1
	return fmt.Appendf(after, "%s: %s%s", key, scalar, end), line
}

// exchanged puts scalar in the place of a value that stands on one line.
func exchanged(text []byte, n *yaml.Node, scalar []byte) ([]byte, error) {
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
	if width == 0 { // key: with nothing behind it
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

// columnStart is the byte at which a column begins; YAML counts characters.
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

// scalarWidth is how many bytes of the line a value takes.
func scalarWidth(line []byte, n *yaml.Node) (int, bool) {
	switch {
	case n.Kind != yaml.ScalarNode || n.Tag != "" && n.Style&yaml.TaggedStyle != 0:
		return 0, false
	case n.Value == "" && n.Style == 0:
		return 0, true
	case n.Style == 0:
		return len(n.Value), bytes.HasPrefix(line, []byte(n.Value))
	}
	// Quoted: the width at which what was read is a whole value of the same kind.
	for width := 2; width <= len(line); width++ {
		var value string
		if last := line[width-1]; last == line[0] && (last == '"' || last == '\'') && yaml.Unmarshal(line[:width], &value) == nil && value == n.Value {
			return width, true
		}
	}
	return 0, false
}

// holds checks the work: the text says what it said before, but for the one
// setting.
func holds(path string, before, after []byte, key, value string) bool {
	was, errBefore := contents(path, before)
	is, errAfter := contents(path, after)
	if errBefore != nil || errAfter != nil || is[key] != value {
		return false
	}
	delete(was, key)
	delete(is, key)
	return reflect.DeepEqual(was, is)
}

func contents(path string, text []byte) (map[string]any, error) {
	values := map[string]any{}
	root, err := document(path, text)
	if err != nil || root == nil {
		return values, err
	}
	return values, root.Decode(&values)
}

// replace puts a file in its place in one step.
func replace(path string, text []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("writing the settings: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".config-*")
	if err != nil {
		return fmt.Errorf("writing the settings: %w", err)
	}
	defer os.Remove(f.Name()) // nothing is there once it was renamed
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("writing the settings: %w", err)
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return fmt.Errorf("writing the settings: %w", err)
	}
	return nil
}
