package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// maxModelChoices is how many models are offered: who knows another writes its name.
const maxModelChoices = 5

// modelForm is the first screen: who answers. Nothing of the network is asked, but this
// machine is for the servers that run on it.
func (u *setupFlow) modelForm() (string, error) {
	providers, err := u.Board.ListProviders(context.Background(), false)
	if err != nil {
		return "", err
	}
	var choices, sources []string
	for _, p := range providers {
		if !p.Configured {
			continue
		}
		sources = append(sources, cmp.Or(p.KeyFrom, "runs here")+": "+p.Title)
		for i, m := range p.Models {
			// Of a provider with a key the first; a local server has what its owner chose.
			if len(choices) < maxModelChoices && (i == 0 || p.Local) {
				choices = append(choices, m.Name)
			}
		}
	}
	about := "offline looks around without a model; or a provider, and its key below"
	if len(sources) > 0 {
		about = "found: " + strings.Join(sources, "; ")
	}
	choices = append(choices, catalog.Offline)
	if current := u.configuredModel(); current != "" {
		choices = slices.Insert(slices.DeleteFunc(choices, func(c string) bool { return c == current }), 0, current)
	}
	return "", &tui.MissingInputError{
		Title: "Setup 1/2: who answers",
		Fields: []widget.FormField{
			{Name: setupFieldModel, Value: choices[0], Choices: choices, About: about},
			{Name: setupFieldKey, Secret: true, About: "for a provider that has none yet, as nfa auth set PROVIDER keeps it"},
		},
		Show:     func(values map[string]string) (string, error) { return u.connectModel(values, choices, about) },
		OnCancel: u.canceled,
	}
}

// configuredModel is who answers where the user has said so before, or "": going through the
// form with Enter leaves that as it is.
func (u *setupFlow) configuredModel() string {
	if u.Model == "" && !u.Offline || u.Board.HasPick() {
		return ""
	}
	return u.ActiveModel()
}

// connectModel keeps the key and lets the model answer, now and from now on.
func (u *setupFlow) connectModel(values map[string]string, choices []string, about string) (string, error) {
	name, key := cmp.Or(values[setupFieldModel], catalog.Offline), values[setupFieldKey]
	if key == "" && name == u.configuredModel() {
		return u.detailsForm()
	}
	retry := func(field string, err error) (string, error) {
		_, formErr := u.modelForm()
		var needs *tui.MissingInputError
		if !errors.As(formErr, &needs) {
			return "", formErr
		}
		needs.Fields = []widget.FormField{
			{Name: setupFieldModel, Value: name, Choices: choices, About: about},
			{Name: setupFieldKey, Secret: true, About: needs.Fields[1].About},
		}
		index := slices.IndexFunc(needs.Fields, func(f widget.FormField) bool { return f.Name == field })
		needs.Fields[index].Problem = err.Error()
		return "", needs
	}
	if key != "" {
		p, ok := u.Board.ProviderOf(name)
		if !ok {
			return retry(setupFieldModel, errors.New("a key is for a provider: write its name, such as deepseek or openai"))
		}
		message, err := u.Board.SaveKey(context.Background(), p, key)
		if err != nil {
			return retry(setupFieldKey, err)
		}
		u.applied = append(u.applied, message)
	}
	if err := u.Use(name); err != nil {
		return retry(setupFieldModel, err)
	}
	if err := u.saveModel(name); err != nil {
		return retry(setupFieldModel, err)
	}
	return u.detailsForm()
}

// saveModel keeps who answers. To look around without a model is kept only where
// a model would be found: elsewhere a key that is added later shall count.
func (u *setupFlow) saveModel(name string) error {
	if name == catalog.Offline && u.Model == "" && u.Board.DefaultsToBuiltIn(context.Background()) {
		return nil
	}
	location, err := u.Write(setupFieldModel, u.ActiveModel())
	if err != nil {
		return err
	}
	u.applied = append(u.applied, fmt.Sprintf("%s answers from now on (%s)", u.ActiveModel(), location))
	return nil
}
