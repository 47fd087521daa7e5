package agent

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/nfa-cli/nfa/internal/frontmatter"
)

// DefaultProfile is the agent that answers unless another is selected.
const DefaultProfile = "advisor"

// Limits for reading files.
const (
	MaxProfileSize = 100 << 10 // bytes of one file
	maxProfiles    = 200
)

// Reasons why a file is not an agent.
var (
	ErrProfileTooLarge   = errors.New("larger than 100 KB")
	ErrProfileNotUTF8    = errors.New("not UTF-8 text")
	ErrProfileNotRegular = errors.New("not a regular file")
	ErrProfileName       = errors.New("invalid name")
	ErrProfileKey        = errors.New("misspelled key")
	ErrNoInstructions    = errors.New("no instructions after the front matter")
	ErrTooManyProfiles   = fmt.Errorf("more than %d files", maxProfiles)
)

// ProfileSource is the origin of an agent.
type ProfileSource string

// Sources. A user's agent replaces the built-in one of the same name.
const (
	ProfileBuiltin ProfileSource = "builtin"
	ProfileUser    ProfileSource = "user"
)

// Profile is an agent, as its file defines it.
type Profile struct {
	Name         string
	Description  string
	Tools        []string // tools the agent may use in addition to those for skills; nil means all
	Core         []string // tools in the first request; nil means the default
	Model        string   // provider/name, or "" for the user's model
	Instructions string

	Source    ProfileSource
	Path      string
	Text      string        // the whole file, byte for byte
	Overrides ProfileSource // source of the agent that this one overrides
	Warnings  []string
}

// Allows reports whether the agent may use a tool. Tools for skills are always allowed.
func (p Profile) Allows(tool string) bool {
	return p.Tools == nil || tool == "Skill" || tool == "read_skill_file" || slices.Contains(p.Tools, tool) ||
		tool == "run_skill_script" && slices.Contains(p.Tools, "python")
}

// ProfileError is the reason why a file is not a valid agent.
type ProfileError struct {
	Path string
	Err  error
	Fix  string
}

// Profiles holds the agents that were found. It is immutable.
type Profiles struct {
	profiles []Profile // by name
	errors   []ProfileError
}

//go:embed builtin/*.md
var builtinProfiles embed.FS

// LoadProfiles reads the built-in agents and those in dir, a folder that need not exist. It never
// fails: a file that is not an agent becomes a ProfileError, and the other agents are loaded.
func LoadProfiles(dir string) *Profiles {
	r := &Profiles{}
	r.read(builtinProfiles, "builtin", ProfileBuiltin, func(name string) string { return name })
	if _, err := os.Stat(dir); err == nil {
		r.read(os.DirFS(dir), ".", ProfileUser, func(name string) string { return filepath.Join(dir, name) })
	} else if !errors.Is(err, fs.ErrNotExist) {
		r.addError(dir, err)
	}
	slices.SortFunc(r.profiles, func(a, b Profile) int { return cmp.Compare(a.Name, b.Name) })
	return r
}

// FindProfile returns the agent with this name. If dir does not exist, it reads only the file of the
// built-in agent.
func FindProfile(dir, name string) (Profile, bool) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && filepath.IsLocal(name) {
		path := "builtin/" + name + ".md"
		p, err := readProfile(builtinProfiles, path)
		p.Source, p.Path = ProfileBuiltin, path
		return p, err == nil
	}
	return LoadProfiles(dir).Lookup(name)
}

func (r *Profiles) read(files fs.FS, dir string, source ProfileSource, displayPath func(string) string) {
	items, err := fs.ReadDir(files, dir)
	if err != nil {
		r.addError(displayPath("."), err)
		return
	}
	items = slices.DeleteFunc(items, func(e fs.DirEntry) bool {
		return e.IsDir() || strings.HasPrefix(e.Name(), ".") || filepath.Ext(e.Name()) != ".md"
	})
	if len(items) > maxProfiles {
		r.addError(displayPath("."), ErrTooManyProfiles)
		items = items[:maxProfiles]
	}
	for _, item := range items {
		name := item.Name()
		if dir != "." {
			name = dir + "/" + name
		}
		p, err := readProfile(files, name)
		if err != nil {
			r.addError(displayPath(name), err)
			continue
		}
		p.Source, p.Path = source, displayPath(name)
		r.add(p)
	}
}

// add adds an agent, replacing the built-in one of the same name. Of two files with the same name, the
// first counts.
func (r *Profiles) add(p Profile) {
	i := slices.IndexFunc(r.profiles, func(other Profile) bool { return other.Name == p.Name })
	switch {
	case i < 0:
		r.profiles = append(r.profiles, p)
	case r.profiles[i].Source == p.Source:
		r.addError(p.Path, fmt.Errorf("%w: %s also has the name %s", ErrProfileName, r.profiles[i].Path, p.Name))
	default:
		p.Overrides = r.profiles[i].Source
		r.profiles[i] = p
	}
}

func (r *Profiles) addError(path string, err error) {
	r.errors = append(r.errors, ProfileError{Path: path, Err: err, Fix: profileFix(err)})
}

func profileFix(err error) string {
	for _, m := range []struct {
		err    error
		advice string
	}{
		{frontmatter.ErrMissing, "start the file with a line ---, then name: and description:, then a line ---"},
		{frontmatter.ErrMalformed, "fix this line: quote text that contains a colon"},
		{frontmatter.ErrAliases, "write the values instead of & and *"},
		{ErrProfileName, "choose a unique name of letters, digits and hyphens"},
		{ErrProfileKey, "correct or remove the key; if nfa ignored it, the agent would have all tools or another model"},
		{ErrNoInstructions, "write the instructions below the front matter"},
		{ErrProfileTooLarge, "shorten it"},
		{ErrProfileNotUTF8, "save the file as UTF-8"},
		{ErrProfileNotRegular, "use a regular file"},
		{ErrTooManyProfiles, "keep only agent files in the folder"},
	} {
		if errors.Is(err, m.err) {
			return m.advice
		}
	}
	return "check the owner and permissions"
}

// readProfile reads one file. It checks that the file is regular before opening it, because opening a pipe
// would block.
func readProfile(files fs.FS, name string) (Profile, error) {
	info, err := fs.Stat(files, name)
	switch {
	case err != nil:
		return Profile{}, err
	case !info.Mode().IsRegular():
		return Profile{}, ErrProfileNotRegular
	}
	f, err := files.Open(name)
	if err != nil {
		return Profile{}, err
	}
	defer func() { _ = f.Close() }()
	content, err := io.ReadAll(io.LimitReader(f, MaxProfileSize+1))
	if err != nil {
		return Profile{}, err
	}
	return ParseProfile(content, strings.TrimSuffix(filepath.Base(name), ".md"))
}

// ParseProfile parses the file of an agent. If the file does not name the agent, fileName is its name.
// Minor problems become Warnings. Errors are those of this package and of frontmatter.
func ParseProfile(content []byte, fileName string) (Profile, error) {
	switch {
	case len(content) > MaxProfileSize:
		return Profile{}, ErrProfileTooLarge
	case !utf8.Valid(content):
		return Profile{}, ErrProfileNotUTF8
	}
	src, line, body, err := frontmatter.Split(content)
	if err != nil {
		return Profile{}, err
	}
	matter, err := frontmatter.Read(src, line)
	if err != nil {
		return Profile{}, err
	}
	f := frontmatter.Fields{Matter: matter, Warnings: matter.Warnings}
	p := Profile{
		Name:         norm.NFKC.String(f.TextOr("name", fileName)),
		Description:  f.Text("description"),
		Tools:        f.List("tools"),
		Core:         f.List("core"),
		Model:        f.Text("model"),
		Instructions: strings.TrimSpace(string(body)),
		Text:         string(content),
	}
	for _, key := range slices.Sorted(maps.Keys(f.Unread())) {
		if intended, ok := intendedKey(key); ok {
			return Profile{}, fmt.Errorf("%w: %s: did you mean %s?", ErrProfileKey, key, intended)
		}
		f.Warnings = append(f.Warnings, fmt.Sprintf("unknown key %s was ignored", key))
	}
	for _, name := range p.Core {
		if !p.Allows(name) {
			f.Warnings = append(f.Warnings, fmt.Sprintf("core lists %s, which is not one of the agent's tools", name))
		}
	}
	if p.Description == "" {
		f.Warnings = append(f.Warnings, "no description")
	}
	p.Warnings = f.Warnings
	switch {
	case !isProfileName(p.Name):
		return Profile{}, fmt.Errorf("%w: %q", ErrProfileName, p.Name)
	case p.Instructions == "":
		return Profile{}, ErrNoInstructions
	}
	return p, nil
}

// isProfileName accepts names that can be typed after a flag and shown in one line.
func isProfileName(name string) bool {
	const longest = 64
	return name != "" && utf8.RuneCountInString(name) <= longest && name[0] != '-' && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// List returns the agents, sorted by name.
func (r *Profiles) List() []Profile { return slices.Clone(r.profiles) }

// Errors returns the files that are not valid agents.
func (r *Profiles) Errors() []ProfileError { return slices.Clone(r.errors) }

// Lookup returns the agent with this name.
func (r *Profiles) Lookup(name string) (Profile, bool) {
	name = norm.NFKC.String(strings.TrimSpace(name))
	i := slices.IndexFunc(r.profiles, func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return Profile{}, false
	}
	return r.profiles[i], true
}
