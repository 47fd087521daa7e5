package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/diskfile"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/toolbox/personal"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/form"
)

// newProfile is who the user is as an investor: alone it shows it.
func newProfile(g *globals) *cobra.Command {
	root := withVerbs(g, profileVerb(), profileVerbs())
	root.AddCommand(newProfileAsk(g), newProfileEdit(g))
	return root
}

func profileVerb() toolVerb {
	return toolVerb{
		use: "profile", short: "Show who you are as an investor, and what is not known", tool: "investor_profile",
		example: "  nfa profile ask\n  nfa profile edit",
	}
}

func profileVerbs() []toolVerb {
	return []toolVerb{
		{
			use: "answer ID ANSWER", short: "Answer one question of the interview", tool: "investor_profile", least: 2, most: -1, writes: true,
			example: "  nfa profile answer horizon 10 years",
			fixed:   map[string]any{"action": "answer"},
			fill: func(words []string, in map[string]any) error {
				in["answers"] = map[string]string{words[0]: strings.Join(words[1:], " ")}
				return nil
			},
		},
		{
			use: "clear [ID...]", short: "Forget answers, all of them where none is named", tool: "investor_profile", most: -1, writes: true,
			fixed: map[string]any{"action": "clear"},
			fill: func(words []string, in map[string]any) error {
				if len(words) > 0 {
					in["ids"] = words
				}
				return nil
			},
		},
	}
}

func newProfileEdit(g *globals) *cobra.Command {
	var from string
	cmd := &cobra.Command{
		Use: "edit", Short: "Edit the profile in $VISUAL or $EDITOR",
		Args: args(cobra.NoArgs),
		RunE: g.inHouse(wiring{notice: g.notice}, func(cmd *cobra.Command, h *house, _ []string) error {
			if from == "" {
				return h.editProfile(cmd.Context(), g)
			}
			_, text, err := readWhole(from)
			if err != nil {
				return misuse.Errorf("--from: reading the file: %v", err)
			}
			if err := h.putProfile(cmd.Context(), g, text); err != nil || !sameFile(from, h.profileDraft()) {
				return err
			}
			return os.Remove(from)
		}),
	}
	cmd.Flags().StringVar(&from, "from", "", "take this `FILE` instead of opening an editor")
	return cmd
}

// editProfile opens the questions with their answers in the user's editor. What
// does not read as a profile is kept, with what is wrong.
func (h *house) editProfile(ctx context.Context, g *globals) error {
	if !console.IsTerminal(g.in) || !console.IsTerminal(g.out) {
		return misuse.Errorf("an editor needs a terminal; give the text with: nfa profile edit --from FILE")
	}
	before, err := h.draftProfile(ctx, g)
	if err != nil {
		return err
	}
	file := h.profileDraft()
	edited := g.runEditor(file)
	after, err := os.ReadFile(file)
	switch {
	case err != nil:
		return errors.Join(edited, fmt.Errorf("reading what was edited: %w", err))
	case bytes.Equal(before, after) && edited != nil:
		return errors.Join(edited, os.Remove(file))
	case bytes.Equal(before, after):
		_, err := fmt.Fprintln(g.out, "the profile is as it was")
		return errors.Join(err, os.Remove(file))
	}
	err = edited
	if err == nil {
		err = h.putProfile(ctx, g, after)
	}
	if err != nil {
		return fmt.Errorf("%w\nwhat you wrote is kept in %s; nfa profile edit goes on with it", err, file)
	}
	return os.Remove(file)
}

// profileDraft is where a profile is edited. It is not in the system's folder for
// such files, because it says how much the user has.
func (h *house) profileDraft() string { return filepath.Join(h.home, "profile-edit.yaml") }

// draftProfile writes the profile down to be edited, and gives what is saved of it.
// What was kept of an earlier time because it did not read is gone on with.
func (h *house) draftProfile(ctx context.Context, g *globals) ([]byte, error) {
	p, _, err := h.book.Profile(ctx)
	if err != nil {
		return nil, err
	}
	saved, err := investor.NewInterview(clock()).Write(p)
	if err != nil {
		return nil, err
	}
	err = diskfile.Create(h.profileDraft(), saved, 0o600, false)
	if errors.Is(err, diskfile.ErrThere) {
		fmt.Fprintf(g.err, "this is what you wrote the last time; to begin again delete %s\n", h.profileDraft())
		return saved, nil
	}
	return saved, err
}

func sameFile(one, other string) bool {
	a, errA := os.Stat(one)
	b, errB := os.Stat(other)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// putProfile saves a profile that was written by hand.
func (h *house) putProfile(ctx context.Context, g *globals, text []byte) error {
	p, err := investor.NewInterview(clock()).Read(text)
	if err != nil {
		return misuse.Errorf("%w", err)
	}
	return h.saveProfile(ctx, g, p)
}

func (h *house) saveProfile(ctx context.Context, g *globals, p investor.Profile) error {
	p.UpdatedAt = clock().UTC()
	if err := h.book.SaveProfile(ctx, p); err != nil {
		return err
	}
	fmt.Fprintln(g.out, "the profile is saved")
	for _, i := range p.Inconsistencies(clock()) {
		fmt.Fprintf(g.out, "- %s\n", markdown.SanitizeLine(i.Says+"; "+i.Suggests))
	}
	return nil
}

func newProfileAsk(g *globals) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "ask", Short: "Answer the questions that are open, one by one",
		Long: "ask goes through the questions that have no answer. An empty line leaves one open, and q ends; what was answered is kept.",
		Args: args(cobra.NoArgs),
		RunE: g.inHouse(wiring{notice: g.notice}, func(cmd *cobra.Command, h *house, _ []string) error {
			return h.askProfile(cmd.Context(), g, all)
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "ask again what is answered")
	return cmd
}

func (h *house) askProfile(ctx context.Context, g *globals, all bool) error {
	p, _, err := h.book.Profile(ctx)
	if err != nil {
		return err
	}
	interview := investor.NewInterview(clock())
	questions := interview.Missing(p)
	if all {
		questions = interview.Questions()
	}
	lines := linesOf(g.in)
	answered := 0
	for i, q := range questions {
		fmt.Fprintf(g.out, "\n%d of %d. %s\n   (%s)\n", i+1, len(questions), q.Text, q.Why)
		for _, c := range q.Choices {
			fmt.Fprintf(g.out, "   %s: %s\n", c.Value, c.Text)
		}
		if q.Example != "" {
			fmt.Fprintf(g.out, "   for example: %s\n", q.Example)
		}
		ok, more := g.answered(ctx, interview, &p, q, lines)
		if ok {
			answered++
		}
		if !more {
			break
		}
	}
	fmt.Fprintln(g.out)
	switch {
	case answered > 0:
		// What was answered is kept, also where Ctrl+C ended the questions.
		err = h.saveProfile(context.WithoutCancel(ctx), g, p)
	case len(questions) == 0:
		fmt.Fprintln(g.out, "every question is answered; to answer again: nfa profile ask --all")
	default:
		fmt.Fprintln(g.out, "nothing was changed")
	}
	if err == nil && ctx.Err() != nil {
		err = &exitError{code: exitInterrupted}
	}
	return err
}

// linesOf reads lines aside, because reading a terminal cannot be interrupted. It
// ends with the program.
func linesOf(in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(in); s.Scan(); {
			lines <- s.Text()
		}
	}()
	return lines
}

// answered reads answers to one question until one is taken, none is given, or the
// input ends.
func (g *globals) answered(ctx context.Context, interview investor.Interview, p *investor.Profile, q investor.Question, lines <-chan string) (ok, more bool) {
	for {
		fmt.Fprint(g.out, "> ")
		answer := "q"
		select {
		case <-ctx.Done():
		case line, open := <-lines:
			if open {
				answer = strings.TrimSpace(line)
			}
		}
		switch answer {
		case "":
			return false, true
		case "q", "quit":
			return false, false
		}
		err := interview.Set(p, q.ID, answer)
		if err == nil {
			return true, true
		}
		fmt.Fprintf(g.out, "   %s\n", markdown.SanitizeLine(err.Error()))
	}
}

// profileForm is /profile: every question in a form, and what is wrong beside its
// answer.
func (h *house) profileForm(string) (string, error) {
	p, _, err := h.book.Profile(context.Background())
	if err != nil {
		return "", err
	}
	asked := &tui.NeedsError{Title: "profile", Fields: profileFields(p, nil, nil)}
	asked.Shown = func(values map[string]string) (string, error) {
		answers, problems := personal.Changed(p, values, clock())
		if len(problems) > 0 {
			return "", &tui.NeedsError{Title: "profile", Fields: profileFields(p, values, problems), Shown: asked.Shown}
		}
		return h.answerProfile(answers)
	}
	return "", asked
}

func profileFields(p investor.Profile, values, problems map[string]string) []form.Field {
	var fields []form.Field
	for _, f := range personal.Fields(p) {
		if v, ok := values[f.Name]; ok {
			f.Value = v
		}
		fields = append(fields, form.Field{Name: f.Name, About: f.About, Hint: f.Hint, Value: f.Value, Choices: f.Choices, Problem: problems[f.Name]})
	}
	return fields
}

// answerProfile puts answers into the profile as it is now.
func (h *house) answerProfile(answers map[string]string) (string, error) {
	ctx := context.Background()
	if len(answers) == 0 {
		return "The profile is as it was.\n", nil
	}
	p, _, err := h.book.Profile(ctx)
	if err != nil {
		return "", err
	}
	interview := investor.NewInterview(clock())
	for id, answer := range answers {
		if err := interview.Set(&p, id, answer); err != nil {
			return "", err
		}
	}
	p.UpdatedAt = clock().UTC()
	if err := h.book.SaveProfile(ctx, p); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The profile is saved: %s changed.\n", console.Count(len(answers), "answer"))
	for _, i := range p.Inconsistencies(clock()) {
		fmt.Fprintf(&b, "- %s; %s\n", i.Says, i.Suggests)
	}
	return b.String(), nil
}
