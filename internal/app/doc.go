// Package app builds the program and owns its services.
//
// Open reads the Settings and returns an App: Market (market data), Models (the available models), Skills,
// Stores (the databases, opened on first use), Agents (the agents, with their models and tools) and the Tools
// that use them. Methods of App list, load, export and resume sessions. The command line, the slash commands
// and their docs are all generated from the table that Commands returns.
//
// ProfileEditor asks for the investor profile line by line, in the user's editor or in a form. Diagnose is
// nfa doctor. ReadBuildInfo returns version, commit and platform, and NewSBOM lists the linked modules as
// CycloneDX.
package app
