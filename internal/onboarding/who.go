package onboarding

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/switchboard"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/form"
)

// mostChoices is how many models are offered: who knows another writes its name.
const mostChoices = 5

// who is the first screen: who answers. Nothing of the network is asked, but this
// machine is for the servers that run on it.
func (u *setup) who() (string, error) {
	found, err := u.Board.Survey(context.Background(), false)
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
	if now := u.standing(); now != "" {
		choices = slices.Insert(slices.DeleteFunc(choices, func(c string) bool { return c == now }), 0, now)
	}
	return "", &tui.NeedsError{
		Title: "Setup 1/2: who answers",
		Fields: []form.Field{
			{Name: fieldModel, Value: choices[0], Choices: choices, About: about},
			{Name: fieldKey, Secret: true, About: "for a provider that has none yet, as nfa auth set PROVIDER keeps it"},
		},
		Shown: func(values map[string]string) (string, error) { return u.connect(values, choices, about) },
		Leave: u.left,
	}
}

// standing is who answers where the user has said so before, or "": going through the
// form with Enter leaves that as it is.
func (u *setup) standing() string {
	if u.Model == "" && !u.Offline || u.Board.Picked() {
		return ""
	}
	return u.Answers()
}

// connect keeps the key and lets the model answer, now and from now on.
func (u *setup) connect(values map[string]string, choices []string, about string) (string, error) {
	name, key := cmp.Or(values[fieldModel], switchboard.Offline), values[fieldKey]
	if key == "" && name == u.standing() {
		return u.what()
	}
	again := func(field string, err error) (string, error) {
		_, asked := u.who()
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
		p, ok := u.Board.Maker(name)
		if !ok {
			return again(fieldModel, errors.New("a key is for a provider: write its name, such as deepseek or openai"))
		}
		kept, err := u.Board.Keep(context.Background(), p, key)
		if err != nil {
			return again(fieldKey, err)
		}
		u.said = append(u.said, kept)
	}
	if err := u.Use(name); err != nil {
		return again(fieldModel, err)
	}
	if err := u.writeChoice(name); err != nil {
		return again(fieldModel, err)
	}
	return u.what()
}

// writeChoice keeps who answers. To look around without a model is kept only where
// a model would be found: elsewhere a key that is added later shall count.
func (u *setup) writeChoice(name string) error {
	if name == switchboard.Offline && u.Model == "" && u.Board.NoneToHand(context.Background()) {
		return nil
	}
	where, err := u.Write(fieldModel, u.Answers())
	if err != nil {
		return err
	}
	u.said = append(u.said, fmt.Sprintf("%s answers from now on (%s)", u.Answers(), where))
	return nil
}
