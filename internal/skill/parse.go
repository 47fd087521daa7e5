package skill

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Lengths, in characters, from which a name or a description loads with a warning.
const (
	longName        = 50
	longDescription = 1024
)

// Parse reads a whole SKILL.md: its front matter as a Skill, without a place in
// the file system, and the body that follows it. What is merely odd becomes one
// of the skill's Warnings. The errors are ErrNoFrontMatter, ErrMalformedYAML,
// ErrAliases, ErrTooDeep, ErrMissingName, ErrInvalidName, ErrMissingDescription,
// ErrTooLarge and ErrNotUTF8.
func Parse(content []byte) (Skill, string, error) {
	if len(content) > MaxSize {
		return Skill{}, "", ErrTooLarge
	}
	if !utf8.Valid(content) {
		return Skill{}, "", ErrNotUTF8
	}
	yaml, line, body, err := split(content)
	if err != nil {
		return Skill{}, "", err
	}
	fm, err := readFrontMatter(yaml, line)
	if err != nil {
		return Skill{}, "", err
	}
	s, err := fm.skill()
	return s, string(body), err
}

// skill reads the fields. The skill returned with an error holds what was read
// until then, so that a diagnostic can call it by its name.
func (fm frontMatter) skill() (Skill, error) {
	f := fields{fm: fm, warnings: fm.warnings}
	s := Skill{Name: normaliseName(f.text("name"))}
	if s.Name == "" {
		return s, fm.missing(ErrMissingName, "name")
	}
	if err := checkName(s.Name); err != nil {
		return s, err
	}
	s.Description = f.text("description")
	if s.Description == "" {
		return s, fm.missing(ErrMissingDescription, "description")
	}
	s.DisplayName = f.textOr("display_name", titleCase(s.Name))
	s.Version = f.textOr("version", "1.0")
	s.Category = f.text("category")
	s.ArgumentHint = f.text("argument-hint")
	s.License = f.text("license")
	s.Compatibility = f.text("compatibility")
	s.Disclaimer = f.text("disclaimer")
	s.ToolsRequired = f.list("tools_required")
	s.AllowedTools = f.list("allowed-tools")
	s.Parameters = f.parameters("parameters")
	s.AsOf = f.date("as_of")
	s.MaxAge = f.age("max_age")
	s.DisableModelInvocation = f.boolean("disable-model-invocation", false)
	s.UserInvocable = f.boolean("user-invocable", true)
	s.Metadata = f.mapping("metadata")
	s.Extra = f.rest()
	s.Warnings = append(f.warnings, lengthWarnings(s)...)
	return s, nil
}

// missing adds to err the key that was probably meant.
func (fm frontMatter) missing(err error, key string) error {
	for other := range fm.values {
		if other != key && strings.EqualFold(other, key) {
			return fmt.Errorf("%w: found %q, but keys are case-sensitive", err, other)
		}
	}
	if _, given := fm.values[key]; given {
		return fmt.Errorf("%w: %s is there, but holds no text", err, key)
	}
	return err
}

// normaliseName gives names that look alike one spelling.
func normaliseName(name string) string {
	return norm.NFKC.String(strings.TrimSpace(name))
}

// checkName refuses what could leave the line, the quotes or the path that a
// name is shown in. Merely unusual names load.
func checkName(name string) error {
	for _, r := range name {
		if strings.ContainsRune(`/\"<>`, r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return fmt.Errorf("%w: it holds %q", ErrInvalidName, r)
		}
	}
	if name == "." || name == ".." {
		return fmt.Errorf("%w: %q", ErrInvalidName, name)
	}
	return nil
}

func lengthWarnings(s Skill) []string {
	var warnings []string
	if !isPlainName(s.Name) {
		warnings = append(warnings, fmt.Sprintf("name %q is not lower-case letters, digits and single hyphens", s.Name))
	}
	if n := utf8.RuneCountInString(s.Name); n > longName {
		warnings = append(warnings, fmt.Sprintf("the name has %d characters; %d are enough", n, longName))
	}
	if n := utf8.RuneCountInString(s.Description); n > longDescription {
		warnings = append(warnings, fmt.Sprintf("the description has %d characters; the catalogue has room for %d", n, longDescription))
	}
	return warnings
}

func isPlainName(name string) bool {
	return utf8.RuneCountInString(name) >= 2 && !slices.ContainsFunc(strings.Split(name, "-"), func(part string) bool {
		return part == "" || strings.ContainsFunc(part, func(r rune) bool {
			return !unicode.IsDigit(r) && (!unicode.IsLetter(r) || unicode.IsUpper(r))
		})
	})
}
