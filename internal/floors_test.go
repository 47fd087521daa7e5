package internal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/nfa-cli/nfa/"

// mayImport is the plan of the house: each room with the rooms it may know. A
// room ending in /* stands for the rooms inside it. A change of the plan is a
// change of this table, in the same commit, with its reason.
var mayImport = map[string][]string{
	"internal":        {},
	"internal/crash":  {},
	"internal/market": {},
	// How servers are asked is one matter for all providers: pace, retries, the
	// disk, and what an error means.
	"internal/market/*":               {"internal/market", "internal/market/fetch", "internal/market/wire"},
	"internal/market/yahoo":           {"internal/market", "internal/market/fetch", "internal/market/wire", "internal/market/yahoo/chart"},
	"internal/market/edgar":           {"internal/market", "internal/market/fetch", "internal/market/wire", "internal/market/edgar/facts", "internal/market/edgar/section"},
	"internal/market/fetch":           {"internal/market"},
	"internal/market/fetch/fetchtest": {"internal/market"},
	// Beside the providers stand rooms that ask nobody.
	"internal/market/cached":     {"internal/market"},
	"internal/market/calendar":   {"internal/market"},
	"internal/market/markettest": {"internal/market"},
	"internal/market/sample":     {"internal/market"},
	"internal/market/symbology":  {"internal/market"},
	// What several servers write alike is read in one way: figures, lines, links,
	// moments, and the hours of New York, whose days the calendar knows.
	"internal/market/wire": {"internal/market", "internal/market/calendar"},
	// What turns an answer of Yahoo into bars and quotes asks nobody.
	"internal/market/yahoo/chart":           {"internal/market", "internal/market/wire"},
	"internal/market/yahoo/chart/charttest": {},
	// Filed documents (section) and figures (facts) are worlds of their own, which ask
	// nobody.
	"internal/market/edgar/*": {"internal/market"},
	"internal/portfolio":      {"internal/market"},
	// What happened is read in many rooms; what follows from it, lots and cash, is
	// worked out in replay, which alone knows how a day is ordered and a lot is taken.
	"internal/portfolio/*":      {"internal/market", "internal/portfolio"},
	"internal/portfolio/export": {"internal/market", "internal/portfolio", "internal/portfolio/replay", "internal/wording"},
	// Files of brokers: what a table is knows nothing of money, and each format
	// stands alone on both.
	"internal/portfolio/broker":       {"internal/market", "internal/portfolio", "internal/portfolio/broker/sheet"},
	"internal/portfolio/broker/*":     {"internal/market", "internal/portfolio", "internal/portfolio/broker", "internal/portfolio/broker/sheet"},
	"internal/portfolio/broker/sheet": {},
	// Who the user is, and what was decided when: neither needs a book.
	"internal/investor":            {"internal/spelling", "internal/yamlfault"},
	"internal/journal":             {"internal/market"},
	"internal/analytics":           {"internal/market"},
	"internal/analytics/indicator": {"internal/market", "internal/analytics"},
	// Rooms of pure mathematics, each of one question; numbers come in as they are.
	"internal/analytics/cashflow":           {},
	"internal/analytics/bond":               {},
	"internal/analytics/sizing":             {},
	"internal/analytics/option":             {},
	"internal/analytics/allocation":         {"internal/analytics/allocation/program"},
	"internal/analytics/allocation/program": {},
	"internal/analytics/simulation":         {},
	"internal/analytics/backtest":           {},
	"internal/analytics/risk":               {},
	"internal/analytics/valuation":          {},
	"internal/analytics/ratio":              {"internal/market"},
	// A return is of values and flows by day, whatever they are of: a book or what it is compared with.
	"internal/analytics/performance/returns": {"internal/market", "internal/analytics/cashflow"},
	// What a book earned, what is wrong with it and how to mend it.
	"internal/analytics/performance": {"internal/market", "internal/portfolio", "internal/portfolio/replay", "internal/analytics/performance/returns"},
	"internal/analytics/checkup":     {"internal/market", "internal/portfolio"},
	"internal/analytics/rebalance":   {"internal/market", "internal/portfolio", "internal/portfolio/tax"},
	// Which numbers of an answer are figures of its tools: text and decimals alone.
	// How a text is read and what units say know no numbers; what numbers are knows
	// nothing of where they are from.
	"internal/figures":         {"internal/figures/measure", "internal/figures/numeral", "internal/figures/page"},
	"internal/figures/measure": {},
	"internal/figures/page":    {},
	"internal/figures/numeral": {"internal/figures/measure", "internal/figures/page"},
	// A text with the sources of its figures, and the check of both afterwards.
	"internal/report": {"internal/figures", "internal/figures/numeral", "internal/tool"},
	"internal/llm":    {},
	"internal/llm/*":  {"internal/llm"},
	// The assistant without a server: what words mean and what results tell are strangers,
	// which share the names of tools and how foreign words are repeated; the assistant
	// plans the calls between them. Answers tell people what tools say to models, as
	// cards do.
	"internal/llm/offline":          {"internal/llm", "internal/llm/offline/answer", "internal/llm/offline/quoted", "internal/llm/offline/question", "internal/llm/offline/toolname"},
	"internal/llm/offline/question": {"internal/llm/offline/quoted", "internal/llm/offline/toolname"},
	"internal/llm/offline/answer":   {"internal/llm/offline/quoted", "internal/llm/offline/toolname", "internal/wording"},
	"internal/llm/offline/quoted":   {},
	"internal/llm/offline/toolname": {},
	// What is known of the servers that llm/openai speaks to: data, which grows
	// with every provider while the adapter does not.
	"internal/llm/openai/provider": {"internal/llm"},
	// A result may be seen as a chart, which is data alone and knows nobody.
	"internal/tool":                {"internal/llm", "internal/figures", "internal/chart"},
	"internal/session":             {"internal/llm"},
	"internal/session/sessiontest": {"internal/session", "internal/llm"},
	"internal/agent":               {"internal/llm", "internal/tool", "internal/session", "internal/figures", "internal/figures/numeral", "internal/chart"},
	"internal/minutes":             {"internal/llm", "internal/tool", "internal/session", "internal/agent", "internal/markdown", "internal/figures"},
	"internal/tui":                 {"internal/agent", "internal/session", "internal/markdown", "internal/chart", "internal/chart/plot", "internal/tui/transcript", "internal/tui/form", "internal/tui/ask", "internal/tui/slash", "internal/tui/bar", "internal/tui/pump", "internal/tui/layout", "internal/tui/draft", "internal/tui/terminal", "internal/tui/draw", "internal/tui/keymap", "internal/tui/composer", "internal/tui/offer", "internal/tui/stage", "internal/tui/draftfile", "internal/tui/recall", "internal/tui/filling", "internal/tui/browsing", "internal/tui/help", "internal/tui/command", "internal/tui/finding", "internal/tui/queue"},
	"internal/tui/plain":           {"internal/agent", "internal/chart", "internal/llm", "internal/tool", "internal/session", "internal/markdown", "internal/tui", "internal/tui/ask", "internal/tui/command", "internal/tui/draw", "internal/tui/form", "internal/tui/pump", "internal/tui/slash", "internal/tui/transcript"},
	"internal/tui/transcript":      {"internal/agent", "internal/tool", "internal/session", "internal/markdown", "internal/chart", "internal/tui/draw"},
	"internal/tui/shelf":           {"internal/markdown", "internal/tui/draw"},
	"internal/tui/form":            {"internal/markdown", "internal/tui/draw"},
	"internal/tui/ask":             {"internal/tool", "internal/tui/draw"},
	"internal/tui/slash":           {"internal/markdown", "internal/tui/draw"},
	"internal/tui/bar":             {"internal/tui/draw"},
	"internal/tui/pump":            {"internal/agent"},
	"internal/tui/layout":          {},
	"internal/tui/keymap":          {"internal/spelling"},
	// What is being written, in the text area of Bubble Tea, whatever it is for.
	"internal/tui/composer": {"internal/markdown", "internal/tui/draft", "internal/tui/draw", "internal/tui/keymap"},
	// What the word at the cursor may become, listed as what "/" offers is.
	"internal/tui/offer": {"internal/markdown", "internal/tui/draft", "internal/tui/draw", "internal/tui/slash"},
	// How any model is run on a terminal and the terminal given back.
	"internal/tui/stage": {"internal/tui/terminal"},
	// A draft in a file, for an editor: files alone.
	"internal/tui/draftfile": {},
	// A form with composers in it, and what its values come to.
	"internal/tui/filling": {"internal/tui/composer", "internal/tui/draw", "internal/tui/form"},
	// A shelf that is open, with the forms and questions of its actions. It may go on with
	// another conversation, which is what a pump runs.
	"internal/tui/browsing": {"internal/session", "internal/tui/ask", "internal/tui/draw", "internal/tui/filling", "internal/tui/form", "internal/tui/keymap", "internal/tui/pump", "internal/tui/shelf"},
	// What "/" reaches, for a chat that is drawn and one in lines: turns, shelves, charts,
	// and the forms of what a command asks for.
	"internal/tui/command": {"internal/agent", "internal/chart", "internal/tui/browsing", "internal/tui/filling", "internal/tui/form", "internal/tui/slash"},
	// Words are looked for in a line, whatever the text is; messages that wait are listed
	// as what "/" offers is, whatever else they are.
	"internal/tui/finding": {"internal/tui/composer", "internal/tui/draw", "internal/tui/keymap"},
	"internal/tui/queue":   {"internal/tui/draw", "internal/tui/slash"},
	// The keys and the commands, as a shelf.
	"internal/tui/help": {"internal/markdown", "internal/tui/browsing", "internal/tui/keymap", "internal/tui/slash"},
	// Earlier messages are looked for in a line and listed over it.
	"internal/tui/recall":   {"internal/tui/composer", "internal/tui/draft", "internal/tui/draw", "internal/tui/keymap", "internal/tui/slash"},
	"internal/tui/draft":    {},
	"internal/tui/terminal": {},
	// The terminal of tests and measurements.
	"internal/tui/terminal/terminaltest": {},
	"internal/tui/draw":                  {"internal/markdown", "internal/chart", "internal/chart/plot"},
	"internal/frontmatter":               {"internal/yamlfault"},
	"internal/roster":                    {"internal/frontmatter", "internal/spelling"},
	"internal/skill":                     {"internal/frontmatter", "internal/spelling", "internal/skill/parameter", "internal/skill/workflow"},
	"internal/skill/parameter":           {"internal/frontmatter"},
	"internal/skill/excerpt":             {}, // asked of a string, whatever it is the text of
	"internal/skill/workflow":            {"internal/frontmatter", "internal/skill/parameter"},
	"internal/skill/lint":                {"internal/diskfile", "internal/skill", "internal/skill/parameter", "internal/skill/workflow", "internal/frontmatter"},
	"internal/skill/install":             {"internal/skill", "internal/skill/lint", "internal/frontmatter"},
	"internal/skill/state":               {"internal/diskfile", "internal/skill"},
	"internal/skill/skilltest":           {"internal/skill"},
	"internal/workspace":                 {},
	"internal/history":                   {"internal/diskfile"},
	"internal/machine":                   {},
	"internal/web":                       {},
	"internal/python":                    {"internal/python/imports", "internal/python/sandbox"},
	"internal/python/*":                  {},
	"internal/python/pythontest":         {"internal/python"},

	// The tools of one subject each, which are strangers to each other; they share
	// how a question is read and how an answer is said.
	"internal/toolbox":          {"internal/tool", "internal/market", "internal/skill", "internal/toolbox/marketdata", "internal/toolbox/economy", "internal/toolbox/publication", "internal/toolbox/company", "internal/toolbox/statistics", "internal/toolbox/calculator", "internal/toolbox/valuation", "internal/toolbox/allocation", "internal/toolbox/planning", "internal/toolbox/world", "internal/toolbox/skills", "internal/toolbox/question", "internal/portfolio", "internal/investor", "internal/journal", "internal/toolbox/book", "internal/toolbox/holdings", "internal/toolbox/earnings", "internal/toolbox/taxlots", "internal/toolbox/bookkeeping", "internal/toolbox/intake", "internal/toolbox/guidance", "internal/toolbox/personal", "internal/toolbox/decision"},
	"internal/toolbox/present":  {"internal/tool", "internal/market", "internal/wording"},
	"internal/toolbox/question": {"internal/market", "internal/toolbox/present"},
	// Tools that mostly read and sometimes write make each call ready in one way.
	"internal/toolbox/act": {"internal/tool", "internal/toolbox/present", "internal/toolbox/question"},
	// What tools found is drawn in one way.
	"internal/toolbox/drawing": {"internal/chart", "internal/market", "internal/toolbox/present"},
	// Several series are set side by side in one way, whatever is computed of them.
	"internal/toolbox/lineup": {"internal/market", "internal/analytics", "internal/toolbox/present", "internal/toolbox/question"},
	// The user's book, loaded, priced and in one currency, for all tools of it. Of which
	// session a price is goes by the day at its exchange.
	"internal/toolbox/book": {"internal/tool", "internal/market", "internal/portfolio", "internal/portfolio/replay", "internal/analytics/performance", "internal/toolbox/present", "internal/toolbox/question", "internal/market/calendar"},
	// A book and its market, for the tests of the rooms above.
	"internal/toolbox/book/booktest": {"internal/tool", "internal/market", "internal/market/markettest", "internal/portfolio", "internal/portfolio/portfoliotest", "internal/toolbox/book", "internal/toolbox/question", "internal/toolbox/toolboxtest"},
	"internal/toolbox/holdings":      {"internal/tool", "internal/chart", "internal/chart/plot", "internal/market", "internal/portfolio", "internal/toolbox/present", "internal/toolbox/book"},
	// One world and one set of promises for all rooms that look at the book.
	"internal/toolbox/holdings/holdingstest": {"internal/tool", "internal/llm", "internal/market", "internal/market/markettest", "internal/portfolio", "internal/portfolio/portfoliotest", "internal/toolbox/book", "internal/toolbox/present", "internal/toolbox/question", "internal/toolbox/toolboxtest"},
	"internal/toolbox/earnings":              {"internal/tool", "internal/market", "internal/portfolio", "internal/analytics/performance", "internal/analytics/performance/returns", "internal/chart", "internal/toolbox/present", "internal/toolbox/question", "internal/toolbox/book"},
	"internal/toolbox/taxlots":               {"internal/tool", "internal/market", "internal/portfolio", "internal/portfolio/tax", "internal/toolbox/present", "internal/toolbox/question", "internal/toolbox/book"},
	"internal/toolbox/bookkeeping":           {"internal/tool", "internal/market", "internal/portfolio", "internal/portfolio/replay", "internal/portfolio/broker", "internal/toolbox/present", "internal/toolbox/question", "internal/toolbox/book"},
	"internal/toolbox/intake":                {"internal/tool", "internal/market", "internal/portfolio", "internal/portfolio/broker", "internal/portfolio/broker/*", "internal/toolbox/present", "internal/toolbox/question", "internal/toolbox/book", "internal/wording"},
	"internal/toolbox/guidance":              {"internal/tool", "internal/market", "internal/portfolio", "internal/portfolio/tax", "internal/investor", "internal/analytics/checkup", "internal/analytics/rebalance", "internal/toolbox/present", "internal/toolbox/question", "internal/toolbox/book"},
	"internal/toolbox/personal":              {"internal/tool", "internal/market", "internal/investor", "internal/journal", "internal/toolbox/present", "internal/toolbox/question", "internal/toolbox/act"},
	"internal/toolbox/decision":              {"internal/tool", "internal/market", "internal/journal", "internal/toolbox/present", "internal/toolbox/question", "internal/toolbox/act"},
	"internal/toolbox/marketdata":            {"internal/tool", "internal/market", "internal/market/calendar", "internal/toolbox/drawing", "internal/toolbox/present", "internal/toolbox/question"},
	"internal/toolbox/economy":               {"internal/tool", "internal/market", "internal/toolbox/present", "internal/toolbox/question"},
	"internal/toolbox/publication":           {"internal/tool", "internal/market", "internal/toolbox/present", "internal/toolbox/question"},
	"internal/toolbox/company":               {"internal/tool", "internal/market", "internal/analytics/ratio", "internal/toolbox/present", "internal/toolbox/question"},
	"internal/toolbox/statistics":            {"internal/tool", "internal/market", "internal/analytics", "internal/analytics/indicator", "internal/analytics/risk", "internal/chart", "internal/toolbox/drawing", "internal/toolbox/present", "internal/toolbox/question", "internal/toolbox/lineup"},
	"internal/toolbox/calculator":            {"internal/tool", "internal/analytics/cashflow", "internal/analytics/bond", "internal/analytics/option", "internal/analytics/sizing", "internal/toolbox/present", "internal/toolbox/question", "internal/toolbox/calculator/expression"},
	"internal/toolbox/calculator/expression": {},
	"internal/toolbox/valuation":             {"internal/tool", "internal/analytics/valuation", "internal/toolbox/present", "internal/toolbox/question"},
	"internal/toolbox/allocation":            {"internal/tool", "internal/market", "internal/analytics", "internal/analytics/allocation", "internal/toolbox/present", "internal/toolbox/question", "internal/toolbox/lineup"},
	"internal/toolbox/planning":              {"internal/tool", "internal/market", "internal/analytics", "internal/analytics/simulation", "internal/analytics/backtest", "internal/analytics/risk", "internal/chart", "internal/toolbox/present", "internal/toolbox/question", "internal/toolbox/lineup"},
	"internal/toolbox/world":                 {"internal/wording", "internal/tool", "internal/market", "internal/workspace", "internal/machine", "internal/web", "internal/toolbox/present", "internal/report"},
	"internal/toolbox/skills":                {"internal/tool", "internal/skill", "internal/skill/excerpt", "internal/skill/parameter", "internal/skill/workflow", "internal/python", "internal/toolbox/present"},
	"internal/toolbox/toolboxtest":           {"internal/tool", "internal/llm", "internal/market"},

	"internal/eval": {"internal/llm", "internal/tool", "internal/session", "internal/agent", "internal/skill", "internal/skill/parameter", "internal/yamlfault"},
	// How the tests of skills went, told to people and programs.
	"internal/eval/scorecard": {"internal/eval", "internal/llm", "internal/markdown", "internal/console"},
	"internal/sqlite":         {"internal/sqlite/year", "internal/sqlite/table", "internal/market", "internal/portfolio", "internal/journal", "internal/investor", "internal/session", "internal/skill"},
	// What stands in the tables of a book knows a transaction of database/sql, and neither
	// the file nor the driver; how the bars of a year become bytes knows no database.
	"internal/sqlite/table": {"internal/market", "internal/portfolio", "internal/journal"},
	"internal/sqlite/year":  {"internal/market"},
	"internal/config":       {"internal/diskfile", "internal/spelling", "internal/yamlfault"},
	// Which known word was meant: settings, skills, agents and answers are misspelt alike.
	"internal/spelling": {},
	"internal/wording":  {},
	"internal/pattern":  {},
	// Where a file is not YAML is told in one way.
	"internal/yamlfault": {},
	// What tests got is held to files and to parts of it in one way, on all floors.
	"internal/texttest": {},
	// What the program keeps for the user is read and replaced in one way.
	"internal/diskfile": {},
	// What is to be seen, said in numbers and words, knows nobody who draws it: tools,
	// the conversation and its record carry it, and the screen alone sets it in cells.
	// Round numbers, dates and how figures are written are one matter for both.
	"internal/chart":           {"internal/chart/axis"},
	"internal/chart/axis":      {},
	"internal/chart/plot":      {"internal/chart", "internal/chart/axis"},
	"internal/chart/charttest": {"internal/chart"},
	// How Markdown is read and what the words of code are is known without how either
	// is laid out and drawn.
	"internal/markdown":           {"internal/markdown/dialect", "internal/markdown/highlight"},
	"internal/markdown/dialect":   {},
	"internal/markdown/highlight": {},
	"internal/consent":            {"internal/diskfile"},
	// Keys are kept beside the settings, not in them: a settings file is shown,
	// copied and shared.
	"internal/credential": {"internal/diskfile"},
	"cmd/nfa":             {"*"},

	// Below the roof is what it thinks, a room for each matter.

	// How a verb writes, and which errors are mistakes of whoever typed it.
	"internal/console": {"internal/markdown", "internal/tui/draw", "internal/wording"},
	"internal/misuse":  {},

	// The program in which the user writes, and what their messages bring along.
	"internal/editor":     {"internal/misuse"},
	"internal/attachment": {"internal/agent", "internal/workspace", "internal/toolbox/present", "internal/tui/draft"},

	// What the symbol that is being typed may become.
	"internal/completion": {"internal/tui", "internal/market", "internal/market/sample", "internal/market/symbology", "internal/portfolio", "internal/portfolio/replay", "internal/journal"},

	// Who the investor is, asked of themself.
	"internal/questionnaire": {"internal/investor", "internal/toolbox/personal", "internal/tui", "internal/tui/form", "internal/diskfile", "internal/markdown", "internal/console", "internal/misuse"},

	// What a first start asks for.
	"internal/onboarding": {"internal/switchboard", "internal/tui", "internal/tui/form", "internal/markdown"},

	// The databases of a home, each opened when it is first needed.
	"internal/cabinet": {"internal/sqlite", "internal/portfolio", "internal/portfolio/replay", "internal/market", "internal/investor", "internal/journal", "internal/skill"},

	// What is sound in a home, what is missing, and how to mend it: it knows all that is
	// looked at, and nobody else need know how.
	"internal/doctor": {"internal/cabinet", "internal/sqlite", "internal/portfolio/replay", "internal/switchboard", "internal/marketplace", "internal/market/sample", "internal/skill", "internal/skillset", "internal/shelves", "internal/python", "internal/markdown", "internal/console"},

	// What a program file is made of.
	"internal/build": {"internal/misuse"},

	// A written report, checked against the record of its figures.
	"internal/verification": {"internal/llm", "internal/tool", "internal/figures", "internal/report", "internal/markdown", "internal/toolbox/present", "internal/misuse"},

	// An answer told outside of the chat, and what there is to know about one.
	"internal/answer": {"internal/agent", "internal/chart", "internal/figures", "internal/llm", "internal/tool", "internal/markdown", "internal/console", "internal/misuse"},

	// The skills of a home, for the agent that answers: what lists, rules, words and
	// changes have to do with each other.
	"internal/skillset": {"internal/agent", "internal/llm", "internal/tool", "internal/python", "internal/frontmatter", "internal/skill", "internal/skill/*", "internal/toolbox/skills", "internal/markdown", "internal/console", "internal/misuse"},

	// The lists of the chat: what each shows, and what its keys do.
	"internal/shelves": {"internal/agent", "internal/session", "internal/minutes", "internal/tool", "internal/roster", "internal/market", "internal/frontmatter", "internal/skill", "internal/skill/*", "internal/toolbox/present", "internal/tui", "internal/tui/form", "internal/tui/keymap", "internal/markdown", "internal/diskfile", "internal/skillset", "internal/switchboard", "internal/marketplace", "internal/console"},

	// Which models can be had and how each is reached.
	"internal/switchboard": {"internal/llm", "internal/llm/offline", "internal/llm/openai", "internal/llm/openai/provider", "internal/credential", "internal/markdown", "internal/console", "internal/misuse"},

	// Which providers there are, who is asked for what and in which order: it knows all
	// of them, so that nobody else need know any.
	"internal/marketplace":                 {"internal/market", "internal/market/*", "internal/sqlite"},
	"internal/marketplace/marketplacetest": {"internal/market", "internal/market/fetch/fetchtest", "internal/market/yahoo/chart/charttest"},
}

// everywhere are rooms that all others may know, as they may know what an error is:
// they know nobody, and nothing of what nfa is about. What becomes of a panic in a
// goroutine, and when a pattern is compiled, is no matter of one floor.
var everywhere = []string{"internal/crash", "internal/pattern"}

// onlyIn holds libraries that one room alone may know.
var onlyIn = map[string]string{
	"github.com/spf13/cobra":                 "cmd/nfa",
	"charm.land/bubbletea/v2":                "internal/tui",
	"charm.land/bubbles/v2":                  "internal/tui",
	"modernc.org/sqlite":                     "internal/sqlite",
	"github.com/sashabaranov/go-openai":      "internal/llm/openai",
	"github.com/zalando/go-keyring":          "internal/credential",
	"github.com/nfa-cli/nfa/internal/config": "cmd/nfa",
}

// alsoIn are the parts of such a room that are made of its library.
var alsoIn = map[string][]string{
	"charm.land/bubbletea/v2": {"internal/tui/composer", "internal/tui/filling", "internal/tui/browsing", "internal/tui/stage", "internal/tui/finding"},
	"charm.land/bubbles/v2":   {"internal/tui/composer"},
}

func TestFloors_ImportsRunDownOnly(t *testing.T) {
	for room, imports := range rooms(t) {
		allowed, ok := plan(room)
		if !ok {
			t.Errorf("room %s is not in the plan: add it to mayImport with its reason", room)
			continue
		}
		for _, imported := range imports {
			if strings.HasPrefix(imported, module) && !contains(allowed, strings.TrimPrefix(imported, module)) {
				t.Errorf("%s imports %s, which the plan does not allow", room, strings.TrimPrefix(imported, module))
			}
			for library, home := range onlyIn {
				if (imported == library || strings.HasPrefix(imported, library+"/")) && room != home && room != strings.TrimPrefix(library, module) && !slices.Contains(alsoIn[library], room) {
					t.Errorf("%s imports %s, which is for %s alone", room, imported, home)
				}
			}
		}
	}
}

// What a row grants and nobody uses is a door that was left open.
func TestFloors_ThePlanGrantsNothingThatIsNotUsed(t *testing.T) {
	found := rooms(t)
	for room, allowed := range mayImport {
		imports, there := found[room]
		if !there && !strings.HasSuffix(room, "/*") {
			t.Errorf("%s is in the plan, and there is no such room", room)
		}
		for _, grant := range allowed {
			used := func(imported string) bool { return grants(grant, strings.TrimPrefix(imported, module)) }
			if there && !slices.ContainsFunc(imports, used) {
				t.Errorf("%s may import %s, and does not: take it off its row", room, grant)
			}
		}
	}
}

func TestFloors_NoInitFunctions(t *testing.T) {
	files := token.NewFileSet()
	for _, path := range sources(t) {
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s declares init(): work at start-up belongs in a constructor", path)
			}
		}
	}
}

func plan(room string) ([]string, bool) {
	if allowed, ok := mayImport[room]; ok {
		return allowed, true
	}
	allowed, ok := mayImport[filepath.ToSlash(filepath.Dir(room))+"/*"]
	return allowed, ok
}

func contains(allowed []string, room string) bool {
	if slices.Contains(everywhere, room) {
		return true
	}
	return slices.ContainsFunc(allowed, func(a string) bool { return grants(a, room) })
}

// grants reports whether one entry of a row stands for a room.
func grants(entry, room string) bool {
	inside, all := strings.CutSuffix(entry, "/*")
	return entry == "*" || entry == room || all && filepath.ToSlash(filepath.Dir(room)) == inside
}

// rooms reads which package imports which, tests left out: a test may look
// through walls.
func rooms(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	files := token.NewFileSet()
	for _, path := range sources(t) {
		f, err := parser.ParseFile(files, path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		room, err := filepath.Rel("..", filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		room = filepath.ToSlash(room)
		seen := out[room]
		for _, spec := range f.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			seen = append(seen, imported)
		}
		sort.Strings(seen)
		out[room] = seen
	}
	if len(out) < 10 {
		t.Fatalf("only %d rooms found: the test looks in the wrong place", len(out))
	}
	return out
}

func sources(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, root := range []string{"../internal", "../cmd"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case os.IsNotExist(err):
				return nil
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "testdata":
				return filepath.SkipDir
			case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"):
				out = append(out, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestLibraries_NoneThatSlowsEveryStart(t *testing.T) {
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	// Versions before 0.0.31 build their tables at start-up, which costs 30 ms.
	width := regexp.MustCompile(`go-runewidth v0\.0\.(\d+)`).FindSubmatch(mod)
	if width == nil {
		t.Fatal("go-runewidth is not in go.mod any more: drop this test")
	}
	if patch, err := strconv.Atoi(string(width[1])); err != nil || patch < 31 {
		t.Errorf("go-runewidth 0.0.%s, want 0.0.31 or later", width[1])
	}
	for _, slow := range []string{"charmbracelet/glamour", "alecthomas/chroma", "spf13/viper"} {
		if strings.Contains(string(mod), slow) {
			t.Errorf("%s costs ten milliseconds and more at every start", slow)
		}
	}
}
