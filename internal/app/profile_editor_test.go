package app_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/usage"
)

func fixedToday() time.Time { return time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC) }

// memoryStore stores one profile in memory.
type memoryStore struct {
	profile investor.Profile
	saved   int
	broken  error
}

func (m *memoryStore) Profile(context.Context) (investor.Profile, bool, error) {
	return m.profile, m.saved > 0, nil
}

func (m *memoryStore) SaveProfile(ctx context.Context, p investor.Profile) error {
	if err := errors.Join(ctx.Err(), m.broken); err != nil {
		return err
	}
	m.profile, m.saved = p, m.saved+1
	return nil
}

// editorRun is a ProfileEditor with its store and its output.
type editorRun struct {
	app.ProfileEditor
	store        *memoryStore
	out, notices bytes.Buffer
}

func newEditorRun(t *testing.T) *editorRun {
	t.Helper()
	tb := &editorRun{store: &memoryStore{}}
	tb.ProfileEditor = app.ProfileEditor{
		Store: tb.store, Now: fixedToday, Draft: filepath.Join(t.TempDir(), "draft.yaml"), Out: &tb.out, Notices: &tb.notices,
	}
	return tb
}

func TestAsk_WhatFitsIsKeptAndWhatDoesNotIsAskedAgain(t *testing.T) {
	tb := newEditorRun(t)
	// A year in the future, a valid year, a skipped question, and the end. The currency after it is not read.
	if err := tb.Ask(t.Context(), strings.NewReader("2200\n1980\n\nq\nEUR\n"), false); err != nil {
		t.Fatal(err)
	}
	if p := tb.store.profile; p.BirthYear != 1980 || !p.UpdatedAt.Equal(fixedToday()) || len(p.Answers()) != 1 {
		t.Errorf("saved %v at %v, want the year alone, of today", p.Answers(), p.UpdatedAt)
	}
	for _, want := range []string{"1 of 27. What year were you born?", "the year is in the future", "2 of 27.", "3 of 27.", "profile saved"} {
		if !strings.Contains(tb.out.String(), want) {
			t.Errorf("written is %q, want %q", tb.out.String(), want)
		}
	}
	if strings.Contains(tb.out.String(), "4 of 27") {
		t.Errorf("asked on behind q: %q", tb.out.String())
	}
}

func TestAsk_OnlyWhatIsOpenUnlessAllIsAsked(t *testing.T) {
	tb := newEditorRun(t)
	tb.store.profile.BirthYear = 1980
	for all, want := range map[bool]string{false: "1 of 26. What is your base currency", true: "1 of 27. What year were you born"} {
		tb.out.Reset()
		if err := tb.Ask(t.Context(), strings.NewReader("quit\n"), all); err != nil {
			t.Fatal(err)
		}
		if got := tb.out.String(); !strings.Contains(got, want) || !strings.Contains(got, "Nothing was changed") {
			t.Errorf("all %t: written is %q, want %q", all, got, want)
		}
	}
	if tb.store.saved != 0 {
		t.Error("saved what nobody said")
	}
}

func TestAsk_TheEndOfItsContextEndsItAndKeepsWhatWasAnswered(t *testing.T) {
	tb := newEditorRun(t)
	ctx, interrupt := context.WithCancel(t.Context())
	keys, typed := io.Pipe()
	defer typed.Close()
	tb.Out = writeFunc(func(text []byte) (int, error) {
		switch {
		case bytes.Contains(text, []byte("1 of ")):
			go func() { _, _ = io.WriteString(typed, "1980\n") }()
		case bytes.Contains(text, []byte("2 of ")):
			interrupt()
		}
		return len(text), nil
	})
	if err := tb.Ask(ctx, keys, false); err != nil || tb.store.profile.BirthYear != 1980 {
		t.Errorf("Ask = %v with %v saved, want the year", err, tb.store.profile.Answers())
	}
}

// TestAsk_WhatWasAnsweredElsewhereMeanwhileStays checks that Ask keeps answers that another window,
// or the assistant, saved in the meantime.
func TestAsk_WhatWasAnsweredElsewhereMeanwhileStays(t *testing.T) {
	tb := newEditorRun(t)
	tb.Out = writeFunc(func(text []byte) (int, error) {
		if bytes.Contains(text, []byte("2 of ")) {
			tb.store.profile.HorizonYear = 2050
		}
		return len(text), nil
	})
	if err := tb.Ask(t.Context(), strings.NewReader("1980\nq\n"), false); err != nil {
		t.Fatal(err)
	}
	if p := tb.store.profile; p.BirthYear != 1980 || p.HorizonYear != 2050 {
		t.Errorf("saved %v, want both answers", p.Answers())
	}
}

type writeFunc func([]byte) (int, error)

func (f writeFunc) Write(text []byte) (int, error) { return f(text) }

func TestAsk_AStoreThatCannotBeWrittenIsAnError(t *testing.T) {
	tb := newEditorRun(t)
	tb.store.broken = errors.New("the disk is full")
	if err := tb.Ask(t.Context(), strings.NewReader("1980\n"), false); !errors.Is(err, tb.store.broken) || strings.Contains(tb.out.String(), "is saved") {
		t.Errorf("Ask = %v, written %q", err, tb.out.String())
	}
}

// writesText returns an editor function that writes text and returns ended.
func writesText(t *testing.T, text string, ended error) func(string) error {
	return func(file string) error {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Error(err)
		}
		return ended
	}
}

func (tb *editorRun) wantDraft(t *testing.T, want string) {
	t.Helper()
	got, err := os.ReadFile(tb.Draft)
	switch {
	case want == "" && !errors.Is(err, os.ErrNotExist):
		t.Errorf("the draft is still there: %q, %v", got, err)
	case want != "" && string(got) != want:
		t.Errorf("the draft is %q, %v, want %q", got, err, want)
	}
}

func TestEdit_SavesWhatWasWritten(t *testing.T) {
	tb := newEditorRun(t)
	tb.store.profile.BirthYear = 1980
	var shown []byte
	err := tb.Edit(t.Context(), func(file string) error {
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
			t.Errorf("the draft is %v, %v, want it readable for its owner alone", info, err)
		}
		shown, err = os.ReadFile(file)
		return errors.Join(err, writesText(t, "horizon: 2040\n", nil)(file))
	})
	if err != nil || tb.store.profile.HorizonYear != 2040 || tb.store.profile.BirthYear != 0 {
		t.Errorf("Edit = %v, saved %v, want what was written and no more", err, tb.store.profile.Answers())
	}
	if !bytes.Contains(shown, []byte("1980")) || !bytes.Contains(shown, []byte("horizon")) {
		t.Errorf("the editor was given %q, want questions and answers", shown)
	}
	tb.wantDraft(t, "")
}

func TestEdit_WhatDoesNotReadIsKeptAndGoneOnWith(t *testing.T) {
	tb := newEditorRun(t)
	const wrong = "horizon: lots\n"
	err := tb.Edit(t.Context(), writesText(t, wrong, nil))
	if mistake := (*usage.Error)(nil); !errors.As(err, &mistake) || !strings.Contains(err.Error(), "saved in "+tb.Draft) || tb.store.saved != 0 {
		t.Fatalf("Edit = %v, saved %d times; want a misuse that says where the text is", err, tb.store.saved)
	}
	tb.wantDraft(t, wrong)
	err = tb.Edit(t.Context(), func(file string) error {
		if !strings.Contains(tb.notices.String(), file) {
			t.Errorf("notices before the editor opens: %q, want where the earlier text is", tb.notices.String())
		}
		tb.wantDraft(t, wrong)
		return writesText(t, "horizon: 2040\n", nil)(file)
	})
	if err != nil || tb.store.profile.HorizonYear != 2040 {
		t.Errorf("Edit = %v, saved %v", err, tb.store.profile.Answers())
	}
	tb.wantDraft(t, "")
}

func TestEdit_AnEditorThatFailsChangesNothingAndLosesNothing(t *testing.T) {
	failed := errors.New("it crashed")
	t.Run("with nothing written", func(t *testing.T) {
		tb := newEditorRun(t)
		if err := tb.Edit(t.Context(), func(string) error { return failed }); !errors.Is(err, failed) || tb.store.saved != 0 {
			t.Errorf("Edit = %v, saved %d times", err, tb.store.saved)
		}
		tb.wantDraft(t, "")
	})
	t.Run("with something written", func(t *testing.T) {
		tb := newEditorRun(t)
		if err := tb.Edit(t.Context(), writesText(t, "horizon: 2040\n", failed)); !errors.Is(err, failed) || tb.store.saved != 0 {
			t.Errorf("Edit = %v, saved %d times", err, tb.store.saved)
		}
		tb.wantDraft(t, "horizon: 2040\n")
	})
	t.Run("and took the file away", func(t *testing.T) {
		tb := newEditorRun(t)
		if err := tb.Edit(t.Context(), os.Remove); !errors.Is(err, os.ErrNotExist) || tb.store.saved != 0 {
			t.Errorf("Edit = %v, saved %d times", err, tb.store.saved)
		}
	})
}

func TestEdit_LeftAsItWasNothingIsSaved(t *testing.T) {
	tb := newEditorRun(t)
	if err := tb.Edit(t.Context(), func(string) error { return nil }); err != nil || tb.store.saved != 0 || !strings.Contains(tb.out.String(), "unchanged") {
		t.Errorf("Edit = %v, saved %d times, written %q", err, tb.store.saved, tb.out.String())
	}
	tb.wantDraft(t, "")
}

func TestPut_TheDraftIsDoneWithByWhateverNameAndOtherFilesStay(t *testing.T) {
	tb := newEditorRun(t)
	other := filepath.Join(t.TempDir(), "mine.yaml")
	const text = "horizon: 2040\n"
	for _, file := range []string{tb.Draft, other} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := tb.Put(t.Context(), []byte("horizon: lots\n"), tb.Draft); err == nil {
		t.Error("took a horizon of lots")
	}
	tb.wantDraft(t, text)
	if err := tb.Put(t.Context(), []byte(text), other); err != nil || tb.store.profile.HorizonYear != 2040 {
		t.Errorf("Put = %v, saved %v", err, tb.store.profile.Answers())
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("a file of the user's is gone: %v", err)
	}
	tb.wantDraft(t, text)
	byOtherName := filepath.Join(filepath.Dir(tb.Draft), "link.yaml")
	if err := os.Link(tb.Draft, byOtherName); err != nil {
		t.Skipf("this disk makes no links: %v", err)
	}
	if err := tb.Put(t.Context(), []byte(text), byOtherName); err != nil {
		t.Fatal(err)
	}
	tb.wantDraft(t, "")
	if _, err := os.Lstat(byOtherName); err != nil {
		t.Errorf("the user's own name for it is gone: %v", err)
	}
}

func TestEdit_WhatWasAnsweredElsewhereMeanwhileIsNotReplacedUnsaid(t *testing.T) {
	tb := newEditorRun(t)
	const text = "horizon: 2040\n"
	elsewhere := func(file string) error {
		tb.store.profile.BirthYear = 1971
		return writesText(t, text, nil)(file)
	}
	if err := tb.Edit(t.Context(), elsewhere); err == nil || !strings.Contains(err.Error(), "has changed the profile") || tb.store.saved != 0 {
		t.Fatalf("Edit = %v, saved %d times; want an error", err, tb.store.saved)
	}
	tb.wantDraft(t, text)
	err := tb.Edit(t.Context(), func(string) error {
		if !strings.Contains(tb.notices.String(), "replaces the profile") {
			t.Errorf("notices before the editor opens: %q, want what becomes of the profile", tb.notices.String())
		}
		return nil
	})
	if err != nil || tb.store.profile.HorizonYear != 2040 {
		t.Errorf("Edit = %v, saved %v; want what was written", err, tb.store.profile.Answers())
	}
}

func TestEdit_AnInterruptInTheEditorCostsNothing(t *testing.T) {
	tb := newEditorRun(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := tb.Edit(ctx, func(file string) error {
		cancel()
		return writesText(t, "horizon: 2040\n", nil)(file)
	})
	if err != nil || tb.store.profile.HorizonYear != 2040 {
		t.Errorf("Edit = %v, saved %v; want what was written", err, tb.store.profile.Answers())
	}
}

func wantProfileForm(t *testing.T, err error) *tui.MissingInputError {
	t.Helper()
	var needs *tui.MissingInputError
	if !errors.As(err, &needs) {
		t.Fatalf("%v, want a form", err)
	}
	return needs
}

func formValues(needs *tui.MissingInputError) map[string]string {
	values := map[string]string{}
	for _, f := range needs.Fields {
		values[f.Name] = f.Value
	}
	return values
}

func TestForm_WhatDoesNotFitIsAskedAgainBesideItsProblem(t *testing.T) {
	tb := newEditorRun(t)
	_, err := tb.Form(t.Context())
	first := wantProfileForm(t, err)
	values := formValues(first)
	values[investor.QuestionBirthYear], values[investor.QuestionHorizon] = "1980", "lots"
	_, err = first.Show(values)
	second := wantProfileForm(t, err)
	for _, f := range second.Fields {
		if f.Value != values[f.Name] || (f.Problem != "") != (f.Name == investor.QuestionHorizon) {
			t.Errorf("asked again for %s with %q, problem %q", f.Name, f.Value, f.Problem)
		}
	}
	if tb.store.saved != 0 {
		t.Error("a part was saved")
	}
	values[investor.QuestionHorizon] = "2040"
	text, err := second.Show(values)
	if p := tb.store.profile; err != nil || p.BirthYear != 1980 || p.HorizonYear != 2040 || !strings.Contains(text, "2 answers changed") {
		t.Errorf("shown is %q, %v, saved %v", text, err, p.Answers())
	}
}

// TestForm_AnswersGoIntoTheProfileAsItIsNow checks that the form keeps answers that another window
// saved while it was open.
func TestForm_AnswersGoIntoTheProfileAsItIsNow(t *testing.T) {
	tb := newEditorRun(t)
	_, err := tb.Form(t.Context())
	first := wantProfileForm(t, err)
	tb.store.profile.HorizonYear = 2050
	values := formValues(first)
	values[investor.QuestionBirthYear] = "1980"
	if _, err := first.Show(values); err != nil || tb.store.profile.HorizonYear != 2050 || tb.store.profile.BirthYear != 1980 {
		t.Errorf("Shown: %v, saved %v, want both", err, tb.store.profile.Answers())
	}
	if text, err := wantProfileForm(t, err).Show(formValues(first)); err != nil || !strings.Contains(text, "unchanged") || tb.store.saved != 1 {
		t.Errorf("left as it was: %q, %v, saved %d times", text, err, tb.store.saved)
	}
}
