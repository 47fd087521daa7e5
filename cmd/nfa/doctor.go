package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/pattern"
	"github.com/nfa-cli/nfa/internal/roster"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/sqlite"
)

// check is one line of what doctor found.
type check struct {
	Area string `json:"area"`
	// Status is ok, note (works, worth knowing) or problem.
	Status  string `json:"status"`
	Message string `json:"message"`
	Mend    string `json:"mend,omitempty"`
}

const (
	statusOK      = "ok"
	statusNote    = "note"
	statusProblem = "problem"
)

func newDoctor(g *globals) *cobra.Command {
	var asJSON, live bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is configured, what is missing, and what was skipped and why",
		Long: `doctor looks at the home, the book, the settings, the model, the data and the skills. It asks
no server, but with --live each source of market data that is set up, once. It
exits with 1 when it finds a problem.`,
		Example: "  nfa doctor\n  nfa doctor --live",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var found []finding
			for _, c := range examine(cmd.Context(), g) {
				found = append(found, finding{check: c})
			}
			if live {
				found = append(found, tryData(cmd.Context(), g)...)
			}
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			if asJSON {
				if err := console.JSON(g.out, found); err != nil {
					return err
				}
			} else if err := printFindings(g, found); err != nil {
				return err
			}
			for _, c := range found {
				if c.Status == statusProblem {
					return &exitError{code: exitFailure}
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().BoolVar(&live, "live", false, "ask each source of market data whether it answers")
	return cmd
}

func printFindings(g *globals, found []finding) error {
	var b strings.Builder
	marks := map[string]string{statusOK: "+", statusNote: "~", statusProblem: "!"}
	for _, c := range found {
		fmt.Fprintf(&b, "%s %-8s  %s\n", marks[c.Status], c.Area, markdown.SanitizeLine(c.Message))
		if c.Mend != "" {
			fmt.Fprintf(&b, "            %s\n", markdown.SanitizeLine(c.Mend))
		}
	}
	_, err := io.WriteString(g.out, b.String())
	return err
}

// examine goes on where a verb would stop: one fault must not hide the next.
func examine(ctx context.Context, g *globals) []check {
	checks := []check{{"version", statusOK, "nfa " + versionText(), ""}}
	cfg, home, err := g.settings(wiring{})
	if err != nil {
		return append(checks, check{"config", statusProblem, err.Error(), "mend the file or the variable it names"})
	}
	checks = append(checks, checkHome(home), checkStore(ctx, home), checkBook(ctx, home))
	checks = append(checks, checkDamaged(home)...)
	for _, v := range cfg.Values() {
		if v.Origin != "default" {
			checks = append(checks, check{"config", statusOK, v.Key + " = " + v.Value + " from " + v.Origin, ""})
		}
	}
	for _, w := range cfg.Warnings {
		checks = append(checks, check{"config", statusNote, w, ""})
	}
	log, logFile, err := openLog(home, cfg)
	if err != nil {
		return append(checks, check{"config", statusProblem, err.Error(), ""})
	}
	defer logFile.Close()
	checks = append(checks, checkModels(ctx, g, cfg, home, log)...)
	checks = append(checks, checkData(g, cfg, home, log)...)
	h, err := wire(ctx, g, wiring{})
	if err != nil {
		return append(checks, check{"start", statusProblem, err.Error(), ""})
	}
	defer h.close()
	checks = append(checks, checkSkills(h)...)
	checks = append(checks, checkAgents(h)...)
	return append(checks, checkPython(ctx, h))
}

// checkPython says what Python steps would run with. Nothing else needs Python.
func checkPython(ctx context.Context, h *house) check {
	status := h.pythonStatus(ctx)
	if status.Reason != "" {
		return check{"python", statusNote, "steps of skills in Python cannot run: " + status.Reason, pythonMend}
	}
	return check{"python", statusOK, "steps of skills run with " + status.Runtime, ""}
}

func checkAgents(h *house) []check {
	h.roster = roster.Open(h.agentsFolder())
	var checks []check
	for _, row := range h.agents().Rows() {
		for _, warning := range row.Warnings {
			checks = append(checks, check{"agents", statusNote, row.Name + ": " + warning, ""})
		}
		if row.Reason != "" {
			checks = append(checks, check{"agents", statusNote, row.Path + ": " + row.Reason, row.Mend})
		}
	}
	if _, ok := h.roster.Lookup(h.cfg.Agent); !ok {
		checks = append(checks, check{"agents", statusProblem, h.agents().NoSuch(h.cfg.Agent).Error(), "set agent to one of them"})
	}
	return checks
}

// checkHome tries to write, because permission bits do not tell about read-only
// and full disks.
func checkHome(home string) check {
	const mend = "make it writable, or choose another with --home or NFA_HOME"
	if err := os.MkdirAll(home, 0o700); err != nil {
		return check{"home", statusProblem, fmt.Sprintf("%s cannot be created: %v", home, err), mend}
	}
	probe, err := os.CreateTemp(home, ".doctor-*")
	if err != nil {
		return check{"home", statusProblem, fmt.Sprintf("%s cannot be written: %v", home, err), mend}
	}
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	return check{"home", statusOK, home, ""}
}

func checkStore(ctx context.Context, home string) check {
	path := filepath.Join(home, "nfa.db")
	if _, err := os.Stat(path); os.IsNotExist(err) {
		return check{"sessions", statusOK, "none yet", ""}
	}
	var notices []string
	db, err := sqlite.Open(ctx, path, sqlite.Options{Notice: func(s string) { notices = append(notices, s) }})
	if err != nil {
		return check{"sessions", statusProblem, err.Error(), ""}
	}
	defer db.Close()
	all, err := db.Sessions().List(ctx, 0)
	if err != nil {
		return check{"sessions", statusProblem, err.Error(), ""}
	}
	if len(notices) > 0 {
		return check{"sessions", statusNote, strings.Join(notices, "; "), ""}
	}
	return check{"sessions", statusOK, fmt.Sprintf("%d in %s", len(all), path), ""}
}

// setAside is the name of a damaged database, without those of its journals.
var setAside = pattern.Lazy(`^nfa\.db\.damaged-[0-9]{8}-[0-9]{6}(-[0-9]+)?$`)

// checkDamaged names the databases that were set aside: what is in them is in no
// session list any more.
func checkDamaged(home string) []check {
	files, err := os.ReadDir(home)
	if err != nil {
		return nil // checkHome has said it
	}
	var checks []check
	for _, file := range files {
		if !setAside().MatchString(file.Name()) {
			continue
		}
		path := filepath.Join(home, file.Name())
		checks = append(checks, check{
			"sessions", statusNote, "a damaged database was set aside: " + path,
			"what can still be read of it: sqlite3 FILE .recover; delete it when you miss nothing",
		})
	}
	return checks
}

func checkSkills(h *house) []check {
	in, out := skill.Eligible(h.skills.List(), h.set.HasTool, h.state.Disabled)
	checks := []check{{"skills", statusOK, fmt.Sprintf("%d found, %d offered to the model", len(in)+len(out), len(in)), ""}}
	for _, dir := range h.cfg.SkillPaths {
		if _, err := os.Stat(dir); err != nil {
			checks = append(checks, check{"skills", statusProblem, "skills.paths names a folder that cannot be read: " + err.Error(), "make it, or take it out of the settings"})
		}
	}
	checks = append(checks, checkWaiting(h.set.Waiting())...)
	for _, e := range out {
		checks = append(checks, check{"skills", statusOK, e.Name + " is not offered to the model: " + e.Reason, ""})
	}
	for _, d := range h.skills.Diagnostics() {
		c := check{"skills", statusNote, d.Path + ": " + d.Reason, d.Mend}
		if d.Severity == skill.Info {
			c.Status, c.Mend = statusOK, ""
		}
		checks = append(checks, c)
	}
	return checks
}
