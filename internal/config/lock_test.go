package config_test

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/nfa-cli/nfa/internal/config"
)

// TestWrite_SeveralAtOnceLoseNoSetting uses a separate lock for each writer, as separate programs
// do.
func TestWrite_SeveralAtOnceLoseNoSetting(t *testing.T) {
	file := filepath.Join(t.TempDir(), "home", "config.yaml")
	settings := map[string]string{"base_currency": "EUR", "benchmark": "VTI", "notify": "bell", "motion": "reduced", "title": "false", "history": "off"}
	var all sync.WaitGroup
	for key, value := range settings {
		all.Go(func() {
			if _, err := config.Write(file, key, value); err != nil {
				t.Errorf("Write(%s, %s) = %v", key, value, err)
			}
		})
	}
	all.Wait()
	cfg, err := config.Load(config.Options{Home: filepath.Dir(file), Env: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	for key := range settings {
		if origin := cfg.Origin(key); origin == "default" {
			t.Errorf("%s is not kept: it is the %s", key, origin)
		}
	}
}
