package app_test

import (
	"encoding/json"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/app"
)

func TestVersion_NamesTheCommitThatItWasBuiltFrom(t *testing.T) {
	settings := func(pairs ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{}
		for i := 0; i < len(pairs); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return info
	}
	for _, c := range []struct {
		name   string
		info   *debug.BuildInfo
		ending string
	}{
		{"nothing recorded", nil, "a64)"},
		{"no commit", settings(), "a64)"},
		{"a clean clone", settings("vcs.revision", "0123456789abcdef0123", "vcs.time", "2026-01-02T03:04:05Z", "vcs.modified", "false"), "a64, commit 0123456789ab of 2026-01-02)"},
		{"changed since", settings("vcs.revision", "0123456789abcdef0123", "vcs.time", "2026-01-02T03:04:05Z", "vcs.modified", "true"), "a64, commit 0123456789ab of 2026-01-02, changed)"},
		{"no day", settings("vcs.revision", "0123456789abcdef0123"), "a64, commit 0123456789ab)"},
		{"short words", settings("vcs.revision", "01", "vcs.time", "2026"), "a64, commit 01 of 2026)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := app.ReadBuildInfo(c.info, "0.1.0")
			b.Go, b.Platform = "go1.26.0", "linux/a64"
			if got, want := b.String(), "nfa 0.1.0 (go1.26.0, linux/"+c.ending; got != want {
				t.Errorf("Of(...).String() = %q, want %q", got, want)
			}
		})
	}
}

func TestVersion_JSONLeavesOutWhatIsNotKnown(t *testing.T) {
	raw, err := json.Marshal(app.ReadBuildInfo(nil, "0.1.0"))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"commit", "date", "changed"} {
		if _, there := got[key]; there {
			t.Errorf("a build of which nothing was recorded has %q: %s", key, raw)
		}
	}
	if got["version"] != "0.1.0" || !strings.Contains(got["platform"].(string), "/") {
		t.Errorf("Of(nil) = %s, want its version and platform", raw)
	}
}
