package shelves

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/switchboard"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/keymap"
)

// Marks of models, by which actions know what they may be offered for.
const (
	markAnswering = "answers now"
	markNoKey     = "no key"
	markStopped   = "does not run"
)

// Models are the models that can be had.
type Models struct {
	Board   *switchboard.Board
	Offline bool // no list may come over the network
	// Answers is the name of the model that answers now.
	Answers func() string
	// Use lets a model answer from the next turn on.
	Use func(name string) error
	// Write keeps the model that answers in the settings, and says so.
	Write func() (said string, err error)
}

// Shelf is /model: every model that is known, to choose from.
func (s Models) Shelf() *tui.Shelf {
	toHand := func(i tui.Item) bool {
		return !slices.Contains(i.Marks, markNoKey) && !slices.Contains(i.Marks, markStopped)
	}
	return &tui.Shelf{
		Title: "Models", Scope: keymap.Models, Items: s.items, Read: s.read, Empty: "No model is known.",
		Actions: []tui.Action{
			{Key: "enter", Name: "use", About: "let it answer from the next turn on", Offer: toHand, Run: s.use},
			{Key: "w", Name: "write", Offer: toHand, Run: s.write},
			{Key: "r", Name: "refresh", Whole: true, Run: s.refresh},
		},
	}
}

// items are the models by provider: what can be had first, and the embedded
// assistant last.
func (s Models) items() []tui.Item {
	found, err := s.Board.Survey(context.Background(), false)
	if err != nil {
		return []tui.Item{{Name: "keys", Title: "The keys cannot be read", About: err.Error(), Problem: true}, s.embedded()}
	}
	var items []tui.Item
	for _, p := range found {
		for _, m := range p.Models {
			items = append(items, tui.Item{
				Name: m.Name, Title: strings.TrimPrefix(m.Name, p.Name+"/"), Group: p.Title, About: modelAbout(p, m), Marks: s.marks(p, m),
			})
		}
	}
	return append(items, s.embedded())
}

func (s Models) embedded() tui.Item {
	i := tui.Item{Name: switchboard.Offline, Title: "embedded assistant", Group: "Without a server", About: "rules, no language model"}
	if s.Answers() == switchboard.Offline {
		i.Marks = []string{markAnswering}
	}
	return i
}

func (s Models) marks(p switchboard.Provider, m switchboard.Model) []string {
	var marks []string
	switch {
	case m.Name == s.Answers():
		marks = append(marks, markAnswering)
	case p.Local && !p.Configured:
		marks = append(marks, markStopped)
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
		marks = append(marks, switchboard.Tokens(m.Window))
	}
	return marks
}

func modelAbout(p switchboard.Provider, m switchboard.Model) string {
	text := m.Price.String()
	if m.Price != nil && p.AsOf != "" {
		text += ", as of " + p.AsOf
	}
	return text
}

// read is what the pane holds of a model.
func (s Models) read(name string) (string, error) {
	if name == switchboard.Offline {
		return "The **embedded assistant** answers by rules, from what the tools give. It is no language model.\n", nil
	}
	found, err := s.Board.Survey(context.Background(), false)
	if err != nil {
		return "", err
	}
	for _, p := range found {
		for _, m := range p.Models {
			if m.Name == name {
				return modelPage(p, m), nil
			}
		}
	}
	return "", fmt.Errorf("%s is not listed any more", name)
}

func modelPage(p switchboard.Provider, m switchboard.Model) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n\n", markdown.Code(m.Name), p.Heading())
	if m.Window > 0 {
		fmt.Fprintf(&b, "- context window: %d tokens\n", m.Window)
	}
	if m.Price != nil {
		fmt.Fprintf(&b, "- for a million tokens: input $%s, output $%s\n", m.Price.Input, m.Price.Output)
		if m.Price.Cached != nil {
			fmt.Fprintf(&b, "- cached input: $%s\n", m.Price.Cached)
		}
	} else {
		b.WriteString("- its price is not known here\n")
	}
	if traits := m.Traits(); traits != "" {
		fmt.Fprintf(&b, "- %s\n", traits)
	}
	return b.String()
}

func (s Models) use(name string) (tui.Outcome, error) {
	if err := s.Use(name); err != nil {
		return tui.Outcome{}, err
	}
	return tui.Outcome{Said: s.Answers() + " answers from the next turn on"}, nil
}

func (s Models) write(name string) (tui.Outcome, error) {
	if err := s.Use(name); err != nil {
		return tui.Outcome{}, err
	}
	said, err := s.Write()
	return tui.Outcome{Said: said}, err
}

func (s Models) refresh(string) (tui.Outcome, error) {
	if s.Offline {
		return tui.Outcome{}, errors.New("the lists come over the network, and offline is set")
	}
	known := map[string]bool{}
	for _, i := range s.items() {
		known[i.Name] = true
	}
	found, err := s.Board.Survey(context.Background(), true)
	if err != nil {
		return tui.Outcome{}, err
	}
	var b strings.Builder
	for _, p := range found {
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
			fmt.Fprintf(&b, "- **%s** lists %s, %d of them new here\n", p.Title, console.Count(len(p.Models), "model"), added)
		}
	}
	if b.Len() == 0 {
		b.WriteString("No provider has a key, and no local server runs: there was nobody to ask.\n")
	}
	b.WriteString("\n`/model provider/model` uses one that is not in the list.\n")
	return tui.Outcome{Show: b.String()}, nil
}
