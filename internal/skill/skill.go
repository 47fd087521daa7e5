package skill

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// FileName is the file that makes a directory a skill.
const FileName = "SKILL.md"

// MaxSize is the maximum size of a SKILL.md, in bytes.
const MaxSize = 100 << 10

// Source is where a skill comes from. It decides which of two skills with one name wins.
type Source string

// Sources, lowest precedence first. SourceStore is the database that replaces a skills folder
// without write permission; it ranks like SourceUser.
const (
	SourceBuiltin Source = "builtin"
	SourceShared  Source = "shared"
	SourceUser    Source = "user"
	SourceStore   Source = "store"
	SourceProject Source = "project"
)

func (s Source) rank() int {
	switch s {
	case SourceShared:
		return 1
	case SourceUser, SourceStore:
		return 2
	case SourceProject:
		return 3
	default:
		return 0
	}
}

// Skill is the front matter of a SKILL.md and its location. Skills are shared between callers, who
// must not change their lists and maps.
type Skill struct {
	Name        string
	DisplayName string // default: the name in title case
	Description string
	Version     string // default: "1.0"
	Category    string

	ArgumentHint  string // default: from the parameters
	License       string
	Compatibility string
	Disclaimer    string

	// ToolsRequired are the tools that the skill needs; AllowedTools, if set, are the only tools
	// that it may use.
	ToolsRequired []string
	AllowedTools  []string
	Parameters    []workflow.Parameter

	// Steps make the skill a workflow that nfa runs itself; empty if a model follows the skill.
	Steps []workflow.Step

	// Subsession means that a model follows the skill in a separate session ("context: fork"). Agent and
	// Model are those that the skill names; empty means those of the session that uses it.
	Subsession   bool
	Agent, Model string

	// AsOf is the date of the skill's facts and MaxAge how long they are valid; zero if not set.
	AsOf   time.Time
	MaxAge time.Duration

	DisableModelInvocation bool // only the user may start it
	UserInvocable          bool // default: true

	Metadata map[string]any
	Extra    map[string]any // unknown keys

	Source    Source
	Path      string // of the SKILL.md
	Directory string // of the SKILL.md
	Alias     string // directory name, an alternative name of the skill
	Warnings  []string
}

// HasTool reports whether a tool runs the skill: its steps, or its own session.
func (s Skill) HasTool() bool { return len(s.Steps) > 0 || s.Subsession }

// StaleWarning returns a warning if the facts of the skill are older than its MaxAge, or "".
func (s Skill) StaleWarning(now time.Time) string {
	if s.AsOf.IsZero() || s.MaxAge == 0 || !now.After(s.AsOf.Add(s.MaxAge)) {
		return ""
	}
	return fmt.Sprintf("the rules and limits in this skill are as of %s and expired on %s; check them before you rely on them",
		s.AsOf.Format(time.DateOnly), s.AsOf.Add(s.MaxAge).Format(time.DateOnly))
}

// titleCase returns "Get Price" for "get-price".
func titleCase(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || unicode.IsSpace(r) })
	for i, w := range words {
		first, size := utf8.DecodeRuneInString(w)
		words[i] = string(unicode.ToUpper(first)) + w[size:]
	}
	return strings.Join(words, " ")
}
