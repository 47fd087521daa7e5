package main

import (
	"context"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/config"
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
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			findings := runChecks(cmd.Context(), g)
			if live {
				findings = append(findings, testSources(cmd.Context(), g)...)
			}
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			var err error
			if asJSON {
				err = cli.WriteJSON(g.out, findings)
			} else {
				err = app.WriteFindings(g.out, findings)
			}
			if err == nil && app.HasProblems(findings) {
				err = &exitError{code: exitFailure}
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().BoolVar(&live, "live", false, "ask each source of market data whether it answers")
	return cmd
}

// runChecks continues after an error that ends other commands, because one problem must not hide
// the next.
func runChecks(ctx context.Context, g *globals) []app.Finding {
	findings := []app.Finding{{Area: "version", Status: app.StatusOK, Message: "nfa " + versionText()}}
	stopped := func(area string, err error, fix string) []app.Finding {
		return append(findings, app.Finding{Area: area, Status: app.StatusProblem, Message: err.Error(), Fix: fix})
	}
	cfg, home, err := g.loadConfig(programOptions{})
	if err != nil {
		return stopped("config", err, "mend the file or the variable it names")
	}
	findings = append(findings, app.CheckHome(ctx, home, clock)...)
	for _, v := range cfg.Values() {
		if v.Origin != "default" {
			findings = append(findings, app.Finding{Area: "config", Status: app.StatusOK, Message: v.Key + " = " + v.Value + " from " + v.Origin})
		}
	}
	for _, w := range cfg.Warnings {
		findings = append(findings, app.Finding{Area: "config", Status: app.StatusNote, Message: w})
	}
	log, logFile, err := openLog(home, cfg)
	if err != nil {
		return stopped("config", err, "")
	}
	defer logFile.Close()
	if c, err := newConnections(g, cfg, home, log); err != nil {
		findings = stopped("model", err, "")
	} else {
		findings = append(findings, app.CheckModel(ctx, c.Selector, cfg.Model, cfg.RequestProfile)...)
	}
	findings = append(findings, newSourceCheck(g, cfg, home, log).Findings()...)
	p, err := openProgram(ctx, g, programOptions{})
	if err != nil {
		return stopped("start", err, "")
	}
	defer p.close()
	findings = append(findings, app.SkillCheck{Set: p.skillLibrary, Registry: p.skills, Folders: cfg.SkillPaths}.Findings()...)
	p.profiles = agent.LoadProfiles(p.agentsFolder())
	findings = append(findings, app.CheckAgents(p.agentScreen())...)
	return append(findings, app.CheckPython(p.python.Status(ctx)))
}

// testSources sends a request to every configured source and saves nothing of the answers.
func testSources(ctx context.Context, g *globals) []app.Finding {
	cfg, home, err := g.loadConfig(programOptions{})
	if err != nil {
		return nil // runChecks reports it
	}
	log, logFile, err := openLog(home, cfg)
	if err != nil {
		return nil // likewise
	}
	defer logFile.Close()
	return newSourceCheck(g, cfg, home, log).Probe(ctx)
}

// newSourceCheck returns the check of the sources of data.
func newSourceCheck(g *globals, cfg *config.Config, home string, log zerolog.Logger) app.SourceCheck {
	if sampleOnly(cfg) {
		return app.SourceCheck{SampleReason: sampleReason(cfg)}
	}
	return app.SourceCheck{Market: newMarket(g, cfg, home, log, nil), Keys: sourceKeyOrigins(g, cfg, home, log)}
}

// sampleReason returns what keeps the program from using live sources.
func sampleReason(cfg *config.Config) string {
	if cfg.Offline {
		return "offline is set, " + cfg.Origin("offline")
	}
	return "data is " + cfg.Data.Mode + ", " + cfg.Origin("data")
}

// sourceKeyOrigins returns where the keys of sources come from, by source name. It reads no key
// from a keyring.
func sourceKeyOrigins(g *globals, cfg *config.Config, home string, log zerolog.Logger) map[string]string {
	origins := map[string]string{}
	c, err := newConnections(g, cfg, home, log)
	if err != nil {
		return origins // the check of the model reports it
	}
	stored, err := c.StoredKeys()
	if err != nil {
		stored = nil // likewise
	}
	for _, p := range dataProviders() {
		if place := c.KeyFrom(p, stored); place != "" {
			origins[p.Name] = place
		}
	}
	return origins
}
