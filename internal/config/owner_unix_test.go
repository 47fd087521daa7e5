//go:build unix

package config_test

import (
	"os"
	"strings"
	"testing"
)

// S1: settings of another user of this computer are not read.
func TestLoad_AProjectFileOfAnotherUserIsIgnored(t *testing.T) {
	p := newTestConfig(t)
	path := p.project("color: never\n")
	if err := os.Chown(path, 65534, -1); err != nil {
		t.Skipf("cannot give a file away: %v", err)
	}
	cfg := p.load()
	if cfg.Color != "auto" || len(cfg.Warnings) != 1 || !strings.Contains(cfg.Warnings[0], path+" was ignored: it belongs to another user") {
		t.Errorf("color = %s, warnings %q", cfg.Color, cfg.Warnings)
	}
}
