package widget

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// FormField is a value that a form asks for.
type FormField struct {
	Name     string   // the key of the value
	Label    string   // shown instead of Name, unless empty
	About    string   // its purpose, one line
	Hint     string   // a default, a type or examples
	Value    string   // the initial value
	Required bool     // the form does not run while it is empty
	Choices  []string // values for Left and Right; others may be typed
	Secret   bool     // an API key: only its last characters are shown
	Problem  string   // why Value is rejected, shown until it is changed
	Checked  string   // the result of a check of Value, shown until it is changed
}

const valueMissingText = "a value is required"

// FormProblems lists in one line the fields with a problem or without a required value; "" if
// there are none.
func FormProblems(fields []FormField) string {
	var words []string
	for _, f := range fields {
		switch {
		case f.Problem != "":
			words = append(words, f.Name+": "+f.Problem)
		case f.Required && f.Value == "":
			words = append(words, f.Name+": "+valueMissingText)
		}
	}
	return strings.Join(words, "; ")
}

// FormRequest is a form to show. Its values result in a T.
type FormRequest[T any] struct {
	Title  string
	Fields []FormField
	Facts  [][2]string // lines below the fields: a label and a text
	Focus  string      // the field to start at, unless another one has a problem or must be filled
	Verb   string      // the label of the key that completes the form: "run"
	Page   bool        // the form fills its height; Esc returns to the previous step
	// Fill checks the values, by name and trimmed.
	Fill func(values map[string]string) FormResult[T]
	// Save completes the form without the checks of Fill. If it is not nil, Enter runs Fill on each field.
	Save func(values map[string]string) FormResult[T]
	// OnCancel returns the Markdown to show if the form is canceled. If nil, the caller decides.
	OnCancel func() (string, error)
}

// FormResult is the result of the values: another form, an error, or a Value.
type FormResult[T any] struct {
	Again *FormRequest[T]
	Err   error
	Value T
}

// Form is an open form, whose values result in a T. Create it with NewForm; it is not safe for
// concurrent use.
type Form[T any] struct {
	st            *Styles
	keys          KeyMap
	now           func() time.Time
	width, height int

	request           *FormRequest[T]
	entries           []*formEntry
	currentIndex      int       // the entry being edited
	column            int       // where the values start
	checking          bool      // the values are being checked and cannot be changed
	enterBlockedUntil time.Time // Enter and the run key are ignored until then
}

// NewForm opens a form.
func NewForm[T any](st *Styles, keys KeyMap, now func() time.Time, request *FormRequest[T]) *Form[T] {
	f := &Form[T]{st: st, keys: keys, now: now}
	f.ask(request)
	return f
}

// ask shows the fields of a request, at least one, instead of the previous ones. What was typed in
// a field of the same name is kept.
func (f *Form[T]) ask(request *FormRequest[T]) {
	f.checking, f.request = false, request
	entries := make([]*formEntry, 0, len(request.Fields))
	for _, field := range request.Fields {
		e := newFormEntry(field, request.Page)
		same := slices.IndexFunc(f.entries, func(old *formEntry) bool { return old.Name == field.Name })
		if same >= 0 {
			e.editor = f.entries[same].editor
		} else {
			e.editor = NewComposer(f.st, f.keys, "")
			e.write(field.Value)
		}
		entries = append(entries, e)
	}
	f.entries = entries
	f.currentIndex = f.first()
}

// first returns the entry to start at: the first with a problem, else the first that is required and
// empty, else Focus, else the first.
func (f *Form[T]) first() int {
	for _, wanted := range []func(*formEntry) bool{
		func(e *formEntry) bool { return e.Problem != "" },
		(*formEntry).missing,
		func(e *formEntry) bool { return e.Name == f.request.Focus },
	} {
		if i := slices.IndexFunc(f.entries, wanted); i >= 0 {
			return i
		}
	}
	return 0
}

func (f *Form[T]) current() *formEntry { return f.entries[f.currentIndex] }
func (f *Form[T]) last() bool          { return f.currentIndex == len(f.entries)-1 }

// enterCompletes reports whether Enter completes the form: on the last field, or if the form checks values.
func (f *Form[T]) enterCompletes() bool { return f.last() || f.request.Save != nil }

func (f *Form[T]) move(step int) {
	f.currentIndex = (f.currentIndex + step + len(f.entries)) % len(f.entries)
}

// BlockEnter makes the form ignore Enter for ApprovalQuietTime, because the user may have pressed it
// for something else.
func (f *Form[T]) BlockEnter() { f.enterBlockedUntil = f.now().Add(ApprovalQuietTime) }

// Press handles a key. If it completes the form, cmd checks the values and passes the result through
// toMsg. canceled reports whether the key closes the form.
func (f *Form[T]) Press(k tea.KeyPressMsg, toMsg func(FormResult[T]) tea.Msg) (cmd tea.Cmd, canceled bool) {
	switch action := f.keys.Action(ScopeForm, k); action {
	case "form-cancel":
		return nil, true
	case "form-next":
		if k.Code != tea.KeyTab || f.checking || !f.current().complete() {
			f.move(+1)
		}
	case "form-previous":
		f.move(-1)
	case "form-enter", "form-run":
		switch {
		case f.now().Before(f.enterBlockedUntil):
		case action == "form-enter" && !f.enterCompletes():
			f.move(+1)
		default:
			return f.submit(f.request.Fill, toMsg), false
		}
	case "form-save":
		if f.request.Save == nil {
			return f.Write(k), false
		}
		return f.submit(f.request.Save, toMsg), false
	case "form-choice-back", "form-choice-on":
		e := f.current()
		if len(e.Choices) == 0 {
			return f.Write(k), false
		}
		step := +1
		if action == "form-choice-back" {
			step = -1
		}
		if !f.checking {
			e.choose(step)
		}
	default:
		return f.Write(k), false
	}
	return nil, false
}

// submit passes the values to fill, unless a required value is missing.
func (f *Form[T]) submit(fill func(map[string]string) FormResult[T], toMsg func(FormResult[T]) tea.Msg) tea.Cmd {
	if !f.freeze() {
		return nil
	}
	values := f.Values()
	return func() tea.Msg { return toMsg(fill(values)) }
}

// freeze freezes the values so that they can be checked. It reports false if a required value is
// missing.
func (f *Form[T]) freeze() bool {
	if f.checking {
		return false
	}
	for i, e := range slices.Backward(f.entries) {
		if e.missing() {
			e.Problem = valueMissingText
			f.currentIndex = i
		}
	}
	f.checking = !f.current().missing()
	return f.checking
}

// Write adds a key or a paste to the current value. It does nothing while the values are being
// checked, because the result must be about the values shown.
func (f *Form[T]) Write(msg tea.Msg) tea.Cmd {
	if f.checking {
		return nil
	}
	e := f.current()
	if p, ok := msg.(tea.PasteMsg); ok {
		// A copied line often ends with a line break.
		p.Content = strings.TrimRight(p.Content, "\r\n")
		if e.Secret {
			p.Content = strings.TrimSpace(p.Content)
		}
		msg = p
	}
	before := e.editor.Value()
	cmd := e.editor.Update(msg)
	if e.editor.Value() != before {
		e.Problem, e.Checked = "", ""
	}
	return cmd
}

// Apply continues with a result, and reports whether the form is done. After an error the values
// can be changed again.
func (f *Form[T]) Apply(r FormResult[T]) (done bool) {
	switch {
	case r.Again != nil:
		f.ask(r.Again)
	case r.Err != nil:
		f.checking = false
	default:
		return true
	}
	return false
}

// FillsPage reports whether the form fills its height.
func (f *Form[T]) FillsPage() bool { return f.request.Page }

// OnCancel returns the OnCancel of the current request.
func (f *Form[T]) OnCancel() func() (string, error) { return f.request.OnCancel }

// Values returns the values by field name, trimmed.
func (f *Form[T]) Values() map[string]string {
	values := make(map[string]string, len(f.entries))
	for _, e := range f.entries {
		values[e.Name] = e.text()
	}
	return values
}

// formEntry is a field with its editor.
type formEntry struct {
	FormField
	editor *Composer

	name, star, hint, about string // as drawn
	width, rows             int    // of the editor
}

// newFormEntry returns an entry. On a page, where the user goes back instead of leaving fields empty,
// required fields have no star.
func newFormEntry(field FormField, page bool) *formEntry {
	e := &formEntry{FormField: field, name: OneLine(cmp.Or(field.Label, field.Name)), hint: OneLine(field.Hint), about: OneLine(field.About)}
	if field.Required && !page {
		e.star = " *"
	}
	const most = 10 // choices that are listed
	switch n := len(field.Choices); {
	case n > most:
		e.hint = strings.TrimSpace(fmt.Sprintf("(%d choices) %s", n, e.hint))
	case n > 0:
		e.hint = strings.TrimSpace("(" + OneLine(strings.Join(field.Choices, " ")) + ") " + e.hint)
	}
	return e
}

func (e *formEntry) text() string      { return strings.TrimSpace(e.editor.Value()) }
func (e *formEntry) write(text string) { e.editor.Set(markdown.Sanitize(text)) }
func (e *formEntry) missing() bool     { return e.Required && e.text() == "" }

// preview returns the value in one line.
func (e *formEntry) preview() string {
	if e.Secret {
		return e.masked()
	}
	return OneLine(e.editor.Preview())
}

// view returns the value in its editor.
func (e *formEntry) view() []string {
	if e.Secret {
		return []string{e.masked()}
	}
	return e.editor.View()
}

// masked returns dots and the last four characters of a key. There are at most 16 dots, so that they do not
// reveal its length. A text of fewer than 12 characters is all dots.
func (e *formEntry) masked() string {
	const most, shown = 16, 4
	key := []rune(e.text())
	if len(key) < 3*shown {
		return strings.Repeat("•", len(key))
	}
	return strings.Repeat("•", min(len(key)-shown, most)) + OneLine(string(key[len(key)-shown:]))
}

// choose sets the next choice, or the previous one with -1. An optional field can be emptied
// again.
func (e *formEntry) choose(step int) {
	options := e.Choices
	if !e.Required {
		options = slices.Concat([]string{""}, e.Choices)
	}
	at := slices.Index(options, e.text())
	if at < 0 && step < 0 {
		at = 0
	}
	e.write(options[(at+step+len(options))%len(options)])
	e.Problem, e.Checked = "", ""
}

// complete writes the only choice that starts with the text, and reports whether that changed it.
func (e *formEntry) complete() bool {
	typed := strings.ToLower(e.text())
	if typed == "" {
		return false
	}
	var found []string
	for _, choice := range e.Choices {
		if strings.HasPrefix(strings.ToLower(choice), typed) {
			found = append(found, choice)
		}
	}
	if len(found) != 1 || found[0] == e.text() {
		return false
	}
	e.write(found[0])
	e.Problem, e.Checked = "", ""
	return true
}

// setSize resizes the editor if needed.
func (e *formEntry) setSize(width, rows int) {
	if width != e.width || rows != e.rows {
		e.width, e.rows = width, rows
		e.editor.SetSize(width, rows)
		e.editor.refreshArea()
	}
}

// SetSize sets the width of the form and its maximum height.
func (f *Form[T]) SetSize(width, height int) {
	f.width, f.height = width, max(height, 1)
	names := 0
	for _, e := range f.entries {
		names = max(names, ansi.StringWidth(e.name+e.star))
	}
	for _, fact := range f.request.Facts {
		names = max(names, ansi.StringWidth(fact[0]))
	}
	f.column = 2 + min(names, f.rowWidth()/3) + 2
	const roomy = 8
	rows := 1
	if f.height >= roomy {
		rows = 3
	}
	f.current().setSize(max(f.valueWidth()-f.hintSpace(f.current()), 1), rows)
}

// View draws the title, a row for each field, and the keys. A small screen drops the note first,
// then the rule, the keys and the title.
func (f *Form[T]) View() []string {
	lines, _ := f.drawLines()
	return lines
}

// Cursor returns the cursor in the current value, for a View of that many lines, or nil while the
// values are being checked.
func (f *Form[T]) Cursor() (c *tea.Cursor, lines int) {
	if f.checking {
		return nil, 0
	}
	e := f.current()
	if c = e.editor.Cursor(); c == nil {
		return nil, 0
	}
	if e.Secret {
		c.X, c.Y = ansi.StringWidth(e.masked()), 0
	}
	drawn, row := f.drawLines()
	c.X += f.column
	c.Y += row
	return c, len(drawn)
}

// drawLines returns the lines and the index of the first line of the current entry.
func (f *Form[T]) drawLines() (lines []string, at int) {
	head, foot := f.head(), f.foot()
	var body []string
	top, end := 0, 0
	for i, e := range f.entries {
		if i == f.currentIndex {
			top = len(body)
		}
		body = append(body, f.rows(e)...)
		if i == f.currentIndex {
			end = len(body)
		}
	}
	body = append(body, f.facts()...)
	space := max(f.height-len(head)-len(foot), 1)
	from := min(max(end-space, 0), top)
	body = body[from:min(from+space, len(body))]
	if f.request.Page {
		body = padLines(body, space)
	}
	return slices.Concat(head, body, foot), len(head) + top - from
}

func (f *Form[T]) head() []string {
	var out []string
	if f.height >= 2 {
		place := fmt.Sprintf("%d of %d", f.currentIndex+1, len(f.entries))
		if f.request.Page {
			place = f.keys.Hints("", "", ActionHint{"form-cancel", "back"})
		}
		out = append(out, JustifyLine(f.st.Strong.Apply(OneLine(f.request.Title)), f.st.Dim.Apply(place), f.rowWidth()))
	}
	if f.height >= 6 {
		out = append(out, f.st.Dim.Apply(strings.Repeat("─", f.width)))
	}
	return out
}

func (f *Form[T]) foot() []string {
	var out []string
	// Keep the line of an empty note, so that the form keeps its height from field to field.
	if f.height >= 7 && slices.ContainsFunc(f.entries, func(e *formEntry) bool { return f.currentNote(e) != "" }) {
		out = append(out, f.st.Dim.Apply(FitLine("  "+f.currentNote(f.current()), f.width)))
	}
	if f.height >= 3 {
		keys := f.keyLine()
		left := strings.Repeat(" ", max(f.rowWidth()-ansi.StringWidth(keys), 0))
		out = append(out, f.st.Dim.Apply(FitLine(left+keys, f.width)))
	}
	return out
}

// currentNote returns the note below all entries: the description of the entry, or its hint if the
// rows have no space for hints.
func (f *Form[T]) currentNote(e *formEntry) string {
	if f.width < NarrowWidth && e.hint != "" {
		return e.hint
	}
	return e.about
}

func (f *Form[T]) keyLine() string {
	const gap = " · "
	cancel := ActionHint{"form-cancel", "cancel"}
	if f.request.Page {
		cancel.Text = "back"
	}
	enter, verb := ActionHint{"form-enter", "next"}, f.request.Verb
	switch {
	case f.checking:
		return strings.TrimSuffix("checking"+gap+f.keys.Hints("", gap, cancel), gap)
	case f.request.Save != nil && f.checkedWidth() > 0:
		enter.Text = verb
		return f.keys.Hints("", gap, enter, cancel)
	case f.request.Save != nil:
		enter.Text = verb
		return f.keys.Hints("", gap, enter, ActionHint{"form-save", "save without a test"}, cancel)
	case f.last():
		enter.Text = verb
		return f.keys.Hints("", gap, enter, cancel)
	}
	if best := "ctrl+enter"; f.st.CtrlEnter && slices.Contains(f.keys.Keys("form-run"), best) {
		line := strings.Join(slices.DeleteFunc([]string{
			f.keys.Hints("", gap, enter), KeyLabel(best) + " " + verb, f.keys.Hints("", gap, cancel),
		}, func(s string) bool { return s == "" }), gap)
		if ansi.StringWidth(line) <= f.width {
			return line
		}
	}
	return f.keys.Hints("", gap, enter, ActionHint{"form-run", verb}, cancel)
}

// rowWidth returns the width of a row. It is limited so that hints stay near their values.
func (f *Form[T]) rowWidth() int { return min(f.width, ProseWidth) }

// valueWidth returns the width of a row after its name.
func (f *Form[T]) valueWidth() int { return max(f.rowWidth()-f.column, 1) }

// hintSpace returns the width of the hint, or of the result of a check, including the gap before it.
func (f *Form[T]) hintSpace(e *formEntry) int {
	const gap = 2
	hint := ansi.StringWidth(e.hint)
	if e.Checked != "" {
		if hint = f.checkedWidth(); hint+gap > f.valueWidth()*2/3 {
			return 0 // it is drawn below
		}
		return hint + gap
	}
	if hint == 0 || f.width < NarrowWidth {
		return 0
	}
	return min(hint+gap, f.valueWidth()/2)
}

// checkedWidth returns the width of the widest result of a check, because the results are aligned.
func (f *Form[T]) checkedWidth() int {
	width := 0
	for _, e := range f.entries {
		width = max(width, ansi.StringWidth(e.Checked))
	}
	return width
}

// facts draws the lines below the fields.
func (f *Form[T]) facts() []string {
	var out []string
	for _, fact := range f.request.Facts {
		label := PadRight(FitLine(OneLine(fact[0]), f.column-4), f.column-2)
		for i, row := range WrapText(OneLine(fact[1]), f.valueWidth()) {
			if i > 0 {
				label = strings.Repeat(" ", f.column-2)
			}
			out = append(out, FitLine(f.st.Dim.Apply("  "+label+row), f.width))
		}
	}
	return out
}

// rows draws an entry with its problem. The current entry shows its editor.
func (f *Form[T]) rows(e *formEntry) []string {
	space := f.hintSpace(e)
	width := max(f.valueWidth()-space, 1)
	values, mark := []string{e.preview()}, "  "
	if e == f.current() {
		values, mark = e.view(), f.st.Accent.Apply("›")+" "
	}
	names := f.column - 4
	label := FitLine(FitLine(e.name, names-len(e.star))+e.star, names)
	prefix := mark + label + strings.Repeat(" ", names-ansi.StringWidth(label)+2)
	var out []string
	for i, value := range values {
		value = FitLine(value, width)
		if i > 0 {
			prefix = strings.Repeat(" ", f.column)
		} else if space > 0 {
			hint, style, width := e.hint, f.st.Dim, ansi.StringWidth(e.hint)
			if e.Checked != "" {
				hint, style, width = e.Checked, f.st.Good, f.checkedWidth()
			}
			gap := f.valueWidth() - ansi.StringWidth(value) - min(width, space-2)
			value += strings.Repeat(" ", max(gap, 0)) + style.Apply(FitLine(hint, space-2))
		}
		out = append(out, FitLine(prefix+value, f.width))
	}
	if e.Checked != "" && space == 0 {
		out = append(out, f.below(f.st.Good, e.Checked)...)
	}
	if e.Problem != "" {
		out = append(out, f.below(f.st.Bad, "✗ "+e.Problem)...)
	}
	return out
}

// below draws a text below a field.
func (f *Form[T]) below(style markdown.Style, text string) []string {
	const most, indent = 3, "    "
	rows := WrapText(OneLine(text), f.rowWidth()-len(indent))
	if len(rows) > most {
		rows = append(rows[:most-1], FitLine(strings.Join(rows[most-1:], " "), f.rowWidth()-len(indent)))
	}
	for i, row := range rows {
		rows[i] = FitLine(indent+style.Apply(row), f.width)
	}
	return rows
}
