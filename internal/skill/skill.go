package skill

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// FileName is the file that makes a directory a skill.
const FileName = "SKILL.md"

// MaxSize is the longest SKILL.md, in bytes, that is accepted.
const MaxSize = 100 << 10

// Source is where a skill comes from. It decides who wins when two skills have
// one name.
type Source string

// Sources, lowest precedence first. SourceStore is the database that stands in for a skills folder
// that cannot be written; it ranks as SourceUser does.
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

// Skill is what the front matter of one SKILL.md says, and where it was found.
// Skills are shared between callers, who must not change their lists and maps.
type Skill struct {
	Name        string
	DisplayName string // default: the name in title case
	Description string
	Version     string // default: "1.0"
	Category    string

	ArgumentHint  string // default: made of the parameters
	License       string
	Compatibility string
	Disclaimer    string

	// ToolsRequired are tools without which the skill cannot do its work;
	// AllowedTools, where given, are all that it may use.
	ToolsRequired []string
	AllowedTools  []string
	Parameters    []workflow.Parameter

	// Steps make it a workflow, which the program runs by itself; none in a skill
	// that a model follows.
	Steps []workflow.Step

	// AsOf is the date its facts were true and MaxAge how long they may be
	// relied on; zero when the skill does not say.
	AsOf   time.Time
	MaxAge time.Duration

	DisableModelInvocation bool // only the user may start it
	UserInvocable          bool // default: true

	Metadata map[string]any
	Extra    map[string]any // keys this package gives no meaning to

	Source    Source
	Path      string // of the SKILL.md
	Directory string // that holds it
	Alias     string // the directory's own name, by which it is found too
	Warnings  []string
}

// titleCase makes "get-price" the "Get Price" that menus show.
func titleCase(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || unicode.IsSpace(r) })
	for i, w := range words {
		first, size := utf8.DecodeRuneInString(w)
		words[i] = string(unicode.ToUpper(first)) + w[size:]
	}
	return strings.Join(words, " ")
}
