package screens

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui"
)

// The marks of models. They determine which actions apply.
const (
	markActive     = "active"
	markNoKey      = "no key"
	markNotRunning = "not running"
)

// Models is the screen of the available models.
type Models struct{ App *app.App }

// Screen returns the list for /model, with every known model.
func (s Models) Screen() *tui.ListScreen {
	available := func(i tui.ListItem) bool {
		return !slices.Contains(i.Marks, markNoKey) && !slices.Contains(i.Marks, markNotRunning)
	}
	return &tui.ListScreen{
		Title: "Models", Items: s.items, Read: s.read, Empty: "No models.",
		Actions: []tui.ListAction{
			{Action: "shelf-enter", Name: "use", About: "use it from the next turn", AppliesTo: available, Run: s.use},
			{Action: "model-write", Name: "write", AppliesTo: available, Run: s.save},
			{Action: "model-refresh", Name: "refresh", WithoutItem: true, Run: s.refresh},
		},
	}
}

// items lists the models by provider: available providers first, the built-in assistant last.
func (s Models) items() []tui.ListItem {
	providers, err := s.App.Models.ListProviders(context.Background(), false)
	if err != nil {
		return []tui.ListItem{{Name: "keys", Title: "Cannot read the keys", About: err.Error(), Problem: true}, s.embedded()}
	}
	var items []tui.ListItem
	for _, p := range providers {
		for _, m := range p.Models {
			items = append(items, tui.ListItem{
				Name: m.Name, Title: strings.TrimPrefix(m.Name, p.Name+"/"), Group: p.Title, About: modelAbout(p, m), Marks: s.marks(p, m),
			})
		}
	}
	return append(items, s.embedded())
}

func (s Models) embedded() tui.ListItem {
	i := tui.ListItem{Name: catalog.Offline, Title: "built-in assistant", Group: "Without a server", About: "rules, not a language model"}
	if s.App.ActiveModel() == catalog.Offline {
		i.Marks = []string{markActive}
	}
	return i
}

func (s Models) marks(p catalog.ListedProvider, m catalog.ListedModel) []string {
	var marks []string
	switch {
	case m.Name == s.App.ActiveModel():
		marks = append(marks, markActive)
	case p.Local && !p.Configured:
		marks = append(marks, markNotRunning)
	case !p.Configured:
		marks = append(marks, markNoKey)
	}
	if p.Local {
		marks = append(marks, "local")
	}
	if m.Reasoning {
		marks = append(marks, "reasoning")
	}
	if m.Window > 0 {
		marks = append(marks, catalog.FormatTokens(m.Window))
	}
	return marks
}

func modelAbout(p catalog.ListedProvider, m catalog.ListedModel) string {
	text := m.Price.String()
	if m.Price != nil && p.AsOf != "" {
		text += ", as of " + p.AsOf
	}
	return text
}

// read returns the text of the pane for a model.
func (s Models) read(name string) (string, error) {
	if name == catalog.Offline {
		return "The **built-in assistant** follows rules and uses the same tools. It is not a language model.\n", nil
	}
	providers, err := s.App.Models.ListProviders(context.Background(), false)
	if err != nil {
		return "", err
	}
	for _, p := range providers {
		for _, m := range p.Models {
			if m.Name == name {
				return modelPage(p, m), nil
			}
		}
	}
	return "", fmt.Errorf("%s is no longer listed", name)
}

func modelPage(p catalog.ListedProvider, m catalog.ListedModel) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n\n", markdown.QuoteCode(m.Name), p.Heading())
	if m.Window > 0 {
		fmt.Fprintf(&b, "- context window: %d tokens\n", m.Window)
	}
	if m.Price != nil {
		fmt.Fprintf(&b, "- price per million tokens: input $%s, output $%s\n", m.Price.Input, m.Price.Output)
		if m.Price.Cached != nil {
			fmt.Fprintf(&b, "- cached input: $%s\n", m.Price.Cached)
		}
	} else {
		b.WriteString("- price: n/a\n")
	}
	if traits := m.Capabilities(); traits != "" {
		fmt.Fprintf(&b, "- %s\n", traits)
	}
	return b.String()
}

func (s Models) use(name string) (tui.ActionResult, error) {
	if err := s.App.UseModel(name); err != nil {
		return tui.ActionResult{}, err
	}
	return tui.ActionResult{Message: s.App.ActiveModel() + " answers from the next turn"}, nil
}

func (s Models) save(name string) (tui.ActionResult, error) {
	if err := s.App.UseModel(name); err != nil {
		return tui.ActionResult{}, err
	}
	location, err := s.App.Models.Save(s.App.ActiveModel())
	if err != nil {
		return tui.ActionResult{}, err
	}
	message := s.App.ActiveModel() + " is now the default: " + location
	if override := s.App.Override("model"); override != "" {
		message += "; but " + override + " takes precedence at the next start"
	}
	return tui.ActionResult{Message: message}, nil
}

// Command switches to the named model.
func (s Models) Command(name string) (string, error) {
	if err := s.App.UseModel(strings.TrimSpace(name)); err != nil {
		return "", err
	}
	e := s.App.Agents.Active().Endpoint
	return fmt.Sprintf("Model: **%s** from the next turn (%s).\n", e.Name(), e.Reason), nil
}

func (s Models) refresh(string) (tui.ActionResult, error) {
	if s.App.Offline {
		return tui.ActionResult{}, errors.New("cannot refresh: nfa is offline")
	}
	known := map[string]bool{}
	for _, i := range s.items() {
		known[i.Name] = true
	}
	providers, err := s.App.Models.ListProviders(context.Background(), true)
	if err != nil {
		return tui.ActionResult{}, err
	}
	var b strings.Builder
	for _, p := range providers {
		switch {
		case p.Configured && p.Problem != "":
			fmt.Fprintf(&b, "- **%s** ! %s\n", p.Title, p.Problem)
		case p.Configured:
			added := 0
			for _, m := range p.Models {
				if !known[m.Name] {
					added++
				}
			}
			fmt.Fprintf(&b, "- **%s**: %s, %d new\n", p.Title, cli.CountNoun(len(p.Models), "model"), added)
		}
	}
	if b.Len() == 0 {
		b.WriteString("No provider has a key and no local server is running.\n")
	}
	b.WriteString("\n`/model provider/model` uses a model that is not in the list.\n")
	return tui.ActionResult{Show: b.String()}, nil
}
