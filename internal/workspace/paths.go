package workspace

import (
	"context"
	"io/fs"
	"os"
	"slices"
)

// mostPaths is how many names Paths looks at.
const mostPaths = 5_000

// passedBy are folders that programs fill and nobody reads in.
var passedBy = []string{"node_modules", "__pycache__"}

// Paths lists the files of the working directory that Read would read by their
// names, the nearest first and in each folder by name. It looks at no more than
// 5,000 names, and passes by what is hidden and what programs fill. A folder that
// cannot be opened is left out. It ends early, with what it has, when ctx ends.
func (w *Workspace) Paths(ctx context.Context) []string {
	start, err := w.locate("")
	if err != nil {
		return nil
	}
	walk := &pathWalk{Workspace: w, left: mostPaths, ahead: []place{start}}
	// By breadth: what is near is there even where the tree is too large.
	for len(walk.ahead) > 0 && walk.left > 0 && ctx.Err() == nil {
		next := walk.ahead[0]
		walk.ahead = walk.ahead[1:]
		walk.look(ctx, next)
	}
	return walk.found
}

type pathWalk struct {
	*Workspace
	left  int // names to look at
	ahead []place
	found []string
}

// look takes in one folder.
func (l *pathWalk) look(ctx context.Context, folder place) {
	at, folder, err := l.open(folder, len(folder.steps), reading)
	if err != nil {
		return
	}
	defer func() { _ = at.Close() }()
	var names []string
	// What stops the listing in the middle leaves what came before.
	_ = eachName(at, func(name string) error {
		if l.left--; l.left < 0 || ctx.Err() != nil {
			return fs.SkipAll
		}
		names = append(names, name)
		return nil
	})
	slices.Sort(names)
	for _, name := range names {
		l.take(at, place{folder.root, append(slices.Clip(folder.steps), name), folder.home})
	}
}

func (l *pathWalk) take(at *os.Root, p place) {
	name := p.steps[len(p.steps)-1]
	locked := p.home && homeAllows(p.steps, reading) != nil
	info, err := at.Lstat(name)
	switch {
	case err != nil || locked || allowed(name) != nil || isSystem(p.abs()):
	case info.Mode().IsRegular():
		l.found = append(l.found, p.String())
	case info.IsDir() && len(p.steps) <= deepest && !slices.Contains(passedBy, name):
		l.ahead = append(l.ahead, p)
	}
}
