package world_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
	"github.com/nfa-cli/nfa/internal/toolbox/world"
)

// asking is a router whose user answers with allow, and what they were asked.
func asking(t testing.TB, d world.Deps, allow bool) (*tool.Router, *[]tool.Approval) {
	t.Helper()
	var asked []tool.Approval
	router, err := tool.NewRouter(world.Tools(d), tool.Options{Approver: tool.ApproverFunc(func(_ context.Context, a tool.Approval) (tool.Answer, error) {
		asked = append(asked, a)
		return tool.Answer{Allowed: allow, Scope: tool.Session}, nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	return router, &asked
}

func TestWriteReport_AsksWithPathSizeAndBeginning(t *testing.T) {
	d, dir := inWorld(t, map[string]string{"work/old.md": "old"})
	router, asked := asking(t, d, true)
	res := toolboxtest.Ask(t, router, "write_report", args{"path": "r.md", "content": "# Title\n1\n2\n3\n4\n5\n6"})
	path := filepath.Join(dir, "work", "r.md")
	if got, err := os.ReadFile(path); err != nil || res.IsError || string(got) != "# Title\n1\n2\n3\n4\n5\n6\n" {
		t.Fatalf("wrote %q, %v: %s", got, err, res.ErrorText())
	}
	if len(*asked) != 1 || (*asked)[0].Effect != tool.Writes {
		t.Fatalf("asked %+v, want once", *asked)
	}
	plan := strings.Join((*asked)[0].Plan, "\n")
	if !strings.Contains(plan, "r.md, 20 bytes") || !strings.Contains(plan, "| # Title\n| 1\n| 2\n| 3\n| 4\n…") {
		t.Errorf("asked with the plan\n%s", plan)
	}
	// Leave to write one file is none to write another, or over one.
	toolboxtest.Ask(t, router, "write_report", args{"path": "other.md", "content": "x"})
	if res := toolboxtest.Ask(t, router, "write_report", args{"path": "old.md", "content": "new", "replace": true}); res.IsError || len(*asked) != 3 {
		t.Errorf("asked %d times, %s; want once for each file", len(*asked), res.ErrorText())
	}
	if plan := strings.Join((*asked)[2].Plan, "\n"); !strings.Contains(plan, "replaces") || !strings.Contains(plan, "3 bytes, by 4 bytes") {
		t.Errorf("asked to replace with the plan\n%s", plan)
	}
}

func TestWriteReport_RefusedWritesNothing(t *testing.T) {
	d, dir := inWorld(t, map[string]string{"work/old.md": "old"})
	router, _ := asking(t, d, false)
	toolboxtest.WantError(t, toolboxtest.Ask(t, router, "write_report", args{"path": "r.md", "content": "x"}), tool.CodeRefused, "")
	toolboxtest.WantError(t, call(t, d, "write_report", args{"path": "r.md", "content": "x"}), tool.CodeRefused, "--allow write_report")
	if names, err := os.ReadDir(filepath.Join(dir, "work")); err != nil || len(names) != 1 {
		t.Errorf("%v, %v in the folder; want the old file alone", names, err)
	}
}

func TestWriteReport_WhatCannotBeWrittenIsNotAskedFor(t *testing.T) {
	d, _ := inWorld(t, map[string]string{"work/old.md": "old"})
	router, asked := asking(t, d, true)
	for name, c := range map[string]struct {
		in   args
		says string
	}{
		"over a file":    {args{"path": "old.md", "content": "x"}, "replace"},
		"no ending":      {args{"path": "report", "content": "x"}, ".md, .html or .csv"},
		"a program":      {args{"path": "run.sh", "content": "x"}, ".md, .html or .csv"},
		"nothing":        {args{"path": "r.md", "content": " \n"}, "no content"},
		"too much":       {args{"path": "r.md", "content": strings.Repeat("x", 1<<20+1)}, "limit"},
		"escapes":        {args{"path": "r.md", "content": "a\x1b[2Jb"}, "control character"},
		"reversed text":  {args{"path": "r.md", "content": "a\u202eb"}, "control character"},
		"outside":        {args{"path": "../r.md", "content": "x"}, "outside"},
		"hidden":         {args{"path": ".r.md", "content": "x"}, "plain name"},
		"a skill":        {args{"path": "nfa:skills/x/SKILL.md", "content": "x"}, "nothing is written there"},
		"no such folder": {args{"path": "gone/r.md", "content": "x"}, "nfa:reports"},
		"broken CSV":     {args{"path": "r.csv", "content": "a,b\n1\n"}, "not CSV"},
		"a formula":      {args{"path": "r.csv", "content": "a,b\n1,=cmd|' /C calc'!A0\n"}, "formula"},
		"another":        {args{"path": "r.csv", "content": "a\n\"+A1+A2\"\n"}, "formula"},
	} {
		wantErrorOf(t, name, toolboxtest.Ask(t, router, "write_report", c.in), c.says)
	}
	if len(*asked) > 0 {
		t.Errorf("asked %d times for what cannot be written", len(*asked))
	}
}

func wantErrorOf(t testing.TB, name string, res tool.Result, says string) {
	t.Helper()
	if !res.IsError || !strings.Contains(res.ErrorText(), says) {
		t.Errorf("%s = %q, want an error with %q", name, res.ModelText(), says)
	}
}

func TestWriteReport_PagesLoadAndRunNothing(t *testing.T) {
	d, dir := inWorld(t, nil)
	router, _ := asking(t, d, true)
	content := "# A <Title> & more\n\n|a|b|\n|-|-|\n|1|2|\n\n<script>steal()</script> [x](javascript:steal()) ![p](https://spy.example/p.gif)\n"
	if res := toolboxtest.Ask(t, router, "write_report", args{"path": "r.html", "content": content}); res.IsError {
		t.Fatal(res.ErrorText())
	}
	got, err := os.ReadFile(filepath.Join(dir, "work", "r.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"<title>A &lt;Title&gt; &amp; more</title>", "<td>1</td>", "default-src 'none'"} {
		if !strings.Contains(string(got), part) {
			t.Errorf("the page misses %q", part)
		}
	}
	if strings.Contains(string(got), "<script") || strings.Contains(string(got), "javascript:") {
		t.Errorf("the page could run something:\n%s", got)
	}
}

func TestWriteReport_TablesOfNumbersAreNoFormulas(t *testing.T) {
	d, _ := inWorld(t, nil)
	router, _ := asking(t, d, true)
	if res := toolboxtest.Ask(t, router, "write_report", args{"path": "r.csv", "content": "what,change\nAAPL,-3.5 %\nMSFT,+1.2\nIBM,-\nx,\"-1,234.5\"\n"}); res.IsError {
		t.Error(res.ErrorText())
	}
}
