package skill

import (
	"errors"
	"fmt"

	"github.com/rs/zerolog"

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
		Reason: fmt.Sprintf("the %s skill at %s has the same name and hides it", winner.Source, winner.Path),
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
