// Package screens builds the list screens of the chat: Skills, Models, Sessions, Agents, Tools and
// Symbols. Each type takes the services that it needs, and its Screen method returns the list with
// its items, the text of its pane and its keys.
//
// ItemNames completes the argument of a command from the items that Enter accepts. Agents and Tools
// also provide the rows and the text of the commands /agent, /tools and nfa agents.
package screens
