package install

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// Export packs skills of any source into a zip archive that Import takes back
// unchanged. Nothing is written to w unless all can be packed; the same skills
// give the same bytes. It reports the hidden files that were left out.
func (i *Installer) Export(w io.Writer, names ...string) (leftOut []string, err error) {
	var bundles []bundle
	for _, name := range names {
		b, err := i.readBundle(name)
		if err != nil {
			return nil, fmt.Errorf("exporting %s: %w", name, err)
		}
		if slices.ContainsFunc(bundles, func(other bundle) bool { return other.folder == b.folder }) {
			continue
		}
		bundles = append(bundles, b)
		for _, file := range b.leftOut {
			leftOut = append(leftOut, path.Join(b.folder, file))
		}
	}
	slices.SortFunc(bundles, func(a, b bundle) int { return strings.Compare(a.folder, b.folder) })
	if err := writeArchive(w, bundles); err != nil {
		return nil, fmt.Errorf("exporting %s: %w", strings.Join(names, ", "), err)
	}
	return leftOut, nil
}

// readBundle reads a skill of any source, in a folder of its own name.
func (i *Installer) readBundle(name string) (bundle, error) {
	s, fsys, done, err := i.Registry.Files(name)
	if err != nil {
		return bundle{}, err
	}
	defer done()
	return collect(fsys, s.Name)
}
