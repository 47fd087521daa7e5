package python

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/nfa-cli/nfa/internal/python/imports"
)

// What one script may bring along, and how many names it may ask for to find that:
// each is a look at the disk, and a file of a megabyte can ask for half a million.
const (
	maxModules = 64
	maxLookups = 10_000
)

// collector follows imports from a script to the modules beside it. Imports
// that no file there answers are what the runtime needs to have.
type collector struct {
	root    *os.Root // nil without a directory: every import is the runtime's
	bases   []string // folders that absolute imports are looked up in
	modules []module
	needs   []need
	queue   []module
	lookups int
	err     error
}

func (c *collector) collect(main source) error {
	c.follow(main, "")
	for len(c.queue) > 0 && c.err == nil {
		next := c.queue[0]
		c.queue = c.queue[1:]
		within := next.name
		if !next.isPackage {
			within = parent(next.name)
		}
		c.follow(next.source, within)
	}
	return c.err
}

// follow looks at the imports of one source, which is part of the package within.
func (c *collector) follow(from source, within string) {
	for _, i := range imports.Scan(from.text) {
		base, ok := absolute(i, within)
		if !ok {
			continue // Python refuses it in its own words
		}
		if base != "" && !c.bring(base) {
			if top, _, _ := strings.Cut(base, "."); i.Level == 0 && !i.Optional && !c.has(top) {
				c.needs = append(c.needs, need{module: top, file: from.path, line: i.Line})
			}
			continue
		}
		for _, name := range i.Names {
			// A name may be a submodule or anything the module defines.
			if base != "" {
				name = base + "." + name
			}
			c.bring(name)
		}
	}
}

// absolute is the full name of what an import names, relative ones resolved.
func absolute(i imports.Import, within string) (string, bool) {
	if i.Level == 0 {
		return i.Module, true
	}
	if within == "" {
		return "", false
	}
	for range i.Level - 1 {
		if within = parent(within); within == "" {
			return "", false
		}
	}
	if i.Module == "" {
		return within, true
	}
	return within + "." + i.Module, true
}

func parent(name string) string {
	return name[:max(0, strings.LastIndexByte(name, '.'))]
}

// bring adds a module and the packages it lies in, as Python imports them, and
// reports whether it is a local one.
func (c *collector) bring(name string) bool {
	if c.root == nil || c.err != nil {
		return false
	}
	if c.has(name) {
		return true
	}
	if up := parent(name); up != "" && !c.bring(up) {
		return false
	}
	if c.lookups++; c.lookups > maxLookups {
		c.err = fmt.Errorf("more than %d names are imported", maxLookups)
		return false
	}
	for _, base := range c.bases {
		m, err := c.find(base, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && len(c.modules) >= maxModules {
			err = fmt.Errorf("more than %d local modules", maxModules)
		}
		if err != nil {
			c.err = fmt.Errorf("importing %s: %w", name, err)
			return false
		}
		c.modules = append(c.modules, m)
		if m.source.path != "" {
			c.queue = append(c.queue, m)
		}
		return true
	}
	return false
}

func (c *collector) has(name string) bool {
	for _, m := range c.modules {
		if m.name == name {
			return true
		}
	}
	return false
}

// find looks a module up in one folder, in the order Python does: package,
// module, folder without __init__.py.
func (c *collector) find(base, name string) (module, error) {
	at := path.Join(base, strings.ReplaceAll(name, ".", "/"))
	text, err := readSource(c.root, at+"/__init__.py")
	if err == nil {
		return module{name: name, source: text, isPackage: true}, nil
	}
	if !absent(err) {
		return module{}, err
	}
	text, err = readSource(c.root, at+".py")
	if err == nil {
		return module{name: name, source: text}, nil
	}
	if !absent(err) {
		return module{}, err
	}
	if c.holdsPython(at) {
		return module{name: name, isPackage: true}, nil
	}
	return module{}, fs.ErrNotExist
}

// holdsPython keeps a folder of other files from hiding a module of the
// standard library that has its name.
func (c *collector) holdsPython(folder string) bool {
	entries, err := fs.ReadDir(c.root.FS(), folder)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return path.Ext(e.Name()) == ".py" })
}

// absent reports whether there is no such file, a file where a folder would
// have to be included.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
