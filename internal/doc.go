// Package internal holds everything but the commands of nfa. The packages by layer:
//
//	program       app, app/screens      services, diagnosis, setup; the list screens of the chat
//	              cli, usage            how commands print and ask; usage errors
//	              config, credential    settings; API keys
//	screen        tui                   the chat: tui/widget, tui/transcript, tui/repl
//	tools         tools                 the registry; one package per group below it, tools/toolkit for all
//	conversation  agent                 the turn loop, compaction, agent profiles
//	              mcpclient             tools of MCP servers
//	              tool, session, trace  tool calls and approvals; saved sessions; figures and their sources
//	              llm                   llm/openai, llm/catalog, llm/offline
//	              report, eval, alert   written reports; tests of skills; alert rules
//	skills        skill                 skill/workflow, skill/install, skill/library
//	finance       investor              profile, limits, watchlist, decision journal
//	              analytics             returns and risk; one package per subject below it
//	              portfolio             portfolio/lots, tax, importer, export
//	              market                market/feed, client, reference and one package per provider
//	              websearch             web search providers
//	stores        sqlstore              sqlite, postgres
//	servers       mcpserver, acp, sshserver
//	small         atomicfile, chart, crash, frontmatter, humanize, lazyregexp, markdown, process,
//	                      progress, python
//
// Finance packages and conversation packages do not import each other; tools and the program connect
// them. Test helpers that several packages use are in <package>test. layers_test.go has the import rules.
package internal
