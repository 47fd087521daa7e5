// Package internal is the map of the house: two wings and one bridge.
//
// The finance wing knows no language model, the conversation wing knows no
// market. They meet in toolbox (the tools) and under the roof, cmd/nfa. Each
// wing can be read, tested and trusted alone.
//
//	floor 6  cmd/nfa ───────────────────────────── the roof: the only room that knows everyone
//	floor 5  shelves, answer, verification, skillset, switchboard, marketplace, build,
//	         editor, attachment, completion, questionnaire, onboarding, doctor, cabinet:
//	         what a verb or a list of the chat thinks, a room for each matter
//	floor 4  toolbox (bridge)                        tui       eval       minutes
//	                                                 └ tui/transcript, tui/shelf, tui/form, tui/ask,
//	                                                   tui/slash, tui/bar, tui/pump, tui/layout,
//	                                                   tui/draft, tui/terminal, tui/draw,
//	                                                   tui/composer, tui/filling, tui/browsing,
//	                                                   tui/offer, tui/recall, tui/draftfile,
//	                                                   tui/help, tui/keymap, tui/stage,
//	                                                   tui/command, tui/queue, tui/finding;
//	                                                   tui/plain: the chat in lines
//	         └ toolbox/marketdata, toolbox/company,
//	           toolbox/economy, toolbox/publication,
//	           toolbox/statistics, toolbox/calculator,
//	           toolbox/valuation, toolbox/allocation,
//	           toolbox/planning, toolbox/world,
//	           toolbox/skills: the tools; they stand on
//	           toolbox/lineup, drawing and question, and
//	           all on toolbox/present
//	floor 3  analytics        sqlite                 agent
//	         └ analytics/indicator, risk, ratio, cashflow,
//	           bond, option, sizing, valuation, allocation,
//	           simulation, backtest: one question each;
//	           performance, checkup, rebalance: of a book
//	floor 2  portfolio          :                    tool      session   report
//	floor 1  market    skill  python  config         llm       markdown  figures  chart
//	         └ market/sample      workspace, machine  └ llm/openai, llm/offline
//	           market/calendar    and web: the world    └ llm/openai/provider
//	           market/symbology   credential: the keys    llm/offline/question,
//	           market/fetch, market/wire, cached, a       answer, quoted, toolname
//	           room for each provider: market/yahoo,
//	           market/edgar, market/fred ...
//	           skill/lint, skill/install, skill/state stand on skill,
//	           which stands on skill/workflow, skill/parameter and frontmatter;
//	           roster on frontmatter alone, skill/excerpt on nothing
//	         finance wing       adapters             conversation wing
//
// An import only ever runs down a floor; floors_test.go holds that true. On floor 2
// portfolio has rooms for what follows from a ledger (replay), taxes, brokers' files and
// export, and investor and journal stand beside it; of the tools, holdings, earnings,
// taxlots, bookkeeping, intake and guidance stand on toolbox/book, personal and decision
// on toolbox/act. On floor 1 figures, chart and markdown have rooms of their own, such as
// chart/plot and markdown/highlight, and consent and history stand beside config.
// sqlite alone knows the driver; its rooms know the rows of a book (sqlite/table) and
// bars as bytes (sqlite/year).
//
// On floor 5 are rooms that know both wings and no command line: shelves are the lists of
// the chat, and stand on skillset (the skills, for the agent that answers), switchboard
// (which models can be had) and marketplace (which providers are asked, and in which
// order); answer tells a turn outside of the chat, verification checks a report, build
// says what the program is, editor is where the user writes, attachment what a message
// brings along and completion which symbol is being typed, questionnaire asks users who
// they are as investors and onboarding what a first start has to know, doctor says what is
// sound and how to mend the rest, and cabinet opens the databases of a home when they are
// first needed. The roof reads the settings, gives each what it needs and prints.
//
// In the cellar is what a room of either wing may stand on: crash (where a panic was, and
// nothing of what it said), pattern (expressions that are compiled at their first use),
// spelling (which known word was meant), wording (what people read where models read
// calls, and how things are counted), diskfile (files that are read and replaced whole),
// yamlfault (where a file is not YAML) and, for tests alone, texttest. Between floors 4
// and 5 are console (how a verb or a list writes) and misuse (which errors are mistakes of
// whoever asked).
package internal
