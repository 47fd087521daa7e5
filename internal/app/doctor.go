package app

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/market/feed"
)

// FindingStatus is the severity of a finding.
type FindingStatus string

// The severities of findings.
const (
	StatusOK      FindingStatus = "ok"
	StatusNote    FindingStatus = "note" // it works, and is worth knowing
	StatusProblem FindingStatus = "problem"
)

// Finding is one result of nfa doctor.
type Finding struct {
	Area    string        `json:"area"`
	Status  FindingStatus `json:"status"`
	Message string        `json:"message"`
	Fix     string        `json:"mend,omitempty"`
	// Probe is the result of a request to a source; nil if no request was made.
	Probe *feed.ProbeResult `json:"probe,omitempty"`
}

func okFinding(area, message, fix string) Finding {
	return Finding{Area: area, Status: StatusOK, Message: message, Fix: fix}
}

func noteFinding(area, message, fix string) Finding {
	return Finding{Area: area, Status: StatusNote, Message: message, Fix: fix}
}

func problemFinding(area, message, fix string) Finding {
	return Finding{Area: area, Status: StatusProblem, Message: message, Fix: fix}
}

// HasProblems reports whether one of the findings is a problem.
func HasProblems(found []Finding) bool {
	return slices.ContainsFunc(found, func(f Finding) bool { return f.Status == StatusProblem })
}

// WriteFindings prints findings, each followed by how to fix it.
func WriteFindings(out io.Writer, found []Finding) error {
	var b strings.Builder
	marks := map[FindingStatus]string{StatusOK: "+", StatusNote: "~", StatusProblem: "!"}
	for _, f := range found {
		fmt.Fprintf(&b, "%s %-8s  %s\n", marks[f.Status], f.Area, markdown.SanitizeLine(f.Message))
		if f.Fix != "" {
			fmt.Fprintf(&b, "            %s\n", markdown.SanitizeLine(f.Fix))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
