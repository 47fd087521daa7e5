// Package tools builds the list of tools that a model, a command or a slash command can call.
// All takes the sources, stores and settings in Deps and returns the tools that they support; it
// omits tools whose source or store is missing. Subpackages hold the tools of one subject, and
// toolkit their shared helpers. Only the tool packages import both the finance packages and the
// chat packages.
package tools
