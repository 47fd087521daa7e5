// Package internal is the map of the house: two wings and one bridge.
//
// The finance wing knows no language model, the conversation wing knows no
// market. They meet in toolbox (the tools) and under the roof, cmd/nfa. Each
// wing can be read, tested and trusted alone.
//
//	floor 5  cmd/nfa ───────────────────────────── the roof: the only room that knows everyone
//	floor 4  toolbox (bridge)                        tui       eval       minutes
//	                                                 └ tui/transcript, tui/shelf, tui/form, tui/ask,
//	                                                   tui/slash, tui/bar, tui/pump, tui/layout,
//	                                                   tui/draft, tui/terminal, tui/draw
//	         └ toolbox/marketdata, toolbox/statistics,
//	           toolbox/calculator, toolbox/world,
//	           toolbox/skills: the tools; they stand on
//	           toolbox/question, and all on toolbox/present
//	floor 3  analytics        sqlite                 agent
//	         └ analytics/indicator
//	floor 2  portfolio          :                    tool      session
//	floor 1  market    skill  python  config         llm       markdown
//	         └ market/sample      workspace, machine  └ llm/openai, llm/offline
//	                              and web: the world    └ llm/openai/provider
//	                              credential: the keys
//	           skill/lint, skill/install, skill/state stand on skill,
//	           which stands on skill/workflow, skill/parameter and frontmatter;
//	           roster on frontmatter alone
//	         finance wing       adapters             conversation wing
//
// An import only ever runs down a floor; floors_test.go holds that true. The
// rooms drawn here that do not stand yet (portfolio, python) have their row in
// the test's table, so that whoever builds one finds its walls marked.
package internal
