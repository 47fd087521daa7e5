package files

import (
	"os"
	"testing"
)

// LimitPaths lowers how many names Paths examines.
func LimitPaths(t testing.TB, n int) {
	before := maxPaths
	maxPaths = n
	t.Cleanup(func() { maxPaths = before })
}

// SetWriteContent replaces the function that writes content, to simulate failures such as a full disk.
func (w *Workspace) SetWriteContent(writeContent func(*os.File, []byte) error) {
	w.writeContent = writeContent
}

// UnifiedDiff lets tests compare many pairs of texts.
var UnifiedDiff = unifiedDiff
