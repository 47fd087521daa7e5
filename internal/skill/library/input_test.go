package library_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/usage"
)

// newLibrary returns a library with skills by name, without tools.
func newLibrary(t *testing.T, skills map[string]string) *library.Library {
	t.Helper()
	dir := t.TempDir()
	for name, text := range skills {
		folder := filepath.Join(dir, "skills", name)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, skill.FileName), []byte("---\nname: "+name+"\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	decided, err := skill.OpenState(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	router, err := tool.NewRouter(nil, tool.Options{})
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(dir, "skills")
	return library.New(library.Options{
		Dir: own, Registry: skill.Open(skill.Options{Roots: []skill.Root{{Dir: own, Source: skill.SourceUser}}, Log: zerolog.Nop()}), State: decided,
		Agent: skilltest.Agent{Router: router}, Python: func() *python.Runner { return nil }, AllTools: func() *tool.Router { return router },
		Now: time.Now, Log: zerolog.Nop(),
	})
}

func greetingLibrary(t *testing.T) *library.Library {
	t.Helper()
	return newLibrary(t, map[string]string{
		"greet":  "description: Greets\nparameters:\n  - {name: who, type: string, required: true}\n---\nGreet {{who}}.\n",
		"advise": "description: Advises\nuser-invocable: false\n---\nAdvise.\n",
	})
}

func TestInput_TakesACommandApartAndLeavesTextAsItIs(t *testing.T) {
	lib := greetingLibrary(t)
	for _, row := range []struct {
		typed   string
		skill   string // name of the activated skill, or ""
		shown   string // in the transcript
		noticed string // part of the notice to the user
	}{
		{"/greet Ann", "greet", "/greet Ann", ""},
		{"  /greet Ann  ", "greet", "/greet Ann", ""},
		{"/skill:greet Ann", "greet", "/greet Ann", ""},
		{"/greet\n\nwho=Ann", "greet", "/greet who=Ann", ""},
		{"/etc/hosts is a path", "", "/etc/hosts is a path", ""},
		{"/", "", "/", ""},
		{"price of /greet", "", "price of /greet", ""},
		{"/advise me", "", "/advise me", "can be started only by the model"},
		{"/价格 茅台", "", "/价格 茅台", "no skill named 价格"},
	} {
		var notices []string
		in, err := lib.ParseInput(row.typed, func(text string) { notices = append(notices, text) })
		if err != nil || in.Skill != row.skill || in.Text != row.shown {
			t.Errorf("Input(%q) = skill %q, text %q, %v; want %q, %q", row.typed, in.Skill, in.Text, err, row.skill, row.shown)
		}
		if said := strings.Join(notices, "\n"); (said == "") != (row.noticed == "") || !strings.Contains(said, row.noticed) {
			t.Errorf("Input(%q) tells %q, want %q", row.typed, said, row.noticed)
		}
	}
}

func TestInput_WhatCannotBeMeantIsAMisuse(t *testing.T) {
	lib := greetingLibrary(t)
	for typed, want := range map[string]string{
		"/gret Ann": "did you mean /greet?",
		"/greet":    "usage: /greet",
	} {
		_, err := lib.ParseInput(typed, func(string) {})
		var mistake *usage.Error
		if !errors.As(err, &mistake) || !strings.Contains(err.Error(), want) {
			t.Errorf("Input(%q) = %v, want a misuse with %q", typed, err, want)
		}
	}
	var missing *workflow.ArgumentError
	if _, err := lib.Activate("greet", ""); !errors.As(err, &missing) || len(missing.Missing) != 1 {
		t.Errorf("Activate without its parameter = %v, want it named", err)
	}
}

func TestHealth_TellsWhatIsUsableAndWhatWasSkipped(t *testing.T) {
	lib := newLibrary(t, map[string]string{"good": "description: Good\n---\nDo.\n", "bad": "---\n"})
	got := lib.Health()
	if len(got.Usable) != 1 || got.Usable[0] != "good" || len(got.Skipped) != 1 || got.Skipped[0].Name != "bad" {
		t.Errorf("Health = %+v, want good usable and bad skipped", got)
	}
	if n := lib.Skipped(); n != 1 {
		t.Errorf("Skipped = %d, want 1", n)
	}
}

func TestFinish_ATextThatIsNotValidIsKeptAndTheSkillStays(t *testing.T) {
	lib := greetingLibrary(t)
	d, err := lib.OpenDraft("greet")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.Copy, []byte("---\nname: greet\n---\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, changed, err := lib.FinishDraft(d, nil)
	var kept *library.DraftKeptError
	if !errors.As(err, &kept) || !changed || !lib.DraftCurrent(kept.Draft) {
		t.Fatalf("FinishDraft = %v, %v, want the text kept", changed, err)
	}
	if err := os.WriteFile(d.Copy, []byte("---\nname: greet\ndescription: Greets warmly\n---\nGreet.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if done, changed, err := lib.FinishDraft(d, nil); err != nil || !changed || done.Name != "greet" {
		t.Errorf("FinishDraft of the mended text = %+v, %v, %v", done, changed, err)
	}
	if _, err := os.Stat(d.Copy); err == nil {
		t.Error("the copy is there although its text is in its place")
	}
}

func TestK21_WhatTheShellKeptTogetherStaysOneValue(t *testing.T) {
	declared := []workflow.Parameter{{Name: "symbols", Type: "string"}, {Name: "note", Type: "string"}}
	for _, tc := range []struct {
		name          string
		words         []string
		symbols, note string
	}{
		{"plain words", []string{"AAPL", "bonds"}, "AAPL", "bonds"},
		{"by name", []string{"note=bonds", "symbols=AAPL"}, "AAPL", "bonds"},
		{"blanks", []string{"symbols=AAPL MSFT", "note=two words"}, "AAPL MSFT", "two words"},
		{"blanks in order", []string{"AAPL MSFT", "two words"}, "AAPL MSFT", "two words"},
		{"quotes and backslashes", []string{"AAPL", `note=the "best" \n it's`}, "AAPL", `the "best" \n it's`},
		{"money", []string{"symbols=$AAPL", "note=$1,000 of $B$6 at $0.50 in $$"}, "$AAPL", "$1,000 of $B$6 at $0.50 in $$"},
		{"no name before the sign", []string{"a b=c", "x"}, "a b=c", "x"},
		{"lines", []string{"AAPL", "note=one\ntwo"}, "AAPL", "one\ntwo"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			line := library.ArgumentLine(declared, tc.words)
			got, err := workflow.ParseArguments(declared, line)
			if err != nil {
				t.Fatalf("ParseArguments(%q) = %v", line, err)
			}
			if got.Values["symbols"].Text != tc.symbols || got.Values["note"].Text != tc.note {
				t.Errorf("ParseArguments(%q) = %q, %q; want %q, %q", line,
					got.Values["symbols"].Text, got.Values["note"].Text, tc.symbols, tc.note)
			}
		})
	}
}

func TestK21_WithoutParametersWordsStayAsTheyAre(t *testing.T) {
	words := []string{"what", `is "this"`, "a=b c"}
	if got, want := library.ArgumentLine(nil, words), `what is "this" a=b c`; got != want {
		t.Errorf("ArgumentLine() = %q, want %q", got, want)
	}
}
