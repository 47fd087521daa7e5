package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newAlertsRun(g *globals) *cobra.Command {
	var dry bool
	cmd := &cobra.Command{Args: usageArgs(cobra.NoArgs)}
	cmd.RunE = g.withApp(app.Options{UserInvoked: true}, func(cmd *cobra.Command, a *app.App, _ []string) error {
		out, err := a.RunAlerts(cmd.Context(), app.AlertRunOptions{DryRun: dry})
		if errors.Is(err, alert.ErrLocked) {
			g.notice(alert.ErrLocked.Error())
			return nil
		}
		if err != nil {
			return err
		}
		if g.json {
			err = cli.WriteJSON(g.out, out)
		} else {
			g.printAlertRun(out)
		}
		switch {
		case err != nil:
			return err
		case len(out.Failed) > 0:
			return &exitError{code: exitFailure}
		case out.NoSource:
			return &exitError{exitNoData, errors.New("no source answered; the rules were not checked")}
		}
		return nil
	})
	cmd.Flags().BoolVar(&dry, "dry-run", false, "show the messages without recording or sending them")
	return cmd
}

func (g *globals) printAlertRun(out app.AlertRun) {
	for _, one := range out.Fired {
		fmt.Fprintln(g.out, markdown.SanitizeLine(one.Describe()))
	}
	for _, id := range sortedIDs(out.Unknown) {
		fmt.Fprintf(g.err, "nfa: rule %s was not checked: %s\n", id, markdown.SanitizeLine(out.Unknown[id]))
	}
	for _, failed := range out.Failed {
		fmt.Fprintf(g.err, "nfa: not delivered to %s\n", markdown.SanitizeLine(failed))
	}
	fmt.Fprintf(g.err, "%s checked, %s, %s sent\n", humanize.Count(out.Evaluated, "rule", "rules"), humanize.Count(len(out.Fired), "alert", "alerts"), humanize.Count(out.Sent, "message", "messages"))
}

// sortedIDs returns the IDs of rules in order: r2 comes before r10.
func sortedIDs(m map[string]string) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
}

func newAlertsTest(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withApp(app.Options{UserInvoked: true}, func(cmd *cobra.Command, a *app.App, args []string) error {
			rule, readings, err := a.CheckAlertRule(cmd.Context(), args[0])
			if err != nil {
				return &exitError{exitNoData, err}
			}
			if g.json {
				return cli.WriteJSON(g.out, readings)
			}
			if len(readings) == 0 {
				fmt.Fprintf(g.out, "%s: nothing to report\n", rule.Text)
			}
			for _, r := range readings {
				if !r.Holds {
					fmt.Fprintf(g.out, "%s: not met, %s is %s %s as of %s (%s)\n", rule.Text, markdown.SanitizeLine(r.Figure.Label), r.Value.Round(4), r.Figure.Unit, r.AsOf.Format(time.DateOnly), markdown.SanitizeLine(r.Figure.Source))
					continue
				}
				m := rule.Message(r, a.Now())
				fmt.Fprintf(g.out, "%s\n%s\n", markdown.SanitizeLine(m.Title), markdown.Sanitize(m.Text))
			}
			return nil
		}),
	}
}

func newAlertsSend(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withApp(app.Options{UserInvoked: true}, func(cmd *cobra.Command, a *app.App, args []string) error {
			to, err := a.AlertChannel(args[0])
			if err != nil {
				return usage.Errorf("%w", err)
			}
			now := a.Now()
			m := alert.NewMessage(alert.Alert{ID: fmt.Sprintf("test%d", now.UnixMicro()), RuleID: "test", Rule: "test", Text: "This is a test message from nfa.", At: now.UTC()})
			if err := to.Send(cmd.Context(), m); err != nil {
				return fmt.Errorf("send to %s: %w", args[0], err)
			}
			return g.printDone(map[string]string{"sent_to": args[0]}, "sent a test message to %s", args[0])
		}),
	}
}

func newWhy(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withApp(app.Options{UserInvoked: true}, func(cmd *cobra.Command, a *app.App, args []string) error {
			one, err := a.FindAlert(cmd.Context(), args[0])
			if errors.Is(err, alert.ErrNotFound) {
				return &exitError{exitNoData, err}
			}
			if err != nil {
				return err
			}
			if g.json {
				return cli.WriteJSON(g.out, one)
			}
			_, err = fmt.Fprintln(g.out, g.painter(a.Settings).Markdown(app.ExplainAlert(one)))
			return err
		}),
	}
}

// defaultEvery is how often the schedule checks the rules.
const defaultEvery = 10 * time.Minute

func newAlertsInstall(g *globals) *cobra.Command {
	every, write := defaultEvery, false
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := g.newSchedule(args[0], every)
			if err != nil {
				return err
			}
			files, err := s.Files()
			if err != nil {
				return usage.Errorf("%w", err)
			}
			if !write {
				for _, f := range files {
					fmt.Fprintf(g.out, "# %s\n%s\n", f.Path, f.Content)
				}
				fmt.Fprintln(g.err, s.Next(false))
				return nil
			}
			if err := writeSchedule(cmd.Context(), s, files); err != nil {
				return err
			}
			for _, f := range files {
				g.notice("wrote " + humanize.ShortPath(f.Path))
			}
			g.checkScheduled(cmd.Context(), s)
			fmt.Fprintln(g.err, s.Next(true))
			return nil
		},
	}
	cmd.Flags().DurationVar(&every, "every", every, "`TIME` between two runs")
	cmd.Flags().BoolVar(&write, "write", false, "write the files instead of printing them")
	return cmd
}

func newAlertsUninstall(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := g.newSchedule(args[0], defaultEvery)
			if err != nil {
				return err
			}
			removed, err := removeSchedule(cmd.Context(), s)
			if err != nil {
				return err
			}
			if len(removed) == 0 {
				g.notice("nothing is installed")
			}
			for _, path := range removed {
				g.notice("removed " + humanize.ShortPath(path))
			}
			return nil
		},
	}
}

func (g *globals) newSchedule(kind string, every time.Duration) (alert.Schedule, error) {
	program, err := os.Executable()
	if err != nil {
		return alert.Schedule{}, err
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return alert.Schedule{}, err
	}
	settings, err := g.settings()
	if err != nil {
		return alert.Schedule{}, err
	}
	return alert.Schedule{Kind: kind, Program: program, UserHome: home, DataFolder: settings.Home, Every: every}, nil
}

// crontab runs crontab and returns its output. A user without a crontab has an empty one.
func crontab(ctx context.Context, stdin string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "crontab", args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) && strings.Contains(string(failed.Stderr), "no crontab") {
		return "", nil
	}
	return string(out), err
}

func writeSchedule(ctx context.Context, s alert.Schedule, files []alert.ScheduleFile) error {
	if s.Kind == "cron" {
		before, err := crontab(ctx, "", "-l")
		if err != nil {
			return fmt.Errorf("read your crontab: %w", err)
		}
		_, err = crontab(ctx, alert.WithoutCronLine(before)+files[0].Content, "-")
		return err
	}
	for _, f := range files {
		if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(f.Path, []byte(f.Content), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// removeSchedule removes a schedule and returns the paths that it removed.
func removeSchedule(ctx context.Context, s alert.Schedule) (removed []string, err error) {
	files, err := s.Files()
	if err != nil {
		return nil, usage.Errorf("%w", err)
	}
	if s.Kind == "cron" {
		before, err := crontab(ctx, "", "-l")
		if after := alert.WithoutCronLine(before); err == nil && after != before {
			_, err = crontab(ctx, after, "-")
			removed = []string{files[0].Path}
		}
		return removed, err
	}
	for _, f := range files {
		switch err := os.Remove(f.Path); {
		case err == nil:
			removed = append(removed, f.Path)
		case !errors.Is(err, os.ErrNotExist):
			return removed, err
		}
	}
	return removed, nil
}

// checkScheduled runs the rules once in an environment like that of the schedule, and warns if a secret
// is not readable there.
func (g *globals) checkScheduled(ctx context.Context, s alert.Schedule) {
	cmd := exec.CommandContext(ctx, s.Program, "alerts", "run", "--dry-run", "--home", s.DataFolder)
	cmd.Env = []string{"HOME=" + s.UserHome, "PATH=/usr/local/bin:/usr/bin:/bin"}
	if runtime.GOOS == "windows" {
		cmd.Env = os.Environ()
	}
	if out, err := cmd.CombinedOutput(); err != nil && strings.Contains(string(out), "keyring") {
		g.notice("scheduled runs cannot read the keyring; run: nfa config set key_store file, then nfa auth set for each channel")
	}
}
