package files

import (
	"context"
	"io/fs"
	"os"
	"slices"
)

// maxPaths limits the names that Paths examines. Tests lower it.
var maxPaths = 5_000

// skippedFolders are folders of generated files.
var skippedFolders = []string{"node_modules", "__pycache__"}

// Paths lists the files of the working directory that Read would accept by name, the nearest first
// and each folder by name. It looks at no more than 5,000 names, and skips hidden and generated
// files and folders that it cannot open. If ctx ends, it returns what it has.
func (w *Workspace) Paths(ctx context.Context) []string {
	start, err := w.locate("")
	if err != nil {
		return nil
	}
	walk := &pathWalk{Workspace: w, remaining: maxPaths, queue: []location{start}}
	// Walk breadth first, so that near files are found even in a large tree.
	for len(walk.queue) > 0 && walk.remaining > 0 && ctx.Err() == nil {
		next := walk.queue[0]
		walk.queue = walk.queue[1:]
		walk.visitFolder(ctx, next)
	}
	return walk.found
}

type pathWalk struct {
	*Workspace
	remaining int // names to examine
	queue     []location
	found     []string
}

// visitFolder adds the entries of one folder.
func (l *pathWalk) visitFolder(ctx context.Context, folder location) {
	root, folder, err := l.open(folder, len(folder.segments), purposeRead)
	if err != nil {
		return
	}
	defer func() { _ = root.Close() }()
	var names []string
	// If the listing stops early, keep the names so far.
	_ = eachName(root, func(name string) error {
		if l.remaining--; l.remaining < 0 || ctx.Err() != nil {
			return fs.SkipAll
		}
		names = append(names, name)
		return nil
	})
	slices.Sort(names)
	for _, name := range names {
		l.addPath(root, location{folder.root, append(slices.Clip(folder.segments), name), folder.inHome})
	}
}

func (l *pathWalk) addPath(root *os.Root, p location) {
	name := p.segments[len(p.segments)-1]
	locked := p.inHome && checkHomeAccess(p.segments, purposeRead) != nil
	info, err := root.Lstat(name)
	switch {
	case err != nil || locked || checkName(name) != nil || isSystemPath(p.abs()):
	case info.Mode().IsRegular():
		l.found = append(l.found, p.String())
	case info.IsDir() && len(p.segments) <= maxDepth && !slices.Contains(skippedFolders, name):
		l.queue = append(l.queue, p)
	}
}
