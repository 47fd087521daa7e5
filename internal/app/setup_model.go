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

// maxModelChoices limits the models in the form. Users can type another name.
const maxModelChoices = 5

// modelForm returns the first form, which asks for the model. It looks for local servers on this
// machine and uses no other network.
func (u *setupFlow) modelForm() (string, error) {
	providers, err := u.Selector.ListProviders(context.Background(), false)
	if err != nil {
		return "", err
	}
	var choices, sources []string
	for _, p := range providers {
		if !p.Configured {
			continue
		}
		sources = append(sources, cmp.Or(p.KeyFrom, "running")+": "+p.Title)
		for i, m := range p.Models {
			// For a provider with a key, its first model; for a local server, the installed model.
			if len(choices) < maxModelChoices && (i == 0 || p.Local) {
				choices = append(choices, m.Name)
			}
		}
	}
	about := "choose a provider, or offline to try nfa without a model"
	if len(sources) > 0 {
		about = "found: " + strings.Join(sources, "; ")
	}
	choices = append(choices, catalog.Offline)
	if current := u.configuredModel(); current != "" {
		choices = slices.Insert(slices.DeleteFunc(choices, func(c string) bool { return c == current }), 0, current)
	}
	return "", &tui.MissingInputError{
		Title: "Setup 1 of 2: choose a model",
		Fields: []widget.FormField{
			{Name: setupFieldModel, Value: choices[0], Choices: choices, About: about},
			{Name: setupFieldKey, Secret: true, About: "API key of the provider; or run nfa auth set PROVIDER"},
		},
		Show:     func(values map[string]string) (string, error) { return u.connectModel(values, choices, about) },
		OnCancel: u.canceled,
	}
}

// configuredModel returns the model that the user chose before, or "". It is the default in the
// form, so that pressing Enter changes nothing.
func (u *setupFlow) configuredModel() string {
	if u.Model == "" && !u.Offline || u.Selector.HasPick() {
		return ""
	}
	return u.Target.ActiveModel()
}

// connectModel saves the key and switches to the model, now and for later starts.
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
		p, ok := u.Selector.ProviderOf(name)
		if !ok {
			return retry(setupFieldModel, errors.New("a key needs a provider, such as deepseek or openai"))
		}
		message, err := u.Selector.SaveKey(context.Background(), p, key)
		if err != nil {
			return retry(setupFieldKey, err)
		}
		u.applied = append(u.applied, message)
	}
	if err := u.Target.UseModel(name); err != nil {
		return retry(setupFieldModel, err)
	}
	if err := u.saveModel(name); err != nil {
		return retry(setupFieldModel, err)
	}
	return u.detailsForm()
}

// saveModel saves the model. It saves the built-in assistant only if a model is available;
// otherwise a key that is added later would have no effect.
func (u *setupFlow) saveModel(name string) error {
	if name == catalog.Offline && u.Model == "" && u.Selector.DefaultsToBuiltIn(context.Background()) {
		return nil
	}
	location, err := u.Target.Save(setupFieldModel, u.Target.ActiveModel())
	if err != nil {
		return err
	}
	u.applied = append(u.applied, fmt.Sprintf("model is now %s (%s)", u.Target.ActiveModel(), location))
	return nil
}
