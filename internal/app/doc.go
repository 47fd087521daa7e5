// Package app builds the program and owns its services.
//
// Open reads the Settings and makes an App: Market (market data), Models (which model answers),
// Skills, Stores (the databases, opened when first used) and Agents (who answers, with which model and
// tools), with the tools that are built on them. Methods of App list, load, export and resume
// sessions. Commands is the table that the command line, the slash commands and their docs are made
// from.
//
// ProfileEditor asks for the investor profile line by line, in the user's editor or in a form. Diagnose is nfa doctor. ReadBuildInfo returns
// version, commit and platform, and NewSBOM lists the linked modules as CycloneDX.
package app
