package skill

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// Lengths, in characters, above which a name or description causes a warning.
const (
	longName        = 50
	longDescription = 1024
)

// contextFork is the value of context that runs a skill in a separate session.
const contextFork = "fork"

// Parse parses a whole SKILL.md: the front matter as a Skill without a location, and the body after
// it. Unusual input becomes one of the skill's Warnings. The errors are those of package
// frontmatter, ErrMissingName, ErrInvalidName, ErrMissingDescription, ErrTooLarge and ErrNotUTF8.
func Parse(content []byte) (Skill, string, error) {
	if len(content) > MaxSize {
		return Skill{}, "", ErrTooLarge
	}
	if !utf8.Valid(content) {
		return Skill{}, "", ErrNotUTF8
	}
	yaml, line, body, err := frontmatter.Split(content)
	if err != nil {
		return Skill{}, "", err
	}
	fm, err := frontmatter.Read(yaml, line)
	if err != nil {
		return Skill{}, "", err
	}
	s, err := FromFrontMatter(fm)
	return s, string(body), err
}

// FromFrontMatter reads the fields of a skill. If it returns an error, the skill has the fields
// read so far, so that a diagnostic can name it.
func FromFrontMatter(fm frontmatter.Matter) (Skill, error) {
	f := frontmatter.Fields{Matter: fm, Warnings: fm.Warnings}
	s := Skill{Name: CanonicalName(f.Text("name"))}
	if s.Name == "" {
		return s, missingFieldError(fm, ErrMissingName, "name")
	}
	if err := checkName(s.Name); err != nil {
		return s, err
	}
	s.Description = f.Text("description")
	if s.Description == "" {
		return s, missingFieldError(fm, ErrMissingDescription, "description")
	}
	s.DisplayName = f.TextOr("display_name", titleCase(s.Name))
	s.Version = f.TextOr("version", "1.0")
	s.Category = f.Text("category")
	s.License = f.Text("license")
	s.Compatibility = f.Text("compatibility")
	s.Disclaimer = f.Text("disclaimer")
	s.ToolsRequired = f.List("tools_required")
	s.AllowedTools = f.List("allowed-tools")
	if s.AllowedTools == nil && fm.Values["allowed-tools"] != nil {
		s.AllowedTools = []string{} // an unreadable list allows nothing
	}
	s.Parameters = declaredParameters(&f)
	s.ArgumentHint = f.TextOr("argument-hint", workflow.ArgumentHint(s.Parameters))
	s.Steps = workflow.ReadSteps(&f)
	s.Subsession = f.Text("context") == contextFork && len(s.Steps) == 0
	s.Agent, s.Model = f.Text("agent"), f.Text("model")
	s.AsOf = f.Date("as_of")
	s.MaxAge = f.Age("max_age")
	if s.MaxAge > 0 && s.AsOf.IsZero() {
		f.Warnings = append(f.Warnings, "max_age has no effect without as_of")
	}
	s.DisableModelInvocation = f.Boolean("disable-model-invocation", false)
	s.UserInvocable = f.Boolean("user-invocable", true)
	s.Metadata = f.Mapping("metadata")
	s.Extra = f.Unread()
	s.Warnings = append(f.Warnings, nameWarnings(s)...)
	return s, nil
}

func declaredParameters(f *frontmatter.Fields) []workflow.Parameter {
	key := ParametersKey(f.Matter)
	f.Take("parameters")
	if isSet(f.Take("inputs")) && key == "parameters" {
		f.Warnings = append(f.Warnings, "inputs is an alias of parameters, which is also set; inputs was ignored")
	}
	return workflow.ReadParameters(f, key)
}

// ParametersKey returns the key that declares the parameters: parameters, or inputs if only that is
// set.
func ParametersKey(fm frontmatter.Matter) string {
	if !isSet(fm.Values["parameters"]) && isSet(fm.Values["inputs"]) {
		return "inputs"
	}
	return "parameters"
}

// isSet treats an empty list as unset, because skill templates contain empty lists.
func isSet(value any) bool {
	list, isList := value.([]any)
	return value != nil && (!isList || len(list) > 0)
}

// missingFieldError adds the key that was probably meant to err.
func missingFieldError(fm frontmatter.Matter, err error, key string) error {
	for other := range fm.Values {
		if other != key && strings.EqualFold(other, key) {
			return fmt.Errorf("%w: found %q, but keys are case-sensitive", err, other)
		}
	}
	if _, present := fm.Values[key]; present {
		return fmt.Errorf("%w: %s has no text", err, key)
	}
	return err
}

// CanonicalName returns one spelling for names that look alike.
func CanonicalName(name string) string {
	return norm.NFKC.String(strings.TrimSpace(name))
}

// checkName rejects names that could break out of a line, quotes or a path. Unusual names are
// accepted.
func checkName(name string) error {
	for _, r := range name {
		if strings.ContainsRune(`/\"<>`, r) || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return fmt.Errorf("%w: it contains %q", ErrInvalidName, r)
		}
	}
	if name == "." || name == ".." {
		return fmt.Errorf("%w: %q", ErrInvalidName, name)
	}
	return nil
}

func nameWarnings(s Skill) []string {
	var warnings []string
	if !isPlainName(s.Name) {
		warnings = append(warnings, fmt.Sprintf("name %q is not lower-case letters, digits and single hyphens", s.Name))
	}
	warnings = append(warnings, LookalikeWarnings(s.Name)...)
	if n := utf8.RuneCountInString(s.Name); n > longName {
		warnings = append(warnings, fmt.Sprintf("the name has %d characters; use at most %d", n, longName))
	}
	if n := utf8.RuneCountInString(s.Description); n > longDescription {
		warnings = append(warnings, fmt.Sprintf("the description has %d characters; the catalog shows at most %d", n, longDescription))
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
