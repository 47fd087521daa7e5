package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/switchboard"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/form"
)

// Names of the values that setting up asks for. Those of the second screen are
// settings.
const (
	fieldModel    = "model"
	fieldKey      = "key"
	fieldContact  = "sec.contact"
	fieldCurrency = "base_currency"
)

// mostChoices is how many models are offered: who knows another writes its name.
const mostChoices = 5

func newSetup(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Use: "setup", Short: "Connect a model, and say what your book needs",
		Long: `setup asks what the first start asks: who answers, the address that the SEC wants to
see, and the currency of your book, in two forms. Enter keeps what stands there, and
Esc leaves the rest as it is. In a terminal it opens the chat; elsewhere, and with
--plain, it asks in lines.`,
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runChat(cmd.Context(), g, conversationFlags{}, opening{setup: true})
		},
	}
	g.addPlain(cmd)
	return cmd
}

// onboarding is what a first start asks for, a form a screen. It is for one round.
type onboarding struct {
	*house
	g    *globals
	said []string // what was done, a line each
}

// onboard is /setup.
func (h *house) onboard(g *globals) (string, error) { return (&onboarding{house: h, g: g}).who() }

// who is the first screen: who answers. Nothing of the network is asked, but this
// machine is for the servers that run on it.
func (o *onboarding) who() (string, error) {
	found, err := o.connections.Survey(context.Background(), false)
	if err != nil {
		return "", err
	}
	var choices, seen []string
	for _, p := range found {
		if !p.Configured {
			continue
		}
		seen = append(seen, cmp.Or(p.KeyFrom, "runs here")+": "+p.Title)
		for i, m := range p.Models {
			// Of a provider with a key the first; a local server has what its owner chose.
			if len(choices) < mostChoices && (i == 0 || p.Local) {
				choices = append(choices, m.Name)
			}
		}
	}
	about := "offline looks around without a model; or a provider, and its key below"
	if len(seen) > 0 {
		about = "found: " + strings.Join(seen, "; ")
	}
	choices = append(choices, switchboard.Offline)
	if now := o.standing(); now != "" {
		choices = slices.Insert(slices.DeleteFunc(choices, func(c string) bool { return c == now }), 0, now)
	}
	return "", &tui.NeedsError{
		Title: "Setup 1/2: who answers",
		Fields: []form.Field{
			{Name: fieldModel, Value: choices[0], Choices: choices, About: about},
			{Name: fieldKey, Secret: true, About: "for a provider that has none yet, as nfa auth set PROVIDER keeps it"},
		},
		Shown: func(values map[string]string) (string, error) { return o.connect(values, choices, about) },
		Leave: o.left,
	}
}

// standing is who answers where the user has said so before, or "": going through the
// form with Enter leaves that as it is.
func (o *onboarding) standing() string {
	if o.cfg.Model == "" && !o.cfg.Offline || o.connections.Picked() {
		return ""
	}
	return o.speaking.Load().modelName
}

// connect keeps the key and lets the model answer, now and from now on.
func (o *onboarding) connect(values map[string]string, choices []string, about string) (string, error) {
	name, key := cmp.Or(values[fieldModel], switchboard.Offline), values[fieldKey]
	if key == "" && name == o.standing() {
		return o.what()
	}
	again := func(field string, err error) (string, error) {
		_, asked := o.who()
		var needs *tui.NeedsError
		if !errors.As(asked, &needs) {
			return "", asked
		}
		needs.Fields = []form.Field{
			{Name: fieldModel, Value: name, Choices: choices, About: about},
			{Name: fieldKey, Secret: true, About: needs.Fields[1].About},
		}
		at := slices.IndexFunc(needs.Fields, func(f form.Field) bool { return f.Name == field })
		needs.Fields[at].Problem = err.Error()
		return "", needs
	}
	if key != "" {
		p, ok := o.connections.Maker(name)
		if !ok {
			return again(fieldModel, errors.New("a key is for a provider: write its name, such as deepseek or openai"))
		}
		kept, err := o.connections.Keep(context.Background(), p, key)
		if err != nil {
			return again(fieldKey, err)
		}
		o.said = append(o.said, kept)
	}
	if err := o.pickModel(name); err != nil {
		return again(fieldModel, err)
	}
	if err := o.writeChoice(name); err != nil {
		return again(fieldModel, err)
	}
	return o.what()
}

// writeChoice keeps who answers. To look around without a model is kept only where
// a model would be found: elsewhere a key that is added later shall count.
func (o *onboarding) writeChoice(name string) error {
	if name == switchboard.Offline && o.cfg.Model == "" && o.connections.NoneToHand(context.Background()) {
		return nil
	}
	where, err := o.g.writeModel(o.connections, o.speaking.Load().modelName)
	if err != nil {
		return err
	}
	o.said = append(o.said, fmt.Sprintf("%s answers from now on (%s)", o.speaking.Load().modelName, where))
	return nil
}

// what is the second screen: what filings and the book need.
func (o *onboarding) what() (string, error) {
	return "", &tui.NeedsError{
		Title: "Setup 2/2: filings and your book",
		Fields: []form.Field{
			{Name: fieldContact, Value: o.cfg.Data.SECContact, About: "your e-mail address: the SEC wants it with each request, nobody else gets it"},
			{Name: fieldCurrency, Value: o.cfg.BaseCurrency, Choices: []string{"USD", "EUR", "GBP", "CHF"}, About: "what your book is valued in, three letters"},
		},
		Shown: o.keep,
		Leave: o.left,
	}
}

// keep writes the values of the second screen into the user's settings.
func (o *onboarding) keep(values map[string]string) (string, error) {
	file := o.g.userFile(o.home)
	values[fieldCurrency] = strings.ToUpper(values[fieldCurrency])
	stood := map[string]string{fieldContact: o.cfg.Data.SECContact, fieldCurrency: o.cfg.BaseCurrency}
	for _, key := range []string{fieldContact, fieldCurrency} {
		value := values[key]
		if value == stood[key] || value == "" {
			continue
		}
		line, err := config.Write(file, key, value)
		if err != nil {
			_, asked := o.what()
			var needs *tui.NeedsError
			if errors.As(asked, &needs) {
				for i, f := range needs.Fields {
					needs.Fields[i].Value = values[f.Name]
					if f.Name == key {
						needs.Fields[i].Problem = err.Error()
					}
				}
			}
			return "", asked
		}
		// What was kept before another value would not do is not told twice.
		if text := fmt.Sprintf("%s is %s from the next start on (%s:%d)", key, value, console.Path(file), line); !slices.Contains(o.said, text) {
			o.said = append(o.said, text)
		}
	}
	return o.done()
}

// done is what is said at the end: what was done, and what to try.
func (o *onboarding) done() (string, error) {
	text := o.changes()
	if text == "" {
		text = "Nothing was changed.\n\n"
	}
	return text + "\nWhat to try:\n\n- How has the S&P 500 done since 2008, and how bad did it get?\n- `/get-price AAPL`\n- `nfa portfolio import FILE`, in your shell: your book\n\n`/setup` asks again whenever you like, `/help` lists the rest.\n", nil
}

// left is what is said in the place of a form that is given up. It gives up what would
// follow as well: who turns away from one form writes on in the chat, not in another form.
func (o *onboarding) left() (string, error) {
	text := o.changes()
	if text == "" {
		return "Setting up was left; nothing was changed. `/setup` comes back to it.\n", nil
	}
	return text + "\nThe rest of setting up was left; `/setup` comes back to it.\n", nil
}

// changes are what was done, as a list.
func (o *onboarding) changes() string {
	var b strings.Builder
	for _, line := range o.said {
		fmt.Fprintf(&b, "- %s\n", markdown.Quote(line))
	}
	return b.String()
}

// firstRun reports whether this is the first start of a home that nobody has said
// anything about, and remembers that it was: what was skipped is not asked again.
func (h *house) firstRun(ctx context.Context, g *globals) bool {
	if g.env("CI") != "" {
		return false
	}
	for _, key := range []string{"model", "base_url", "offline"} {
		if h.cfg.Origin(key) != "default" {
			return false
		}
	}
	if _, err := os.Stat(g.userFile(h.home)); err == nil {
		return false
	}
	if kept, err := h.store.List(ctx, 1); err != nil || len(kept) > 0 {
		return false
	}
	return h.once("setup-asked")
}

// once reports whether something is done for the first time in the life of a home.
// What cannot be remembered is not done.
func (h *house) once(name string) bool {
	dir := filepath.Join(h.home, "cache")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return false
	}
	mark, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return false // done before, or it could not be remembered
	}
	_ = mark.Close()
	return true
}

// accessible reports whether the user has asked every program for what can be
// listened to.
func (g *globals) accessible() bool {
	on, err := strconv.ParseBool(g.env("ACCESSIBLE"))
	return err == nil && on
}
