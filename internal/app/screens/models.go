package screens

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// The marks of models. They determine which actions apply.
const (
	markActive     = "active"
	markNoKey      = "no key"
	markNotRunning = "not running"
)

// Models is the screen of the available models.
type Models struct{ App *app.App }

// The groups of models.
const (
	groupInUse   = "In use"
	groupReady   = "Ready"
	groupOffline = "Not running"
	groupNoKey   = "Needs a key"
)

// Screen returns the list for /model: the active model, then available models, then all others.
func (s Models) Screen() *tui.ListScreen {
	available := func(i tui.ListItem) bool {
		return !i.Problem && !slices.Contains(i.Marks, markNoKey) && !slices.Contains(i.Marks, markNotRunning)
	}
	needsKey := func(i tui.ListItem) bool { return slices.Contains(i.Marks, markNoKey) }
	return &tui.ListScreen{
		Title: "Models", Items: s.items, Read: s.read, Empty: "No models.",
		Actions: []tui.ListAction{
			{Action: "screen-enter", Name: "use now", About: "use it from the next turn on", AppliesTo: available, Run: s.use},
			{Action: "screen-enter", Name: "add key", About: "save the API key of its provider", AppliesTo: needsKey, Run: s.addKey},
			{Action: "model-write", Name: "save as default", AppliesTo: available, Run: s.save},
			{Action: "model-key", Name: "change key", AppliesTo: s.takesKey, Run: s.addKey},
			{Action: "model-test", Name: "test", AppliesTo: available, Run: s.test},
			{Action: "model-refresh", Name: "refresh", WithoutItem: true, Run: s.refresh},
		},
	}
}

// takesKey reports whether the provider of a model uses an API key and has one.
func (s Models) takesKey(i tui.ListItem) bool {
	p, ok := s.App.Models.ProviderOf(i.Name)
	return ok && p.NeedsKey() && !slices.Contains(i.Marks, markNoKey)
}

// items lists the active model first, then available models, then the others in folded groups.
func (s Models) items() []tui.ListItem {
	providers, err := s.App.Models.ListProviders(context.Background(), false)
	if err != nil {
		return []tui.ListItem{{Name: "keys", Title: "Cannot read the keys", About: err.Error(), Problem: true}, s.builtIn()}
	}
	byGroup := map[string][]tui.ListItem{}
	add := func(i tui.ListItem) { byGroup[i.Group] = append(byGroup[i.Group], i) }
	for _, p := range providers {
		for _, m := range p.Models {
			add(s.item(p, m))
		}
	}
	add(s.builtIn())
	if active := s.App.ActiveModel(); len(byGroup[groupInUse]) == 0 {
		// A server need not list every model that it has.
		add(tui.ListItem{Name: active, Group: groupInUse, Columns: []string{"", "n/a", strings.TrimPrefix(s.App.Agents.Active().Endpoint.KeyFrom, "env ")}, Marks: []string{markActive}})
	}
	return slices.Concat(byGroup[groupInUse], byGroup[groupReady], byGroup[groupOffline], byGroup[groupNoKey])
}

func (s Models) builtIn() tui.ListItem {
	i := tui.ListItem{Name: catalog.Offline, Title: "built-in assistant", Group: groupReady, Columns: []string{"no language model", "free", "offline"}}
	if s.App.ActiveModel() == catalog.Offline {
		i.Group, i.Marks = groupInUse, []string{markActive}
	}
	return i
}

func (s Models) item(p catalog.ListedProvider, m catalog.ListedModel) tui.ListItem {
	i := tui.ListItem{Name: m.Name, Group: groupReady, SearchTerms: strings.Join(append([]string{p.Title}, p.KeyVars...), " ")}
	from := strings.TrimPrefix(p.KeyFrom, "env ")
	switch {
	case p.Local:
		from = "this computer"
	case from == "":
		from = strings.Join(p.KeyVars[:min(len(p.KeyVars), 1)], "")
	}
	switch {
	case m.Name == s.App.ActiveModel():
		i.Group, i.Marks = groupInUse, []string{markActive}
	case p.Local && !p.Configured:
		i.Group, i.Folded, i.Marks = groupOffline, true, []string{markNotRunning}
	case !p.Configured:
		i.Group, i.Folded, i.Marks = groupNoKey, true, []string{markNoKey}
	}
	var traits []string
	if m.Window > 0 {
		traits = append(traits, strings.ToLower(catalog.FormatTokens(m.Window)))
	}
	if m.Reasoning {
		traits = append(traits, "reasoning")
	}
	if m.Vision {
		traits = append(traits, "images")
	}
	price := "n/a"
	switch {
	case p.Local:
		price = "free"
	case m.Price != nil:
		price = fmt.Sprintf("%s / %s USD", money(m.Price.Input), money(m.Price.Output))
	}
	i.Columns = []string{cmp.Or(strings.Join(traits, " · "), "n/a"), price, from}
	return i
}

// money returns a price in US dollars with at least two decimals.
func money(n json.Number) string {
	d, err := decimal.NewFromString(n.String())
	if err != nil {
		return n.String()
	}
	if d.Exponent() < -2 {
		return d.String()
	}
	return d.StringFixed(2)
}

// addKey asks for the API key of the model's provider.
func (s Models) addKey(name string) (tui.ActionResult, error) {
	p, ok := s.App.Models.ProviderOf(name)
	if !ok {
		return tui.ActionResult{}, fmt.Errorf("the provider of %s is unknown, so no API key can be set for it", name)
	}
	return tui.ActionResult{Ask: &tui.ActionForm{
		Title:  "API key for " + p.Title,
		Fields: []widget.FormField{{Name: fieldKey, Label: "API key", Required: true, Secret: true, About: "stored on this computer and sent only to " + p.Title}},
		Fill: func(values map[string]string) (tui.ActionResult, error) {
			message, err := s.App.Models.SaveKey(context.Background(), p, values[fieldKey])
			return tui.ActionResult{Message: message, Select: name}, err
		},
	}}, nil
}

// test asks a model for a short reply and for a tool call.
func (s Models) test(name string) (tui.ActionResult, error) {
	ctx := context.Background()
	e, err := s.App.Models.Choose(ctx, name)
	if err != nil {
		return tui.ActionResult{}, err
	}
	if e.BuiltIn() {
		return tui.ActionResult{Message: "The built-in assistant needs no test."}, nil
	}
	test, err := s.App.Models.TestModel(ctx, e)
	if err == nil {
		err = test.Err()
	}
	if err != nil {
		return tui.ActionResult{}, err
	}
	return tui.ActionResult{Message: fmt.Sprintf("✓ %s: first reply in %.1f s, tool call works", name, test.Text.FirstTokenMS/1000)}, nil
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
	return tui.ActionResult{Message: s.App.ActiveModel() + " answers from the next turn on"}, nil
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
		message += "; but " + override + " takes precedence when nfa starts again"
	}
	return tui.ActionResult{Message: message}, nil
}

// Command switches to the named model.
func (s Models) Command(name string) (string, error) {
	if err := s.App.UseModel(strings.TrimSpace(name)); err != nil {
		return "", err
	}
	e := s.App.Agents.Active().Endpoint
	return fmt.Sprintf("Model: **%s** from the next turn on (%s).\n", e.Name(), e.Reason), nil
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
	b.WriteString("\nTo use a model that is not in the list: `/model provider/model`.\n")
	return tui.ActionResult{Show: b.String()}, nil
}
