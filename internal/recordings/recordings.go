// Package recordings gives tests the recorded responses of real servers. The recordings are not part of
// the repository; without them, tests that need them are skipped.
package recordings

import (
	"os"
	"path/filepath"
	"testing"
)

// Path returns the path of a recorded file or folder. The folder of recordings is fixtures in
// $NFA_FIXTURES, else in the folder shared next to the repository. Path skips the test if
// there is none.
func Path(t testing.TB, elem ...string) string {
	t.Helper()
	root := os.Getenv("NFA_FIXTURES")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				break
			}
			parent := filepath.Dir(dir)
			if parent == dir {
				t.Fatal("go.mod not found above the test")
			}
			dir = parent
		}
		root = filepath.Join(filepath.Dir(dir), "shared")
	}
	path := filepath.Join(append([]string{root, "fixtures"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no recording: %v; set NFA_FIXTURES to the folder that contains fixtures", err)
	}
	return path
}

// Read returns the content of a recorded file. It skips the test if there is none.
func Read(t testing.TB, elem ...string) []byte {
	t.Helper()
	content, err := os.ReadFile(Path(t, elem...))
	if err != nil {
		t.Fatal(err)
	}
	return content
}
