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
	"slices"
	"strings"
)

// maxScriptBytes limits the size of a script and of each of its modules.
const maxScriptBytes = 1 << 20

// inlineName is the name of inline code in tracebacks.
const inlineName = "inline.py"

// Script is Python source read at one moment: the script and the modules it imports from its
// skill's directory. Exactly these bytes run later, even if the files change. It is immutable.
type Script struct {
	dir          string // absolute; empty for inline code without a skill
	main         source
	modules      []module
	requirements []requirement
}

// File identifies source by its hash, so that a user can compare it with the one in a confirmation.
type File struct {
	Path   string // relative to the skill's directory, with slashes
	SHA256 string // hexadecimal
	Text   string
}

type source struct {
	path string // relative to the skill's directory, with slashes
	text []byte
}

// module is a local module by its import name. A folder without an __init__.py has no source.
type module struct {
	name      string
	source    source
	isPackage bool
}

// requirement is an import that must be in the runtime.
type requirement struct {
	module string // top level
	file   string
	line   int
}

// OpenScript reads the script at name, a slash-separated path below dir, and the local modules it
// imports. A name or a link that points outside dir is ErrOutsideFolder.
func OpenScript(dir, name string) (*Script, error) {
	s, err := loadScript(dir, func(root *os.Root) (source, error) { return readSource(root, name) })
	if err != nil {
		return nil, fmt.Errorf("read script %s: %w", name, err)
	}
	return s, nil
}

// NewScript returns a script for text that is not in a directory. It has no local modules.
func NewScript(name, text string) *Script {
	main := source{path: name, text: []byte(text)}
	c := moduleCollector{}
	c.scanImports(main, "")
	return &Script{main: main, requirements: c.requirements}
}

// InlineScript returns a script for code. dir is the skill's directory, from which it may import
// and read; an empty dir means none.
func InlineScript(dir, code string) (*Script, error) {
	main := source{path: inlineName, text: []byte(code)}
	if dir == "" {
		return NewScript(inlineName, code), nil
	}
	s, err := loadScript(dir, func(*os.Root) (source, error) { return main, nil })
	if err != nil {
		return nil, fmt.Errorf("read inline code: %w", err)
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
	c := moduleCollector{root: root, bases: searchFolders(main.path)}
	if err := c.collect(main); err != nil {
		return nil, err
	}
	return &Script{dir: absolute, main: main, modules: c.modules, requirements: c.requirements}, nil
}

// searchFolders returns the folders where a script's imports are searched: its own and those above it,
// which scripts add to sys.path.
func searchFolders(script string) []string {
	var folders []string
	for folder := path.Dir(script); folder != "."; folder = path.Dir(folder) {
		folders = append(folders, folder)
	}
	return append(folders, ".")
}

// Files returns the script and then its local modules.
func (s *Script) Files() []File {
	files := []File{s.main.file()}
	for _, m := range s.modules {
		// A module may import the script itself by name.
		if m.source.path != "" && m.source.path != s.main.path {
			files = append(files, m.source.file())
		}
	}
	return files
}

// requiredModules returns the top-level modules that the script needs from its runtime.
func (s *Script) requiredModules() []string {
	var modules []string
	for _, n := range s.requirements {
		if !slices.Contains(modules, n.module) {
			modules = append(modules, n.module)
		}
	}
	return modules
}

// UsesNetwork reports whether the script imports a module that makes connections.
func (s *Script) UsesNetwork() bool {
	for _, source := range append([]source{s.main}, moduleSources(s.modules)...) {
		for _, i := range ScanImports(source.text) {
			top, _, _ := strings.Cut(i.Module, ".")
			switch {
			case i.Module == "urllib.request", i.Module == "http.client", i.Module == "urllib" && slices.Contains(i.Names, "request"),
				i.Module == "http" && slices.Contains(i.Names, "client"):
				return true
			case i.Level == 0 && slices.Contains(networkPackages, top):
				return true
			}
		}
	}
	return false
}

// networkPackages are modules whose purpose is to connect to servers.
var networkPackages = []string{
	"socket", "ssl", "ftplib", "smtplib", "imaplib", "poplib", "requests", "httpx", "aiohttp", "urllib3", "websocket", "websockets",
	"yfinance", "pandas_datareader", "fredapi", "ccxt", "finnhub", "alpha_vantage",
}

func moduleSources(modules []module) []source {
	sources := make([]source, len(modules))
	for i, m := range modules {
		sources[i] = m.source
	}
	return sources
}

// Path returns the script's path relative to its skill's directory.
func (s *Script) Path() string { return s.main.path }

func (s source) file() File {
	sum := sha256.Sum256(s.text)
	return File{Path: s.path, SHA256: hex.EncodeToString(sum[:]), Text: string(s.text)}
}

// readSource reads a regular file inside root.
func readSource(root *os.Root, name string) (source, error) {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) {
		return source{}, ErrOutsideFolder
	}
	// Check the type before opening, because opening a named pipe would wait for a writer.
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

// outsideError detects the os.Root error that has no sentinel: the file exists, but following links
// leads outside the root.
func outsideError(root *os.Root, local string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return err
	}
	if _, outside := os.Stat(filepath.Join(root.Name(), local)); outside == nil {
		return ErrOutsideFolder
	}
	return err
}
