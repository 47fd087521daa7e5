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
)

// What one script may bring along, and how many names it may ask for to find that:
// each is a look at the disk, and a file of a megabyte can ask for half a million.
const (
	maxModules = 64
	maxLookups = 10_000
)

// moduleCollector follows imports from a script to the modules beside it. Imports
// that no file there answers are what the runtime needs to have.
type moduleCollector struct {
	root         *os.Root // nil without a directory: every import is the runtime's
	bases        []string // folders that absolute imports are looked up in
	modules      []module
	requirements []requirement
	queue        []module
	lookups      int
	err          error
}

func (c *moduleCollector) collect(main source) error {
	c.scanImports(main, "")
	for len(c.queue) > 0 && c.err == nil {
		next := c.queue[0]
		c.queue = c.queue[1:]
		within := next.name
		if !next.isPackage {
			within = parentModule(next.name)
		}
		c.scanImports(next.source, within)
	}
	return c.err
}

// scanImports looks at the imports of one source, which is part of the package within.
func (c *moduleCollector) scanImports(from source, within string) {
	for _, i := range ScanImports(from.text) {
		base, ok := absoluteName(i, within)
		if !ok {
			continue // Python refuses it in its own words
		}
		if base != "" && !c.addModule(base) {
			if top, _, _ := strings.Cut(base, "."); i.Level == 0 && !i.Optional && !c.hasModule(top) {
				c.requirements = append(c.requirements, requirement{module: top, file: from.path, line: i.Line})
			}
			continue
		}
		for _, name := range i.Names {
			// A name may be a submodule or anything the module defines.
			if base != "" {
				name = base + "." + name
			}
			c.addModule(name)
		}
	}
}

// absoluteName is the full name of what an import names, relative ones resolved.
func absoluteName(i Import, within string) (string, bool) {
	if i.Level == 0 {
		return i.Module, true
	}
	if within == "" {
		return "", false
	}
	for range i.Level - 1 {
		if within = parentModule(within); within == "" {
			return "", false
		}
	}
	if i.Module == "" {
		return within, true
	}
	return within + "." + i.Module, true
}

func parentModule(name string) string {
	return name[:max(0, strings.LastIndexByte(name, '.'))]
}

// addModule adds a module and the packages it lies in, as Python imports them, and
// reports whether it is a local one.
func (c *moduleCollector) addModule(name string) bool {
	if c.root == nil || c.err != nil {
		return false
	}
	if c.hasModule(name) {
		return true
	}
	if parentName := parentModule(name); parentName != "" && !c.addModule(parentName) {
		return false
	}
	if c.lookups++; c.lookups > maxLookups {
		c.err = fmt.Errorf("more than %d names are imported", maxLookups)
		return false
	}
	for _, base := range c.bases {
		m, err := c.findModule(base, name)
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

func (c *moduleCollector) hasModule(name string) bool {
	for _, m := range c.modules {
		if m.name == name {
			return true
		}
	}
	return false
}

// findModule looks a module up in one folder, in the order Python does: package,
// module, folder without __init__.py.
func (c *moduleCollector) findModule(base, name string) (module, error) {
	modulePath := path.Join(base, strings.ReplaceAll(name, ".", "/"))
	text, err := readSource(c.root, modulePath+"/__init__.py")
	if err == nil {
		return module{name: name, source: text, isPackage: true}, nil
	}
	if !isNotFound(err) {
		return module{}, err
	}
	text, err = readSource(c.root, modulePath+".py")
	if err == nil {
		return module{name: name, source: text}, nil
	}
	if !isNotFound(err) {
		return module{}, err
	}
	if c.hasPythonFiles(modulePath) {
		return module{name: name, isPackage: true}, nil
	}
	return module{}, fs.ErrNotExist
}

// hasPythonFiles keeps a folder of other files from hiding a module of the
// standard library that has its name.
func (c *moduleCollector) hasPythonFiles(folder string) bool {
	entries, err := fs.ReadDir(c.root.FS(), folder)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return path.Ext(e.Name()) == ".py" })
}

// isNotFound reports whether there is no such file, a file where a folder would
// have to be included.
func isNotFound(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
