// Package app holds what cmd/nfa and the chat need from a data folder: the databases, the
// first-run setup, the profile editor, the checks of nfa doctor and the version of the program.
//
// PortfolioStore keeps the ledger, the investor profile, the watchlist and the decision journal.
// Database keeps the sessions, and the skills that could not be written to their folder. BarStore
// keeps price history. Each creates its file at the first write and is safe for concurrent use.
// StartSetup asks for a model, a contact address and a currency. ProfileEditor asks for the investor
// profile line by line, in the user's editor or in a form. CheckHome, CheckModel, SkillCheck and
// SourceCheck report Findings; only SourceCheck.Probe uses the network. ReadBuildInfo returns version,
// commit and platform, and NewSBOM lists the linked modules as CycloneDX.
package app
