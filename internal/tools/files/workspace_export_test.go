package files

import (
	"os"
	"testing"
)

// LimitPaths lowers how many names Paths looks at for a test.
func LimitPaths(t testing.TB, n int) {
	before := maxPaths
	maxPaths = n
	t.Cleanup(func() { maxPaths = before })
}

// SetWriteContent makes writes end as fill says, as a full disk would.
func (w *Workspace) SetWriteContent(writeContent func(*os.File, []byte) error) {
	w.writeContent = writeContent
}

// UnifiedDiff is open to tests of many pairs of texts.
var UnifiedDiff = unifiedDiff
