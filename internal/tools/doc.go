// Package tools builds the list of tools that a language model, a command or a slash
// command can call. All takes the sources, stores and settings in Deps and returns every
// tool that they allow: a missing source or store leaves its tools out. The tools of one
// subject are in a package below this one; their shared helpers are in toolkit.
// Only this part of the program knows both the finance and the conversation packages.
package tools
