package app

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/tool"
)

// FindingStatus is the severity of a finding.
type FindingStatus string

// The severities of findings.
const (
	StatusOK      FindingStatus = "ok"
	StatusNote    FindingStatus = "note" // works, but worth knowing
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

// Diagnose checks the data folder, the settings, the model, the data, the skills and the agents. It
// continues after errors that stop other commands, so that one problem does not hide the next. It
// sends no request, except one to each configured source if live is set.
func Diagnose(ctx context.Context, o Options, live bool) []Finding {
	findings := []Finding{okFinding("version", "nfa "+o.Version, "")}
	stopped := func(area string, err error, fix string) []Finding {
		return append(findings, problemFinding(area, err.Error(), fix))
	}
	settings, err := LoadSettings(o.CommandLine, o.Env, o.Now)
	if err != nil {
		return stopped("config", err, "fix the file or the variable that it names")
	}
	findings = append(findings, CheckHome(ctx, settings.Home, o.Now)...)
	for _, v := range settings.Values() {
		if v.Origin != "default" {
			findings = append(findings, okFinding("config", v.Key+" = "+v.Value+" from "+v.Origin, ""))
		}
	}
	for _, w := range settings.Warnings {
		findings = append(findings, noteFinding("config", w, ""))
	}
	log, logFile, err := settings.OpenLog()
	if err != nil {
		return stopped("config", err, "")
	}
	defer logFile.Close()
	sources := SourceCheck{}
	if settings.SampleOnly() {
		sources.SampleReason = settings.SampleReason()
	} else {
		sources.Market = OpenMarket(settings, log, nil).Market
	}
	if models, err := OpenModels(settings, log, nil); err != nil {
		findings = stopped("model", err, "")
	} else {
		sources.Keys = models.SourceKeys()
		findings = append(findings, CheckModel(ctx, models.Selector, settings.Model, settings.RequestProfile)...)
	}
	findings = append(findings, sources.Findings()...)
	if a, err := Open(ctx, o); err != nil {
		findings = stopped("start", err, "")
	} else {
		defer a.Close()
		findings = append(findings, SkillCheck{Set: a.Skills.Library, Registry: a.Skills.Registry, Folders: a.SkillPaths}.Findings()...)
		findings = append(findings, CheckAgents(a.Agents)...)
		findings = append(findings, CheckPython(a.Skills.Python.Status(ctx)))
		findings = append(findings, a.checkAlerts(ctx)...)
		findings = append(findings, a.checkUnasked()...)
	}
	if live {
		findings = append(findings, sources.Probe(ctx)...)
	}
	return findings
}

// checkUnasked reports what may happen without approval, and whether models receive amounts.
func (a *App) checkUnasked() []Finding {
	var findings []Finding
	for _, allowed := range tool.Unasked() {
		findings = append(findings, okFinding("approvals", allowed, ""))
	}
	for _, s := range a.Config.Servers {
		if len(s.Read) > 0 {
			findings = append(findings, noteFinding("approvals", fmt.Sprintf("tools of the MCP server %s that may run without approval, because your settings list them as read-only: %s", s.Name, strings.Join(s.Read, ", ")),
				"change mcpServers."+s.Name+".read in "+config.FilePath(a.Home)))
		}
	}
	if a.FolderNotice != "" {
		findings = append(findings, noteFinding("approvals", a.FolderNotice, ""))
	}
	for _, p := range a.StandingApprovals() {
		findings = append(findings, noteFinding("approvals", "always allowed: "+p.Tool+" "+p.Pattern, "revoke it with: nfa config permissions remove "+p.Tool))
	}
	if !a.ShareAmounts {
		return findings
	}
	return append(findings, okFinding("approvals", "models receive the amounts in your portfolio", "hide them with: nfa config set share_amounts false"))
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
		fmt.Fprintf(&b, "%s %-9s  %s\n", marks[f.Status], f.Area, markdown.SanitizeLine(f.Message))
		if f.Fix != "" {
			fmt.Fprintf(&b, "             %s\n", markdown.SanitizeLine(f.Fix))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}
