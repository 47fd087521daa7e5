package skill

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/crash"
)

// Severity is how much a Diagnostic matters.
type Severity string

// Severities. An Error is a system failure, a Warning a skill that cannot be used because of a
// mistake, Info everything else.
const (
	SeverityInfo    Severity = "info"
	SeverityWarning Severity = "warning"
	SeverityError   Severity = "error"
)

// Diagnostic describes a problem of a file or directory that is, or looks like, a skill.
type Diagnostic struct {
	Path     string   `json:"path"`
	Name     string   `json:"name"` // of the skill, or of its directory if the file is unusable
	Source   Source   `json:"source"`
	Reason   string   `json:"reason"`
	Fix      string   `json:"mend"` // what to do about it
	Severity Severity `json:"severity"`
	Err      error    `json:"-"` // nil if the file itself is fine

	skipped bool
}

// Skipped reports that the file or directory is not used.
func (d Diagnostic) Skipped() bool { return d.skipped }

// skippedDiagnostic returns the diagnostic of a SKILL.md, or a directory, that caused err.
func skippedDiagnostic(path, name string, source Source, err error) Diagnostic {
	severity := SeverityWarning
	if errors.Is(err, ErrUnreadable) {
		severity = SeverityError
	}
	return Diagnostic{
		Path: path, Name: name, Source: source,
		Reason: err.Error(), Fix: SuggestFix(err), Severity: severity, Err: err, skipped: true,
	}
}

// shadowedDiagnostic reports a skill that is hidden by another with the same name. Across sources
// this replaces a built-in skill; within one source it is a mistake.
func shadowedDiagnostic(hidden, winner Skill) Diagnostic {
	d := Diagnostic{
		Path: hidden.Path, Name: hidden.Name, Source: hidden.Source, Severity: SeverityInfo, skipped: true,
		Reason: fmt.Sprintf("the %s skill at %s has the same name and overrides it", winner.Source, winner.Path),
		Fix:    "nothing if this is intended; otherwise rename one of them",
	}
	if hidden.Source == winner.Source {
		d.Severity, d.Fix = SeverityWarning, "rename one of them"
	}
	return d
}

// warningDiagnostic returns a warning about a usable skill.
func warningDiagnostic(s Skill, warning string) Diagnostic {
	return Diagnostic{
		Path: s.Path, Name: s.Name, Source: s.Source, Reason: warning,
		Fix: "optional: the skill works, but fix its SKILL.md", Severity: SeverityInfo,
	}
}

// maxLoggedFile is the maximum size of the file of logged diagnostics: enough for 100,000.
const maxLoggedFile = 2 << 20

// diagnosticLog logs each diagnostic once, as long as it stays the same.
type diagnosticLog struct {
	log  zerolog.Logger
	file string // with a hash per line; "" logs all of them
}

func (l diagnosticLog) write(diags []Diagnostic) {
	if l.file == "" {
		for _, d := range diags {
			d.log(&l.log)
		}
		return
	}
	before, _, err := atomicfile.Read(l.file, maxLoggedFile)
	if err != nil && len(diags) == 0 {
		return
	}
	logged := map[string]bool{}
	for line := range strings.Lines(string(before)) {
		logged[strings.TrimSpace(line)] = true
	}
	var now strings.Builder
	for _, d := range diags {
		sum := sha256.Sum256([]byte(d.Path + "\x00" + d.Reason))
		id := hex.EncodeToString(sum[:8])
		now.WriteString(id + "\n")
		if !logged[id] {
			d.log(&l.log)
		}
	}
	if now.String() == string(before) {
		return
	}
	// Without this file they are only logged again.
	if err := os.MkdirAll(filepath.Dir(l.file), 0o700); err == nil {
		_ = atomicfile.Replace(l.file, []byte(now.String()), 0o600)
	}
}

func (d Diagnostic) log(log *zerolog.Logger) {
	event := log.Warn()
	switch d.Severity {
	case SeverityError:
		event = log.Error()
	case SeverityInfo:
		event = log.Info()
	}
	message := "skill skipped"
	if !d.skipped {
		message = "skill loaded with a warning"
	}
	if site := (*crash.Site)(nil); errors.As(d.Err, &site) {
		event = event.Str("panic", site.Kind()).Str("stack", site.Stack())
	}
	event.Str("path", d.Path).Str("source", string(d.Source)).Str("reason", d.Reason).Str("mend", d.Fix).Msg(message)
}
