//go:build unix

package config

import (
	"io/fs"
	"testing"
)

// S1: a file of the administrator counts as the user's own, unless others can write to it.
func TestForeignTo_TrustsTheUserAndTheAdministrator(t *testing.T) {
	for _, row := range []struct {
		owner int
		mode  fs.FileMode
		want  string
	}{
		{1000, 0o666, ""},
		{0, 0o644, ""},
		{0, 0o664, "other users can change it"},
		{0, 0o646, "other users can change it"},
		{1001, 0o600, "it belongs to another user (ID 1001)"},
	} {
		if got := foreignTo(1000, row.owner, row.mode); got != row.want {
			t.Errorf("owner %d, mode %o: %q, want %q", row.owner, row.mode, got, row.want)
		}
	}
}
