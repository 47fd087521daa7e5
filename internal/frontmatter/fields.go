package frontmatter

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"
)

// Fields reads typed values from front matter. A value of the wrong type becomes a warning and
// counts as absent, because one bad option must not make a skill unusable.
type Fields struct {
	Matter   Matter
	read     []string
	Warnings []string
}

// Take returns a value as YAML parsed it and marks it as read.
func (f *Fields) Take(key string) any {
	f.read = append(f.read, key)
	return f.Matter.Values[key]
}

// Warn adds a warning that a value is not of the wanted type.
func (f *Fields) Warn(key, wanted string) {
	f.Warnings = append(f.Warnings, fmt.Sprintf("%s is not %s and was ignored", key, wanted))
}

// Text returns a scalar as written, or "". It returns an argument-hint that is a list in brackets,
// because YAML reads the hint "[file]" as a list.
func (f *Fields) Text(key string) string {
	switch v := f.Take(key).(type) {
	case nil:
		return ""
	case string:
		return strings.TrimSpace(v)
	case []any:
		if key == "argument-hint" {
			return "[" + strings.Join(toWords(v), ", ") + "]"
		}
	case map[string]any:
	default:
		if written, ok := f.Matter.Written[key]; ok {
			return strings.TrimSpace(written)
		}
		return fmt.Sprint(v)
	}
	f.Warn(key, "text")
	return ""
}

// TextOr returns Text, or fallback if that is empty.
func (f *Fields) TextOr(key, fallback string) string {
	if s := f.Text(key); s != "" {
		return s
	}
	return fallback
}

// List returns the items of a list, or the words of a text separated by commas or spaces.
func (f *Fields) List(key string) []string {
	switch v := f.Take(key).(type) {
	case nil:
	case string:
		return splitWords(v)
	case []any:
		return toWords(v)
	default:
		f.Warn(key, "a list")
	}
	return nil
}

func toWords(items []any) []string {
	out := make([]string, 0, len(items))
	for _, item := range items {
		if item != nil {
			out = append(out, fmt.Sprint(item))
		}
	}
	return out
}

// splitWords does not split inside parentheses: "Bash(git log, git diff) Read" is two words.
func splitWords(s string) []string {
	depth := 0
	return strings.FieldsFunc(s, func(r rune) bool {
		switch r {
		case '(':
			depth++
		case ')':
			depth = max(0, depth-1)
		}
		return depth == 0 && (r == ',' || r == ' ' || r == '\t' || r == '\n')
	})
}

// Boolean returns a boolean, or fallback if the value is not one.
func (f *Fields) Boolean(key string, fallback bool) bool {
	switch v := f.Take(key).(type) {
	case nil:
		return fallback
	case bool:
		return v
	case string:
		switch strings.ToLower(v) {
		case "yes", "on":
			return true
		case "no", "off":
			return false
		}
		if b, err := strconv.ParseBool(v); err == nil {
			return b
		}
	}
	f.Warn(key, "true or false")
	return fallback
}

// Mapping returns a map, or nil.
func (f *Fields) Mapping(key string) map[string]any {
	value := f.Take(key)
	m, ok := value.(map[string]any)
	if !ok && value != nil {
		f.Warn(key, "a map")
	}
	return m
}

// Date returns a date written as 2026-01-31, or zero if there is none.
func (f *Fields) Date(key string) time.Time {
	written := f.Text(key)
	day, err := time.Parse(time.DateOnly, written)
	if written != "" && err != nil {
		f.Warn(key, "a date such as 2026-01-31")
	}
	return day
}

// Age returns a duration in days, weeks or years: 90d, 12w, 1y.
func (f *Fields) Age(key string) time.Duration {
	written := f.Text(key)
	if written == "" {
		return 0
	}
	days := map[byte]int{'d': 1, 'w': 7, 'y': 365}[written[len(written)-1]]
	n, err := strconv.ParseUint(written[:len(written)-1], 10, 16)
	if err != nil || days == 0 || n > 36500 {
		f.Warn(key, "an age such as 90d")
		return 0
	}
	return time.Duration(n) * time.Duration(days) * 24 * time.Hour
}

// Unread returns the fields that were not read, or nil.
func (f *Fields) Unread() map[string]any {
	rest := maps.Clone(f.Matter.Values)
	for _, key := range f.read {
		delete(rest, key)
	}
	if len(rest) == 0 {
		return nil
	}
	return rest
}
