package keymap

// table is every key of the chat. A new one is a row here, and the component that
// knows its first key.
func table() []Binding {
	return []Binding{
		{Name: "interrupt", Scope: Anywhere, Keys: []string{"ctrl+c"}, About: "stop the answer; twice, leave", fixed: true},
		{Name: "suspend", Scope: Anywhere, Keys: []string{"ctrl+z"}, About: "suspend the program"},
		{Name: "redraw", Scope: Anywhere, Keys: []string{"ctrl+l"}, About: "draw the screen anew"},

		{Name: "send", Scope: Writing, Keys: []string{"enter"}, About: "send; while an answer comes, queue"},
		{Name: "new-line", Scope: Writing, Keys: []string{"alt+enter", "ctrl+j", "shift+enter"}, About: "new line; so does Enter after a \\"},
		{Name: "stop", Scope: Writing, Keys: []string{"esc"}, About: "stop the answer and keep what came"},
		{Name: "older", Scope: Writing, Keys: []string{"up"}, About: "from an empty line: take a queued message back, else an earlier message"},
		{Name: "newer", Scope: Writing, Keys: []string{"down"}, About: "the message after it"},
		{Name: "pick", Scope: Writing, Keys: []string{"ctrl+p"}, About: "pick from a list what to write"},
		{Name: "choose", Scope: Writing, Keys: []string{"tab", "shift+tab"}, About: "from an empty line: choose a message or a card above"},
		{Name: "help", Scope: Writing, Keys: []string{"?"}, About: "from an empty line: the keys and commands"},
		{Name: "leave", Scope: Writing, Keys: []string{"ctrl+d"}, About: "from an empty line: leave; the conversation is kept"},

		{Name: "page-up", Scope: Reading, Keys: []string{"pgup"}, About: "a page up; so does the wheel, by lines"},
		{Name: "page-down", Scope: Reading, Keys: []string{"pgdown"}, About: "a page down"},
		{Name: "line-up", Scope: Reading, Keys: []string{"ctrl+up"}, About: "a line up"},
		{Name: "line-down", Scope: Reading, Keys: []string{"ctrl+down"}, About: "a line down"},
		{Name: "top", Scope: Reading, Keys: []string{"ctrl+home"}, About: "the beginning; Home does it from an empty line"},
		{Name: "bottom", Scope: Reading, Keys: []string{"ctrl+end"}, About: "the end, and follow it; End does it from an empty line"},
		{Name: "open-all", Scope: Reading, Keys: []string{"ctrl+o"}, About: "open or fold all cards"},

		{Name: "toggle", Scope: Chosen, Keys: []string{"enter", "space"}, About: "open or fold it"},
		{Name: "choose-up", Scope: Chosen, Keys: []string{"up", "tab"}, About: "the one above"},
		{Name: "choose-down", Scope: Chosen, Keys: []string{"down", "shift+tab"}, About: "the one below"},
		{Name: "unchoose", Scope: Chosen, Keys: []string{"esc"}, About: "back to writing; so does typing"},

		{Name: "list-up", Scope: Listed, Keys: []string{"up", "ctrl+p"}, About: "the one above"},
		{Name: "list-down", Scope: Listed, Keys: []string{"down", "ctrl+n"}, About: "the one below"},
		{Name: "list-take", Scope: Listed, Keys: []string{"tab"}, About: "write it out"},
		{Name: "list-run", Scope: Listed, Keys: []string{"enter"}, About: "run it, or write it out where it wants arguments"},
		{Name: "list-close", Scope: Listed, Keys: []string{"esc"}, About: "close the list"},

		{Name: "refuse", Scope: Asked, Keys: []string{"n", "N", "enter"}, About: "no, and say why"},
		{Name: "allow-once", Scope: Asked, Keys: []string{"y", "Y"}, About: "once"},
		{Name: "allow-session", Scope: Asked, Keys: []string{"s", "S"}, About: "for this session"},
		{Name: "allow-always", Scope: Asked, Keys: []string{"a", "A"}, About: "always, for what the question names"},
		{Name: "refuse-at-once", Scope: Asked, Keys: []string{"esc"}, About: "no, without a reason"},

		{Name: "form-next", Scope: Form, Keys: []string{"down", "tab"}, About: "the next field"},
		{Name: "form-previous", Scope: Form, Keys: []string{"up", "shift+tab"}, About: "the field before"},
		{Name: "form-enter", Scope: Form, Keys: []string{"enter"}, About: "go on, and run at the end"},
		{Name: "form-run", Scope: Form, Keys: []string{"ctrl+r", "ctrl+enter"}, About: "run at once"},
		{Name: "form-cancel", Scope: Form, Keys: []string{"esc"}, About: "give the line back"},

		{Name: "shelf-up", Scope: Shelf, Keys: []string{"up", "k"}, About: "up, in the list or on the page"},
		{Name: "shelf-down", Scope: Shelf, Keys: []string{"down", "j"}, About: "down"},
		{Name: "shelf-page-up", Scope: Shelf, Keys: []string{"pgup"}, About: "a page up"},
		{Name: "shelf-page-down", Scope: Shelf, Keys: []string{"pgdown"}, About: "a page down"},
		{Name: "shelf-first", Scope: Shelf, Keys: []string{"home", "g"}, About: "the first"},
		{Name: "shelf-last", Scope: Shelf, Keys: []string{"end", "G"}, About: "the last"},
		{Name: "shelf-side", Scope: Shelf, Keys: []string{"tab", "shift+tab"}, About: "between list and page"},
		{Name: "shelf-enter", Scope: Shelf, Keys: []string{"enter"}, About: "do it, or read the page"},
		{Name: "shelf-filter", Scope: Shelf, Keys: []string{"/"}, About: "filter; Esc clears it"},
		{Name: "shelf-keys", Scope: Shelf, Keys: []string{"?"}, About: "the keys of the screen"},
		{Name: "shelf-back", Scope: Shelf, Keys: []string{"esc", "q"}, About: "back, and in the end to the chat"},
	}
}
