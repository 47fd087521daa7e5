package screens

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// Setup is the dialog of /setup in three steps: a model, the data, and a question to try.
type Setup struct{ App *app.App }

// Screen returns the first step.
func (s Setup) Screen() *tui.ListScreen {
	d := &setupDialog{app: s.App, server: s.App.BaseURL, local: s.App.Models.FindLocal(context.Background())}
	return d.modelScreen()
}

// setupDialog is one run of the setup.
type setupDialog struct {
	app    *app.App
	server string   // the address of another server, or ""
	saved  []string // what was saved: "OpenAI key"
	model  string   // the saved model, or ""

	mu    sync.Mutex
	local <-chan catalog.ListedProvider // running local servers, as they answer
	found []catalog.ListedProvider      // received from local
}

// The groups of the first step.
const (
	groupFound     = "Found on this computer"
	groupAlsoFound = "Also found on this computer"
	groupProviders = "Providers"
	groupMore      = "More"
	groupOther     = "Other"
	groupSources   = "Other keys"
)

// localGrace is how long the first frame waits for local servers. Those that answer later are added
// below the other rows.
const localGrace = 100 * time.Millisecond

// noModel is the row of the built-in assistant.
const noModel = catalog.Offline

// featured are the providers that are not folded.
var featured = []string{"openai", "anthropic", "openrouter"}

// modelScreen returns the screen of step 1.
func (d *setupDialog) modelScreen() *tui.ListScreen {
	return &tui.ListScreen{
		Title: "Setup · 1 of 3 · Model", Items: d.items, Late: d.lateItems, NamesFolded: true, Step: "cancel", OnClose: d.summary,
		Actions: []tui.ListAction{{Action: "screen-enter", Name: "choose", About: "connect it", Run: d.choose}},
	}
}

// summary returns the notice that is shown when the user leaves the setup.
func (d *setupDialog) summary() string {
	if len(d.saved) == 0 {
		return "Setup canceled. Nothing was changed."
	}
	return "Setup stopped. Saved: " + strings.Join(d.saved, ", ") + "."
}

// items lists what is ready, then the providers.
func (d *setupDialog) items() []tui.ListItem {
	stored, err := d.app.Models.StoredKeys()
	if err != nil {
		return []tui.ListItem{{Name: "keys", Title: "Cannot read the keys", About: err.Error(), Problem: true}}
	}
	var ready, main, more, sources []tui.ListItem
	running := d.receive(time.After(localGrace))
	for _, p := range d.app.Models.Providers() {
		from := d.app.Models.KeyFrom(p, stored)
		i := setupItem(p)
		switch {
		case p.Local && slices.ContainsFunc(running, func(l catalog.ListedProvider) bool { return l.Name == p.Name }):
			// It is listed below.
		case p.Local:
			i.Group, i.Folded, i.Columns = groupMore, true, []string{"not running", ""}
			more = append(more, i)
		case from != "":
			i.Group, i.Columns = groupFound, []string{keyState(from), d.readyState(p)}
			ready = append(ready, i)
		case slices.Contains(featured, p.Name):
			i.Group, i.Columns = groupProviders, []string{needsKey(p), ""}
			main = append(main, i)
		default:
			i.Group, i.Folded, i.Columns = groupMore, true, []string{needsKey(p), ""}
			more = append(more, i)
		}
	}
	for _, p := range running {
		ready = append(ready, localItem(p, groupFound))
	}
	for _, p := range d.app.Models.OtherKeys() {
		i := setupItem(p)
		i.Group, i.Folded, i.Columns = groupSources, true, []string{needsKey(p), ""}
		if from := d.app.Models.KeyFrom(p, stored); from != "" {
			i.Columns = []string{keyState(from), "ready"}
		}
		sources = append(sources, i)
	}
	byTitle := func(a, b tui.ListItem) int {
		return cmp.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title))
	}
	slices.SortFunc(more, byTitle)
	slices.SortFunc(sources, byTitle)
	other := []tui.ListItem{
		{Name: catalog.Custom, Title: "Another server", Group: groupOther, Columns: []string{"any OpenAI-compatible address", ""}, SearchTerms: catalog.Custom + " your server NFA_BASE_URL NFA_API_KEY"},
		{Name: noModel, Title: "No model", Group: groupOther, Columns: []string{"use the built-in assistant", ""}},
	}
	if d.server != "" {
		other[0].Columns = []string{hostOf(d.server), "ready"}
	}
	return slices.Concat(ready, main, more, other, sources)
}

// setupItem returns the row of a provider without its state.
func setupItem(p catalog.Provider) tui.ListItem {
	terms := slices.Concat([]string{p.Name}, p.Aliases, p.KeyVars)
	return tui.ListItem{Name: p.Name, Title: p.Title, SearchTerms: strings.Join(terms, " ")}
}

func needsKey(p catalog.Provider) string {
	if p.Name == "openrouter" {
		return "needs an API key, one key for many models"
	}
	return "needs an API key"
}

func keyState(from string) string {
	if name, ok := strings.CutPrefix(from, "env "); ok {
		return name + " is set"
	}
	return "key in " + from
}

func (d *setupDialog) readyState(p catalog.Provider) string {
	if d.app.Models.KeyRejected(p) {
		return "key rejected"
	}
	return "ready"
}

func localItem(p catalog.ListedProvider, group string) tui.ListItem {
	return tui.ListItem{
		Name: p.Name, Title: p.Title, Group: group,
		Columns: []string{strings.Replace(hostOf(p.BaseURL), "127.0.0.1", "localhost", 1) + ", " + cli.CountNoun(len(p.Models), "model"), "ready"},
	}
}

func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}

// receive returns the local servers that have answered so far. It waits for more until stop receives; if stop
// is nil, until all have been found.
func (d *setupDialog) receive(stop <-chan time.Time) []catalog.ListedProvider {
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		select {
		case p, ok := <-d.local:
			if !ok {
				return slices.Clone(d.found)
			}
			d.found = append(d.found, p)
		case <-stop:
			return slices.Clone(d.found)
		}
	}
}

// lateItems returns the local servers that answered after localGrace.
func (d *setupDialog) lateItems() []tui.ListItem {
	var items []tui.ListItem
	for _, p := range d.receive(nil) {
		items = append(items, localItem(p, groupAlsoFound))
	}
	return items
}

// The fields of the forms.
const (
	fieldAddress  = "address"
	fieldModel    = "model"
	fieldCurrency = "base_currency"
	fieldContact  = "sec.contact"
)

// choose opens the form of a row.
func (d *setupDialog) choose(name string) (tui.ActionResult, error) {
	if name == noModel {
		return d.useBuiltIn()
	}
	p, err := d.app.Models.KeyProvider(name)
	if err != nil {
		return tui.ActionResult{}, err
	}
	if slices.ContainsFunc(d.app.Models.OtherKeys(), func(source catalog.Provider) bool { return source.Name == name }) {
		return tui.ActionResult{Ask: d.sourceForm(p)}, nil
	}
	c := &connection{dialog: d, provider: p}
	stored, err := d.app.Models.StoredKeys()
	if err != nil {
		return tui.ActionResult{}, err
	}
	c.keyFrom = d.app.Models.KeyFrom(p, stored)
	d.mu.Lock()
	for _, l := range d.found {
		if l.Name == name && len(l.Models) > 0 {
			for _, m := range l.Models {
				c.models = append(c.models, strings.TrimPrefix(m.Name, name+"/"))
			}
		}
	}
	d.mu.Unlock()
	return tui.ActionResult{Ask: c.form()}, nil
}

// useBuiltIn continues without a model.
func (d *setupDialog) useBuiltIn() (tui.ActionResult, error) {
	if err := d.app.UseModel(catalog.Offline); err != nil {
		return tui.ActionResult{}, err
	}
	// Save the choice only if nfa would otherwise use a model, so that a key that is added later takes
	// effect.
	if d.app.Config.Model != "" || !d.app.Models.DefaultsToBuiltIn(context.Background()) {
		if _, err := d.app.Models.Save(catalog.Offline); err != nil {
			return tui.ActionResult{}, err
		}
		d.saved = append(d.saved, "no model")
	}
	return tui.ActionResult{Ask: d.dataForm()}, nil
}

// sourceForm asks for the key of a source of market data.
func (d *setupDialog) sourceForm(p catalog.Provider) *tui.ActionForm {
	return &tui.ActionForm{
		Title: "Setup · " + p.Title, Page: true, Verb: "save",
		Fields: []widget.FormField{{Name: fieldKey, Label: "API key", Required: true, Secret: true}},
		Facts:  [][2]string{{"Saved in", d.keyPlace()}, {"", "Used when nfa starts again. Test the data sources: nfa doctor --live"}},
		Fill: func(values map[string]string) (tui.ActionResult, error) {
			message, err := d.app.Models.SaveKey(context.Background(), p, values[fieldKey])
			if err == nil {
				d.saved = append(d.saved, p.Title+" key")
			}
			return tui.ActionResult{Message: message, Select: p.Name}, err
		},
	}
}

// keyPlace says where a key will be stored.
func (d *setupDialog) keyPlace() string {
	if d.app.KeyStore == "file" {
		return humanize.ShortPath(d.app.Models.Keys.Path()) + ", readable only by you"
	}
	switch runtime.GOOS {
	case "darwin":
		return "macOS Keychain"
	case "windows":
		return "Windows Credential Manager"
	}
	return "the system keyring, or a file that only you can read"
}

// dataForm returns the form of step 2.
func (d *setupDialog) dataForm() *tui.ActionForm {
	return &tui.ActionForm{
		Title: "Setup · 2 of 3 · Data", Page: true, Focus: fieldContact, Verb: "next",
		Fields: []widget.FormField{
			{Name: fieldCurrency, Label: "Base currency", Value: cmp.Or(d.app.BaseCurrency, localCurrency(d.app.Env)), Required: true, Choices: baseCurrencies},
			{Name: fieldContact, Label: "E-mail", Value: d.app.Data.SECContact},
		},
		Facts: [][2]string{{"", "Sent only to sec.gov with filing requests. If empty, company filings are off."}},
		Fill:  d.saveData,
	}
}

// baseCurrencies are the choices of the form. Other codes can be typed.
var baseCurrencies = []string{"USD", "EUR", "GBP", "CHF", "CNY", "HKD", "JPY", "CAD", "AUD", "INR"}

// localCurrency returns the currency of the country in the locale, or USD.
func localCurrency(env func(string) string) string {
	locale := cmp.Or(env("LC_ALL"), env("LC_MONETARY"), env("LANG"))
	locale, _, _ = strings.Cut(locale, ".")
	_, country, _ := strings.Cut(locale, "_")
	region, err := language.ParseRegion(country)
	if err != nil {
		return "USD"
	}
	if unit, ok := currency.FromRegion(region); ok {
		return unit.String()
	}
	return "USD"
}

// saveData saves the changed values of step 2.
func (d *setupDialog) saveData(values map[string]string) (tui.ActionResult, error) {
	values[fieldCurrency] = strings.ToUpper(values[fieldCurrency])
	for key, previous := range map[string]string{fieldCurrency: d.app.BaseCurrency, fieldContact: d.app.Data.SECContact} {
		if values[key] == previous || values[key] == "" {
			continue
		}
		if _, err := d.app.Save(key, values[key]); err != nil {
			form := d.dataForm()
			for i := range form.Fields {
				form.Fields[i].Value = values[form.Fields[i].Name]
			}
			addFieldProblem(form.Fields, err.Error(), key)
			return tui.ActionResult{Ask: form}, nil
		}
		label := map[string]string{fieldCurrency: "currency ", fieldContact: "SEC contact "}[key] + values[key]
		if !slices.Contains(d.saved, label) {
			d.saved = append(d.saved, label)
		}
	}
	return tui.ActionResult{Open: d.tryScreen(values)}, nil
}

// tryScreen returns the screen of step 3.
func (d *setupDialog) tryScreen(data map[string]string) *tui.ListScreen {
	a := d.app
	rows := startRows(context.Background(), a, a.Stores.Portfolio.Summary(context.Background()).Transactions > 0)
	rows = slices.DeleteFunc(rows, func(r tui.StartRow) bool { return r.Send == connect.Send })
	items := make([]tui.ListItem, len(rows), len(rows)+1)
	for i, r := range rows {
		items[i] = tui.ListItem{Name: r.Message(), Title: r.Text, FullText: r.Text, Group: "Try a question"}
	}
	const openChat = "open"
	items = append(items, tui.ListItem{Name: openChat, Title: "Not now: open the chat", FullText: "Not now: open the chat", Group: "Try a question"})
	return &tui.ListScreen{
		Title: "Setup · 3 of 3 · Done", Items: func() []tui.ListItem { return items }, Step: "back",
		Frame: func(st *widget.Styles, width int, _ string) widget.BrowserFrame {
			return widget.BrowserFrame{Top: append(d.doneLines(st, data, width), "")}
		},
		Actions: []tui.ListAction{{Action: "screen-enter", Name: "send", Run: func(name string) (tui.ActionResult, error) {
			if name == openChat {
				return tui.ActionResult{Close: true}, nil
			}
			return tui.ActionResult{Send: name}, nil
		}}},
		Back: func() *tui.ListScreen {
			screen := d.modelScreen()
			screen.Form = d.dataForm()
			return screen
		},
	}
}

// doneLines draws the three results of the setup.
func (d *setupDialog) doneLines(st *widget.Styles, data map[string]string, width int) []string {
	line := func(label, text string) string {
		mark := st.Good.Apply("✓")
		if strings.HasPrefix(text, "not ") {
			mark = st.Dim.Apply("-")
		}
		return widget.FitLine(mark+" "+label+strings.Repeat(" ", 14-len(label))+text, width)
	}
	model := d.app.ActiveModel()
	if model == catalog.Offline && d.model != "" {
		model = d.model + ", saved; used when nfa starts without --offline"
	} else if model == catalog.Offline {
		model = "not connected; the built-in assistant answers simple questions"
	} else if override := d.app.Override("model"); override != "" {
		model += "; when nfa starts again, " + override + " takes precedence"
	}
	contact := cmp.Or(data[fieldContact], d.app.Data.SECContact, "not set")
	return []string{line("Model", model), line("Currency", data[fieldCurrency]), line("SEC contact", contact)}
}

// connection is the form of one provider in step 1.
type connection struct {
	dialog   *setupDialog
	provider catalog.Provider
	keyFrom  string   // where its key is now, or ""
	models   []string // listed by its server

	// The last test that succeeded.
	key, model, address string
	tested              bool
	count               int // of models
	reply               float64
}

func (c *connection) title() string {
	if c.isCustom() {
		return "Setup · 1 of 3 · Another server"
	}
	return "Setup · 1 of 3 · " + c.provider.Title
}

func (c *connection) isCustom() bool { return c.provider.Name == catalog.Custom }

// form returns the form with the results of the last test.
func (c *connection) form() *tui.ActionForm {
	f := &tui.ActionForm{Title: c.title(), Page: true, Verb: "test", Focus: fieldModel, Fill: c.test, Save: c.save}
	if c.isCustom() {
		f.Fields = append(f.Fields, widget.FormField{Name: fieldAddress, Label: "Address", Value: c.dialog.server, Required: true, Hint: "such as http://localhost:9000/v1"})
	}
	if c.provider.NeedsKey() || c.isCustom() {
		key := widget.FormField{Name: fieldKey, Label: "API key", Secret: true, Value: c.key, Required: c.keyFrom == "" && !c.isCustom()}
		if c.keyFrom != "" {
			key.Hint = keyState(c.keyFrom)
		}
		f.Fields = append(f.Fields, key)
		f.Facts = append(f.Facts, [2]string{"Saved in", c.dialog.keyPlace()})
	}
	if c.keyFrom != "" || c.provider.Local || c.models != nil {
		f.Fields = append(f.Fields, widget.FormField{Name: fieldModel, Label: "Model", Value: c.defaultModel(), Required: true, Choices: c.models})
	}
	if !c.tested {
		return f
	}
	f.Verb = "save"
	for i := range f.Fields {
		switch f.Fields[i].Name {
		case fieldKey:
			f.Fields[i].Checked = "✓ accepted, " + cli.CountNoun(c.count, "model")
		case fieldModel:
			f.Fields[i].Checked = fmt.Sprintf("✓ first reply in %.1f s, tool call works", c.reply)
		}
	}
	if m, ok := c.provider.Model(c.model); ok {
		if facts := modelFacts(c.provider, m); facts != "" {
			f.Facts = append(f.Facts, [2]string{"", facts})
		}
	}
	return f
}

// modelFacts returns the window and the price of a model: "400k context · 0.25 USD in, ...".
func modelFacts(p catalog.Provider, m catalog.Model) string {
	var parts []string
	if m.Window > 0 {
		parts = append(parts, strings.ToLower(catalog.FormatTokens(m.Window))+" context")
	}
	if m.Price != nil {
		price := fmt.Sprintf("%s USD in, %s USD out per million tokens", m.Price.Input.StringFixed(2), m.Price.Output.StringFixed(2))
		if p.AsOf != "" {
			price += " (list of " + p.AsOf + ")"
		}
		parts = append(parts, price)
	}
	return strings.Join(parts, " · ")
}

// defaultModel returns the model of the last test, or else the best one that the server lists.
func (c *connection) defaultModel() string {
	if c.model != "" {
		return c.model
	}
	model := c.provider.Default(c.dialog.app.Now())
	if m, ok := c.provider.Model(model); ok && m.NotListed || model == "" {
		for _, name := range c.models {
			if m, ok := c.provider.Model(name); ok && !m.NotListed {
				return name
			}
		}
	}
	return cmp.Or(model, slices.Concat(c.models, []string{""})[0])
}

// testTimeout limits the reply of a model that is tested.
const testTimeout = 30 * time.Second

// test lists the models and asks the chosen one for a short reply and a tool call. Values that have already
// passed the test are saved instead.
func (c *connection) test(values map[string]string) (tui.ActionResult, error) {
	key, model, address := values[fieldKey], values[fieldModel], values[fieldAddress]
	if c.tested && key == c.key && model == c.model && address == c.address {
		return c.save(values)
	}
	c.tested, c.key, c.model, c.address = false, key, model, address
	if other, ok := c.dialog.app.Models.WithKeyShape(key); ok && other.Name != c.provider.Name && !c.isCustom() {
		there := &connection{dialog: c.dialog, provider: other, key: key}
		form := there.form()
		form.Facts = append(form.Facts, [2]string{"", "This key is from " + other.Title + ". Press Enter to test it there."})
		return tui.ActionResult{Ask: form}, nil
	}
	if c.provider.NeedsKey() && key == "" && c.keyFrom == "" {
		return c.problem(fieldKey, fmt.Sprintf("%s needs an API key: set %s, or run nfa auth set %s.", c.provider.Title, strings.Join(c.provider.KeyVars, " or "), c.provider.Name))
	}
	if c.dialog.app.Offline {
		return c.problem(fieldModel, "nfa was started offline, so nothing is tested. Press Ctrl+S to save.")
	}
	ctx := context.Background()
	trial, err := c.trial(ctx)
	if err == nil {
		c.count, err = trial.ListModels(ctx)
	}
	if err != nil {
		return c.problem(c.firstField(), c.failure(err))
	}
	c.provider, c.models = trial.Provider, []string{}
	for _, m := range trial.Provider.Models {
		if !m.NotListed {
			c.models = append(c.models, m.Name)
		}
	}
	c.model = c.defaultModel()
	if c.count == 0 && model == "" {
		return c.problem(fieldModel, c.provider.Title+" lists no models. Type the name of one.")
	}
	ctx, cancel := context.WithTimeout(ctx, testTimeout)
	defer cancel()
	result, err := c.dialog.app.Models.TestModel(ctx, trial.Endpoint(c.model))
	if err == nil {
		err = result.Err()
	}
	switch kind := llm.KindOf(err); {
	case err == nil:
	case kind == llm.KindAuth, kind == llm.KindQuota:
		return c.problem(c.firstField(), c.failure(err))
	default:
		return c.problem(fieldModel, c.failure(err))
	}
	c.tested, c.reply = true, result.Text.FirstTokenMS/1000
	return tui.ActionResult{Ask: c.form()}, nil
}

func (c *connection) trial(ctx context.Context) (*catalog.Trial, error) {
	if c.isCustom() {
		return c.dialog.app.Models.NewServerTrial(ctx, c.address, c.key)
	}
	return c.dialog.app.Models.NewTrial(ctx, c.provider, c.key)
}

// firstField returns the field that decides whether the server answers.
func (c *connection) firstField() string {
	switch {
	case c.isCustom():
		return fieldAddress
	case c.provider.NeedsKey():
		return fieldKey
	}
	return fieldModel
}

// problem shows the form again with a problem. The text stays in its field.
func (c *connection) problem(field, text string) (tui.ActionResult, error) {
	form := c.form()
	addFieldProblem(form.Fields, text, field, c.firstField())
	return tui.ActionResult{Ask: form}, nil
}

// failure returns a sentence about an error of the test.
func (c *connection) failure(err error) string {
	const next = " Press Enter to try again, or Ctrl+S to save without a test."
	host := hostOf(cmp.Or(c.address, c.provider.BaseURL))
	var e *llm.Error
	switch kind := llm.KindOf(err); {
	case errors.Is(err, context.DeadlineExceeded), kind == llm.KindTimeout:
		return host + " did not answer in time." + next
	case kind == llm.KindNetwork:
		return "Cannot reach " + host + "." + next
	case !errors.As(err, &e):
		return err.Error()
	case kind == llm.KindAuth:
		return fmt.Sprintf("%s rejected this key (%d).", c.name(), e.Status)
	case kind == llm.KindQuota:
		return fmt.Sprintf("This key has no credit (%d).", e.Status)
	case kind == llm.KindRateLimit:
		return c.name() + " limits requests now." + next
	case kind == llm.KindModelUnknown:
		return fmt.Sprintf("%s has no model %s.", c.name(), c.model)
	}
	return c.name() + ": " + cmp.Or(e.Message, e.Error())
}

func (c *connection) name() string {
	if c.isCustom() {
		return hostOf(c.address)
	}
	return c.provider.Title
}

// save saves the key and the model, uses the model from now on, and continues with step 2.
func (c *connection) save(values map[string]string) (tui.ActionResult, error) {
	d, ctx := c.dialog, context.Background()
	c.key, c.model, c.address = values[fieldKey], values[fieldModel], values[fieldAddress]
	name := c.defaultModel()
	if name == "" {
		c.models = []string{}
		return c.problem(fieldModel, "Type the name of a model.")
	}
	if err := c.saveServer(); err != nil {
		return c.problem(fieldAddress, err.Error())
	}
	if c.key != "" {
		if _, err := d.app.Models.SaveKey(ctx, c.provider, c.key); err != nil {
			return c.problem(fieldKey, err.Error())
		}
		d.saved = append(d.saved, c.name()+" key")
	}
	model := c.provider.Name + "/" + name
	if !d.app.Offline {
		if err := d.app.UseModel(model); err != nil {
			return c.problem(fieldModel, err.Error())
		}
	}
	if _, err := d.app.Models.Save(model); err != nil {
		return c.problem(fieldModel, err.Error())
	}
	d.saved, d.model = append(d.saved, "model "+name), model
	return tui.ActionResult{Ask: d.dataForm()}, nil
}

// saveServer saves the address of a custom server, or clears it for a provider of the catalog: while an
// address is set, only that server's models are available.
func (c *connection) saveServer() error {
	d := c.dialog
	if c.address == d.server {
		return nil
	}
	if _, err := d.app.Save("base_url", c.address); err != nil {
		return err
	}
	d.app.Models.UseServer(c.address)
	if d.server = c.address; d.server != "" {
		d.saved = append(d.saved, "server "+hostOf(d.server))
	}
	return nil
}
