// Package roster knows the agents that can be talked to: each a Markdown file
// whose front matter says who it is, with which tools and which model, and whose
// body is what it is told of its part.
package roster

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

// Default is the agent that answers unless another is asked for.
const Default = "advisor"

// Limits of what is read.
const (
	MaxSize  = 100 << 10 // bytes of one file
	maxFiles = 200
)

// Why a file is not an agent.
var (
	ErrTooLarge       = errors.New("larger than 100 KB")
	ErrNotUTF8        = errors.New("not UTF-8 text")
	ErrNotRegular     = errors.New("not a regular file")
	ErrName           = errors.New("unusable name")
	ErrMisspelt       = errors.New("misspelt key")
	ErrNoInstructions = errors.New("no instructions after the front matter")
	ErrTooMany        = fmt.Errorf("more than %d files", maxFiles)
)

// Source is where an agent comes from.
type Source string

// Sources; a user's agent takes the place of the built-in one of its name.
const (
	SourceBuiltin Source = "builtin"
	SourceUser    Source = "user"
)

// Profile is an agent as its file describes it.
type Profile struct {
	Name         string
	Description  string
	Tools        []string // all that it may use, beside those for skills; nil for every tool
	Model        string   // provider/name, or "" for the one that is set
	Instructions string

	Source   Source
	Path     string
	Text     string // the whole file, byte for byte
	Hides    Source // of the agent of this name that it takes the place of
	Warnings []string
}

// May reports whether the agent may use a tool. The tools for skills are always
// its own.
func (p Profile) May(tool string) bool {
	return p.Tools == nil || tool == "Skill" || tool == "read_skill_file" || slices.Contains(p.Tools, tool)
}

// Fault is a file that is not an agent, and why.
type Fault struct {
	Path string
	Err  error
	Mend string
}

// Roster is what was found. It does not change.
type Roster struct {
	profiles []Profile // by name
	faults   []Fault
}

//go:embed builtin/*.md
var builtin embed.FS

// Open reads the built-in agents and those in dir, a folder that need not be
// there. It never fails: a file that is no agent is a Fault, and the others stand.
func Open(dir string) *Roster {
	r := &Roster{}
	r.read(builtin, "builtin", SourceBuiltin, func(name string) string { return name })
	if _, err := os.Stat(dir); err == nil {
		r.read(os.DirFS(dir), ".", SourceUser, func(name string) string { return filepath.Join(dir, name) })
	} else if !errors.Is(err, fs.ErrNotExist) {
		r.fault(dir, err)
	}
	slices.SortFunc(r.profiles, func(a, b Profile) int { return cmp.Compare(a.Name, b.Name) })
	return r
}

func (r *Roster) read(files fs.FS, dir string, source Source, shown func(string) string) {
	items, err := fs.ReadDir(files, dir)
	if err != nil {
		r.fault(shown("."), err)
		return
	}
	items = slices.DeleteFunc(items, func(e fs.DirEntry) bool {
		return e.IsDir() || strings.HasPrefix(e.Name(), ".") || filepath.Ext(e.Name()) != ".md"
	})
	if len(items) > maxFiles {
		r.fault(shown("."), ErrTooMany)
		items = items[:maxFiles]
	}
	for _, item := range items {
		name := item.Name()
		if dir != "." {
			name = dir + "/" + name
		}
		p, err := readProfile(files, name)
		if err != nil {
			r.fault(shown(name), err)
			continue
		}
		p.Source, p.Path = source, shown(name)
		r.add(p)
	}
}

// add puts an agent in the place of the built-in one of its name. Of two files
// with one name the first stays.
func (r *Roster) add(p Profile) {
	i := slices.IndexFunc(r.profiles, func(other Profile) bool { return other.Name == p.Name })
	switch {
	case i < 0:
		r.profiles = append(r.profiles, p)
	case r.profiles[i].Source == p.Source:
		r.fault(p.Path, fmt.Errorf("%w: %s has the name %s too", ErrName, r.profiles[i].Path, p.Name))
	default:
		p.Hides = r.profiles[i].Source
		r.profiles[i] = p
	}
}

func (r *Roster) fault(path string, err error) {
	r.faults = append(r.faults, Fault{Path: path, Err: err, Mend: mend(err)})
}

func mend(err error) string {
	for _, m := range []struct {
		err    error
		advice string
	}{
		{frontmatter.ErrMissing, "begin the file with a line ---, then name: and description:, then a line ---"},
		{frontmatter.ErrMalformed, "mend the line named; put text in quotes that holds a colon"},
		{frontmatter.ErrAliases, "write the values out instead of using & and *"},
		{ErrName, "give it a name of its own: letters, digits and hyphens"},
		{ErrMisspelt, "correct the key, or take it out: without it the agent would have every tool, or another model"},
		{ErrNoInstructions, "write below the front matter what the agent should do"},
		{ErrTooLarge, "shorten it"},
		{ErrNotUTF8, "save the file as UTF-8"},
		{ErrNotRegular, "make it an ordinary file"},
		{ErrTooMany, "keep only agents in the folder"},
	} {
		if errors.Is(err, m.err) {
			return m.advice
		}
	}
	return "check its owner and its permissions"
}

// readProfile reads one file. Whether it is an ordinary one is asked before
// opening: opening a pipe would wait for somebody to write.
func readProfile(files fs.FS, name string) (Profile, error) {
	info, err := fs.Stat(files, name)
	switch {
	case err != nil:
		return Profile{}, err
	case !info.Mode().IsRegular():
		return Profile{}, ErrNotRegular
	}
	f, err := files.Open(name)
	if err != nil {
		return Profile{}, err
	}
	defer func() { _ = f.Close() }()
	content, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return Profile{}, err
	}
	return Parse(content, strings.TrimSuffix(filepath.Base(name), ".md"))
}

// Parse reads the text of an agent's file; fileName, without its end, is the
// agent's name where the text gives none. What is merely odd is among its
// Warnings. The errors are those of package frontmatter and of this one.
func Parse(content []byte, fileName string) (Profile, error) {
	switch {
	case len(content) > MaxSize:
		return Profile{}, ErrTooLarge
	case !utf8.Valid(content):
		return Profile{}, ErrNotUTF8
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
		Model:        f.Text("model"),
		Instructions: strings.TrimSpace(string(body)),
		Text:         string(content),
	}
	for _, key := range slices.Sorted(maps.Keys(f.Rest())) {
		if meant, ok := misspelt(key); ok {
			return Profile{}, fmt.Errorf("%w: %s: did you mean %s?", ErrMisspelt, key, meant)
		}
		f.Warnings = append(f.Warnings, fmt.Sprintf("%s means nothing here and was ignored", key))
	}
	if p.Description == "" {
		f.Warnings = append(f.Warnings, "it has no description")
	}
	p.Warnings = f.Warnings
	switch {
	case !isName(p.Name):
		return Profile{}, fmt.Errorf("%w: %q", ErrName, p.Name)
	case p.Instructions == "":
		return Profile{}, ErrNoInstructions
	}
	return p, nil
}

// isName accepts what can be typed after a flag and shown in one line.
func isName(name string) bool {
	const longest = 64
	return name != "" && utf8.RuneCountInString(name) <= longest && name[0] != '-' && !strings.ContainsFunc(name, func(r rune) bool {
		return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// List gives the agents by name.
func (r *Roster) List() []Profile { return slices.Clone(r.profiles) }

// Faults are the files that are no agents.
func (r *Roster) Faults() []Fault { return slices.Clone(r.faults) }

// Lookup finds an agent by its name.
func (r *Roster) Lookup(name string) (Profile, bool) {
	name = norm.NFKC.String(strings.TrimSpace(name))
	i := slices.IndexFunc(r.profiles, func(p Profile) bool { return p.Name == name })
	if i < 0 {
		return Profile{}, false
	}
	return r.profiles[i], true
}
