package main

import (
	"context"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/doctor"
	"github.com/nfa-cli/nfa/internal/roster"
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
			found := examine(cmd.Context(), g)
			if live {
				found = append(found, tryData(cmd.Context(), g)...)
			}
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			var err error
			if asJSON {
				err = console.JSON(g.out, found)
			} else {
				err = doctor.Print(g.out, found)
			}
			if err == nil && doctor.Failed(found) {
				err = &exitError{code: exitFailure}
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().BoolVar(&live, "live", false, "ask each source of market data whether it answers")
	return cmd
}

// examine goes on where a verb would stop: one fault must not hide the next.
func examine(ctx context.Context, g *globals) []doctor.Finding {
	found := []doctor.Finding{{Area: "version", Status: doctor.OK, Message: "nfa " + versionText()}}
	stopped := func(area string, err error, mend string) []doctor.Finding {
		return append(found, doctor.Finding{Area: area, Status: doctor.Problem, Message: err.Error(), Mend: mend})
	}
	cfg, home, err := g.settings(wiring{})
	if err != nil {
		return stopped("config", err, "mend the file or the variable it names")
	}
	found = append(found, doctor.Home(ctx, home, clock)...)
	for _, v := range cfg.Values() {
		if v.Origin != "default" {
			found = append(found, doctor.Finding{Area: "config", Status: doctor.OK, Message: v.Key + " = " + v.Value + " from " + v.Origin})
		}
	}
	for _, w := range cfg.Warnings {
		found = append(found, doctor.Finding{Area: "config", Status: doctor.Note, Message: w})
	}
	log, logFile, err := openLog(home, cfg)
	if err != nil {
		return stopped("config", err, "")
	}
	defer logFile.Close()
	if c, err := newConnections(g, cfg, home, log); err != nil {
		found = stopped("model", err, "")
	} else {
		found = append(found, doctor.Model(ctx, c.Board, cfg.Model)...)
	}
	found = append(found, sourcesOf(g, cfg, home, log).Findings()...)
	h, err := wire(ctx, g, wiring{})
	if err != nil {
		return stopped("start", err, "")
	}
	defer h.close()
	found = append(found, doctor.Skills{Set: h.set, Registry: h.skills, Disabled: h.state.Disabled, Folders: cfg.SkillPaths}.Findings()...)
	h.roster = roster.Open(h.agentsFolder())
	found = append(found, doctor.Agents(h.agents())...)
	return append(found, doctor.Python(h.python.Status(ctx)))
}

// tryData asks every source that is set up, and keeps nothing of what it answers.
func tryData(ctx context.Context, g *globals) []doctor.Finding {
	cfg, home, err := g.settings(wiring{})
	if err != nil {
		return nil // examine has said it
	}
	log, logFile, err := openLog(home, cfg)
	if err != nil {
		return nil // likewise
	}
	defer logFile.Close()
	return sourcesOf(g, cfg, home, log).Try(ctx)
}

// sourcesOf are the sources of data for whoever examines them.
func sourcesOf(g *globals, cfg *config.Config, home string, log zerolog.Logger) doctor.Sources {
	if onSample(cfg) {
		return doctor.Sources{SampleAlone: sampleWhy(cfg)}
	}
	return doctor.Sources{Market: marketOf(g, cfg, home, log, false), Keys: keysOf(g, cfg, home, log)}
}

// sampleWhy says what keeps the program from live sources.
func sampleWhy(cfg *config.Config) string {
	if cfg.Offline {
		return "offline is set, " + cfg.Origin("offline")
	}
	return "data is " + cfg.Data.Mode + ", " + cfg.Origin("data")
}

// keysOf says where the keys of sources are from, by the source's name. No keyring
// is asked for one.
func keysOf(g *globals, cfg *config.Config, home string, log zerolog.Logger) map[string]string {
	from := map[string]string{}
	c, err := newConnections(g, cfg, home, log)
	if err != nil {
		return from // what is found of models says it
	}
	stored, err := c.Stored()
	if err != nil {
		stored = nil // likewise
	}
	for _, p := range dataProviders() {
		if place := c.KeyFrom(p, stored); place != "" {
			from[p.Name] = place
		}
	}
	return from
}
