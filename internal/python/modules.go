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

// These bounds limit the local modules of a script and the names that are looked up. Each lookup
// accesses the disk, and a file of a megabyte can import half a million names.
const (
	maxModules = 64
	maxLookups = 10_000
)

// moduleCollector follows imports from a script to the modules in its folder. Other imports must be
// in the runtime.
type moduleCollector struct {
	root         *os.Root // nil without a directory: every import must be in the runtime
	bases        []string // folders searched for absolute imports
	modules      []module
	requirements []requirement
	queue        []module
	lookups      int
	folders      map[string]string // of the modules in other folders, by name; nil until needed
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

// scanImports processes the imports of one source, which belongs to the package within.
func (c *moduleCollector) scanImports(from source, within string) {
	for _, i := range ScanImports(from.text) {
		base, ok := absoluteName(i, within)
		if !ok {
			continue // Python reports this error itself
		}
		if base != "" && i.Level == 0 && !c.addModule(base) {
			c.searchBeside(base)
		}
		if base != "" && !c.addModule(base) {
			if top, _, _ := strings.Cut(base, "."); i.Level == 0 && !i.Optional && !c.hasModule(top) {
				c.requirements = append(c.requirements, requirement{module: top, file: from.path, line: i.Line})
			}
			continue
		}
		for _, name := range i.Names {
			// A name may be a submodule or any name defined in the module.
			if base != "" {
				name = base + "." + name
			}
			c.addModule(name)
		}
	}
}

// searchBeside adds the folder that has a module's file to the folders that are searched, because
// scripts add folders such as scripts/lib to sys.path. Modules of the standard library are not
// replaced.
func (c *moduleCollector) searchBeside(name string) {
	if c.root == nil || c.err != nil {
		return
	}
	if c.folders == nil {
		c.folders = pythonFolders(c.root.FS())
	}
	top, _, _ := strings.Cut(name, ".")
	folder, ok := c.folders[top]
	if ok && !isStandardModule(top) && !slices.Contains(c.bases, folder) {
		c.bases = append(c.bases, folder)
	}
}

// pythonFolders returns the folder of each module and package below the root, the first by path.
func pythonFolders(files fs.FS) map[string]string {
	const most = 5000
	found := map[string]string{}
	seen := 0
	_ = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case seen > most:
			return fs.SkipAll
		case err != nil:
			return nil
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return fs.SkipDir
		}
		module, folder := strings.TrimSuffix(d.Name(), ".py"), path.Dir(name)
		if d.Name() == "__init__.py" {
			module, folder = path.Base(folder), path.Dir(folder)
		} else if module == d.Name() {
			return nil
		}
		if _, known := found[module]; !known {
			found[module] = folder
		}
		return nil
	})
	return found
}

// absoluteName returns the full name of an import, with relative names resolved.
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

// addModule adds a local module and the packages that contain it, and reports whether it is local.
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
		c.err = fmt.Errorf("more than %d imported names", maxLookups)
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
			c.err = fmt.Errorf("import %s: %w", name, err)
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

// findModule looks up a module in one folder in Python's order: package, module, folder without
// __init__.py.
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

// hasPythonFiles reports whether a folder has Python files. Otherwise the folder must not hide a
// standard library module of the same name.
func (c *moduleCollector) hasPythonFiles(folder string) bool {
	entries, err := fs.ReadDir(c.root.FS(), folder)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return path.Ext(e.Name()) == ".py" })
}

// isNotFound reports whether a file does not exist, including when a parent is a file.
func isNotFound(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
