package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/nfa-cli/nfa/internal/app"
)

func TestMan_EveryCommandHasAPageWithItsFlags(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man")
	nfa := runnerInFolder(t)
	if code, out, errOut := nfa("version", "man", dir); code != exitOK || out != "" {
		t.Fatalf("nfa version man = %d\n%s%s", code, out, errOut)
	}
	pages := 0
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		pages++
		raw, err := os.ReadFile(filepath.Join(dir, manName(cmd)+".1"))
		if err != nil {
			t.Error(err)
			return
		}
		checkPage(t, cmd, string(raw))
		for _, child := range cmd.Commands() {
			if child.IsAvailableCommand() {
				visit(child)
			}
		}
	}
	root := newRoot(terminal{env: func(string) string { return "" }}, allCommands)
	root.InitDefaultCompletionCmd()
	visit(root)
	written, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(written) != pages {
		t.Errorf("%d pages were written, want one for each of %d commands that are shown", len(written), pages)
	}
}

// A line that starts with a period or a quote is a macro for man, so no line of text may start with one.
func checkPage(t *testing.T, cmd *cobra.Command, page string) {
	t.Helper()
	macro := regexp.MustCompile(`^\.(TH|SH|PP|TP|nf|fi)( "[^"]*")*$`)
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if (strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'")) && !macro.MatchString(line) {
			t.Errorf("the page of %s has a macro that is none: %q", cmd.CommandPath(), line)
		}
	}
	if strings.Count(page, ".nf\n") != strings.Count(page, ".fi\n") {
		t.Errorf("the page of %s leaves a block open", cmd.CommandPath())
	}
	for _, section := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "SEE ALSO"} {
		if !strings.Contains(page, "\n.SH \""+section+"\"\n") {
			t.Errorf("the page of %s has no %s", cmd.CommandPath(), section)
		}
	}
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !strings.Contains(page, bold("--"+f.Name)) {
			t.Errorf("the page of %s does not name --%s", cmd.CommandPath(), f.Name)
		}
	})
}

func TestMan_HelpIsText(t *testing.T) {
	cmd := &cobra.Command{
		Use: "try WORD", Short: `Try a \ and a "quote"`, Run: func(*cobra.Command, []string) {},
		Long:    "First line\n.SH is no macro here\n'nor this\n\n  set in\n  as it is\nand on",
		Example: "  try --now '.x'",
	}
	cmd.Flags().Int("count", 3, "so many `TIMES`")
	cmd.Flags().Bool("hidden", false, "not shown")
	if err := cmd.Flags().MarkHidden("hidden"); err != nil {
		t.Fatal(err)
	}
	parent := &cobra.Command{Use: "nfa"}
	parent.AddCommand(cmd)
	want := `.TH "NFA\-TRY" "1" "2026\-01\-02" "nfa 1.0.0" "nfa manual"
.SH "NAME"
nfa\-try \- Try a \e and a "quote"
.SH "SYNOPSIS"
\fBnfa try\fR WORD [flags]
.SH "DESCRIPTION"
Try a \e and a "quote".
.PP
First line
\&.SH is no macro here
\(aqnor this
.PP
.nf
  set in
  as it is
.fi
and on
.SH "OPTIONS"
.TP
\fB\-\-count\fR \fITIMES\fR
so many TIMES (default 3)
.PP
Options of every command: see \fBnfa\fR(1).
.SH "EXAMPLES"
.nf
  try \-\-now \(aq.x\(aq
.fi
.SH "SEE ALSO"
\fBnfa\fR(1)
`
	if diff := cmp.Diff(want, manPage(cmd, app.BuildInfo{Version: "1.0.0", Date: "2026-01-02T03:04:05Z"})); diff != "" {
		t.Errorf("manPage (-want +got):\n%s", diff)
	}
}
