package python

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// maxScriptBytes bounds a script and each module it brings along.
const maxScriptBytes = 1 << 20

// inlineName is what inline code is called in tracebacks.
const inlineName = "inline.py"

// Script is Python source as it was read at one moment: the script and the
// modules it imports from its skill's directory. What runs later are these
// bytes, whatever happens to the files meanwhile. It is immutable.
type Script struct {
	dir          string // absolute; empty for inline code without a skill
	main         source
	modules      []module
	requirements []requirement
}

// File names source by its hash, so that a user can check what a confirmation shows.
type File struct {
	Path   string // from the skill's directory, with slashes
	SHA256 string // of its bytes, in hexadecimal
}

type source struct {
	path string // from the skill's directory, with slashes
	text []byte
}

// module is a local module under the name it is imported by. A folder without
// an __init__.py has no source.
type module struct {
	name      string
	source    source
	isPackage bool
}

// requirement is an import that the runtime has to serve.
type requirement struct {
	module string // top level
	file   string
	line   int
}

// OpenScript reads the script at name, a path with slashes below dir, and the local
// modules it imports. A name or a link that leads out of dir is ErrOutsideFolder.
func OpenScript(dir, name string) (*Script, error) {
	s, err := loadScript(dir, func(root *os.Root) (source, error) { return readSource(root, name) })
	if err != nil {
		return nil, fmt.Errorf("reading the script %s: %w", name, err)
	}
	return s, nil
}

// NewScript makes a script of the text of a file that lies in no directory: it may
// import nothing from beside it.
func NewScript(name, text string) *Script {
	main := source{path: name, text: []byte(text)}
	c := moduleCollector{}
	c.scanImports(main, "")
	return &Script{main: main, requirements: c.requirements}
}

// InlineScript makes a script of code. Dir is the skill's directory, from which it
// may import and read; an empty dir means none.
func InlineScript(dir, code string) (*Script, error) {
	main := source{path: inlineName, text: []byte(code)}
	if dir == "" {
		return NewScript(inlineName, code), nil
	}
	s, err := loadScript(dir, func(*os.Root) (source, error) { return main, nil })
	if err != nil {
		return nil, fmt.Errorf("reading inline code: %w", err)
	}
	return s, nil
}

func loadScript(dir string, open func(*os.Root) (source, error)) (*Script, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(absolute)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	main, err := open(root)
	if err != nil {
		return nil, err
	}
	c := moduleCollector{root: root, bases: []string{path.Dir(main.path), "."}}
	if err := c.collect(main); err != nil {
		return nil, err
	}
	return &Script{dir: absolute, main: main, modules: c.modules, requirements: c.requirements}, nil
}

// Files are the script itself and then its local modules.
func (s *Script) Files() []File {
	files := []File{s.main.file()}
	for _, m := range s.modules {
		// A module may import the script itself, under its name.
		if m.source.path != "" && m.source.path != s.main.path {
			files = append(files, m.source.file())
		}
	}
	return files
}

// Path is the script's path from its skill's directory.
func (s *Script) Path() string { return s.main.path }

func (s source) file() File {
	sum := sha256.Sum256(s.text)
	return File{Path: s.path, SHA256: hex.EncodeToString(sum[:])}
}

// readSource reads a regular file inside root.
func readSource(root *os.Root, name string) (source, error) {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return source{}, ErrOutsideFolder
	}
	// Asked before it is opened: opening a named pipe would wait for a writer.
	info, err := root.Stat(local)
	if err != nil {
		return source{}, outsideError(root, local, err)
	}
	if !info.Mode().IsRegular() {
		return source{}, errors.New("not a regular file")
	}
	f, err := root.Open(local)
	if err != nil {
		return source{}, outsideError(root, local, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxScriptBytes+1))
	if err != nil {
		return source{}, err
	}
	if len(text) > maxScriptBytes {
		return source{}, fmt.Errorf("larger than %d KB", maxScriptBytes>>10)
	}
	return source{path: path.Clean(name), text: text}, nil
}

// outsideError names the one refusal of os.Root that has no sentinel: the file is
// there for anyone who follows links, and not inside the root.
func outsideError(root *os.Root, local string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return err
	}
	if _, outside := os.Stat(filepath.Join(root.Name(), local)); outside == nil {
		return ErrOutsideFolder
	}
	return err
}
