package app

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// BuildInfo describes one program file. Commit and Date are empty if Go did not record them, which
// happens outside a clone and with -buildvcs=false.
type BuildInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"`    // of the commit, RFC 3339
	Changed  bool   `json:"changed,omitempty"` // built from files that differ from the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// ReadBuildInfo returns what Go recorded in this program, with the given version. info may be nil.
func ReadBuildInfo(info *debug.BuildInfo, version string) BuildInfo {
	b := BuildInfo{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info != nil {
		b.Commit, b.Date = buildSetting(info, "vcs.revision"), buildSetting(info, "vcs.time")
		b.Changed = buildSetting(info, "vcs.modified") == "true"
	}
	return b
}

// buildSetting returns a build setting, or "" if Go did not record it.
func buildSetting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// String returns the line that nfa version prints.
func (b BuildInfo) String() string {
	facts := []string{b.Go, b.Platform}
	if b.Commit != "" {
		from := "commit " + b.Commit[:min(len(b.Commit), 12)]
		if b.Date != "" {
			from += " of " + b.Date[:min(len(b.Date), len("2006-01-02"))]
		}
		if b.Changed {
			from += ", changed"
		}
		facts = append(facts, from)
	}
	return "nfa " + b.Version + " (" + strings.Join(facts, ", ") + ")"
}
