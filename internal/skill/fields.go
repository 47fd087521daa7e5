package skill

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"
)

// fields takes typed values out of front matter. A value of the wrong type is a
// warning and counts as absent: one bad option must not cost the whole skill.
type fields struct {
	fm       frontMatter
	read     []string
	warnings []string
}

func (f *fields) take(key string) any {
	f.read = append(f.read, key)
	return f.fm.values[key]
}

func (f *fields) warn(key, wanted string) {
	f.warnings = append(f.warnings, fmt.Sprintf("%s is not %s and was ignored", key, wanted))
}

// text is a scalar as it was written, or "". A list is put back in its brackets,
// because "[file] [language]" is how hints are written and YAML reads the
// shortest of them as a list.
func (f *fields) text(key string) string {
	switch v := f.take(key).(type) {
	case nil:
		return ""
	case string:
		return strings.TrimSpace(v)
	case []any:
		if key == "argument-hint" {
			return "[" + strings.Join(words(v), ", ") + "]"
		}
	case map[string]any:
	default:
		if written, ok := f.fm.written[key]; ok {
			return strings.TrimSpace(written)
		}
		return fmt.Sprint(v)
	}
	f.warn(key, "text")
	return ""
}

func (f *fields) textOr(key, otherwise string) string {
	if s := f.text(key); s != "" {
		return s
	}
	return otherwise
}

// list is a list of words, or one text of words separated by commas or blanks.
func (f *fields) list(key string) []string {
	switch v := f.take(key).(type) {
	case nil:
	case string:
		return splitWords(v)
	case []any:
		return words(v)
	default:
		f.warn(key, "a list")
	}
	return nil
}

func words(items []any) []string {
	out := make([]string, 0, len(items))
	for _, item := range items {
		if item != nil {
			out = append(out, fmt.Sprint(item))
		}
	}
	return out
}

// splitWords leaves parentheses whole: "Bash(git log, git diff) Read" is two.
func splitWords(s string) []string {
	depth := 0
	return strings.FieldsFunc(s, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		return depth <= 0 && (r == ',' || r == ' ' || r == '\t' || r == '\n')
	})
}

func (f *fields) boolean(key string, otherwise bool) bool {
	switch v := f.take(key).(type) {
	case nil:
		return otherwise
	case bool:
		return v
	case string:
		if b, err := strconv.ParseBool(v); err == nil {
			return b
		}
	}
	f.warn(key, "true or false")
	return otherwise
}

func (f *fields) mapping(key string) map[string]any {
	value := f.take(key)
	m, ok := value.(map[string]any)
	if !ok && value != nil {
		f.warn(key, "a map")
	}
	return m
}

func (f *fields) date(key string) time.Time {
	written := f.text(key)
	day, err := time.Parse(time.DateOnly, written)
	if written != "" && err != nil {
		f.warn(key, "a date such as 2026-01-31")
	}
	return day
}

// age is a number of days, weeks or years: 90d, 12w, 1y.
func (f *fields) age(key string) time.Duration {
	written := f.text(key)
	if written == "" {
		return 0
	}
	days := map[byte]int{'d': 1, 'w': 7, 'y': 365}[written[len(written)-1]]
	n, err := strconv.ParseUint(written[:len(written)-1], 10, 16)
	if err != nil || days == 0 || n > 36500 {
		f.warn(key, "an age such as 90d")
		return 0
	}
	return time.Duration(n) * time.Duration(days) * 24 * time.Hour
}

func (f *fields) parameters(key string) []Parameter {
	value := f.take(key)
	items, ok := value.([]any)
	if !ok {
		if value != nil {
			f.warn(key, "a list")
		}
		return nil
	}
	var out []Parameter
	for i, item := range items {
		p := f.parameter(item)
		if p.Name == "" {
			f.warn(fmt.Sprintf("%s[%d]", key, i), "a parameter with a name")
			continue
		}
		out = append(out, p)
	}
	return out
}

func (f *fields) parameter(item any) Parameter {
	if name, ok := item.(string); ok {
		return Parameter{Name: name, Type: "string"}
	}
	m, ok := item.(map[string]any)
	if !ok {
		return Parameter{}
	}
	inner := fields{fm: frontMatter{values: m}}
	p := Parameter{
		Name:        inner.text("name"),
		Type:        inner.textOr("type", "string"),
		Required:    inner.boolean("required", false),
		Description: inner.text("description"),
		Default:     m["default"],
		Enum:        inner.list("enum"),
	}
	for _, warning := range inner.warnings {
		f.warnings = append(f.warnings, fmt.Sprintf("parameter %s: %s", p.Name, warning))
	}
	return p
}

// rest is what no field was read from; nil when that is nothing.
func (f *fields) rest() map[string]any {
	rest := maps.Clone(f.fm.values)
	for _, key := range f.read {
		delete(rest, key)
	}
	if len(rest) == 0 {
		return nil
	}
	return rest
}
