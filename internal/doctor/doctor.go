// Package doctor looks at what nfa has to work with, and says of each part whether it is
// sound, what is missing, and how to mend it: the files of a home (Home), the model that
// would answer (Model), where market data come from (Sources), the skills (Skills), the
// agents (Agents) and Python. Looking asks no server, but for Sources.Try. As any start
// does it makes the folder, brings databases up to date and sets one of sessions aside that
// is damaged. Print tells people what was found.
package doctor

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/marketplace"
)

// Status is how grave a finding is.
type Status string

// The three of them.
const (
	OK      Status = "ok"
	Note    Status = "note" // it works, and is worth knowing
	Problem Status = "problem"
)

// Finding is one thing that was found.
type Finding struct {
	Area    string `json:"area"`
	Status  Status `json:"status"`
	Message string `json:"message"`
	Mend    string `json:"mend,omitempty"`
	// Probe is what came of asking a source; nil for what was only looked at.
	Probe *marketplace.Outcome `json:"probe,omitempty"`
}

func ok(area, message, mend string) Finding {
	return Finding{Area: area, Status: OK, Message: message, Mend: mend}
}

func note(area, message, mend string) Finding {
	return Finding{Area: area, Status: Note, Message: message, Mend: mend}
}

func problem(area, message, mend string) Finding {
	return Finding{Area: area, Status: Problem, Message: message, Mend: mend}
}

// Failed reports whether there is a problem among them.
func Failed(found []Finding) bool {
	return slices.ContainsFunc(found, func(f Finding) bool { return f.Status == Problem })
}

// Print writes what was found, with the way to mend it below.
func Print(out io.Writer, found []Finding) error {
	var b strings.Builder
	marks := map[Status]string{OK: "+", Note: "~", Problem: "!"}
	for _, f := range found {
		fmt.Fprintf(&b, "%s %-8s  %s\n", marks[f.Status], f.Area, markdown.SanitizeLine(f.Message))
		if f.Mend != "" {
			fmt.Fprintf(&b, "            %s\n", markdown.SanitizeLine(f.Mend))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
