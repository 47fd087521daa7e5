package frontmatter

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// quotePlainText fixes the most common mistake of published skills: an unquoted description with a
// colon in it ("Use when: ..."), or a hint such as "[file] [language]". Values of the first level
// that YAML cannot read as plain text are quoted, with their continuation lines; a warning names
// each.
//
// It also quotes templates at any level ("symbol: {{symbol}}"), which YAML takes for nested maps.
func quotePlainText(src []byte) (repaired []byte, warnings []string) {
	lines := strings.Split(string(src), "\n")
	for i, line := range lines {
		if quoted, key := quoteTemplate(line); key != "" {
			lines[i] = quoted
			warnings = append(warnings, fmt.Sprintf("the value of %s needs quotes in YAML; it was read as plain text", key))
		}
	}
	var out bytes.Buffer
	for i := 0; i < len(lines); {
		key, value, ok := plainField(lines[i])
		next := i + 1
		if ok {
			for next < len(lines) && isContinuation(lines[next]) {
				value += " " + strings.TrimSpace(lines[next])
				next++
			}
		}
		if ok && needsQuotes(key, value) {
			fmt.Fprintf(&out, "%s: %s\n", key, strconv.Quote(value))
			warnings = append(warnings, fmt.Sprintf("the value of %s needs quotes in YAML; it was read as plain text", key))
		} else {
			for _, line := range lines[i:next] {
				out.WriteString(line + "\n")
			}
		}
		i = next
	}
	return out.Bytes(), warnings
}

var templateField = lazyregexp.New(`^(\s*(?:- )?([\w-]+): +)(\{\{[^{}"]*\}\}[^"#]*)$`)

// quoteTemplate quotes a value that starts with a template, and returns its key. key is "" for other
// lines.
func quoteTemplate(line string) (quoted, key string) {
	m := templateField().FindStringSubmatch(strings.TrimRight(line, " \t\r"))
	if m == nil {
		return line, ""
	}
	return m[1] + strconv.Quote(m[3]), m[2]
}

// plainField splits "key: text". ok is false if the text is quoted or starts a block, a tag, an anchor or
// an alias.
func plainField(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, ": ")
	value = strings.TrimSpace(value)
	if !ok || value == "" || !IsKey(key) {
		return "", "", false
	}
	return key, value, !strings.ContainsRune("\"'|>!&*#", rune(value[0]))
}

// IsKey reports whether s can be a key without quotes: letters, digits, - and _.
func IsKey(s string) bool {
	return s != "" && s[0] != '-' && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

func isContinuation(line string) bool {
	return strings.TrimSpace(line) != "" && (line[0] == ' ' || line[0] == '\t')
}

// needsQuotes reports whether YAML cannot parse the field. It is false for lists, because quoting would
// silently turn a broken list into one odd word, and for the name, because a name has no characters
// that need quotes.
func needsQuotes(key, value string) bool {
	switch key {
	case "name", "tools", "tools_required", "allowed-tools", "parameters", "inputs", "metadata", "steps":
		return false
	}
	// Do not let quotes hide control characters, which YAML refuses.
	if strings.ContainsFunc(value, unicode.IsControl) {
		return false
	}
	var node yaml.Node
	return yaml.Unmarshal([]byte(key+": "+value), &node) != nil
}
