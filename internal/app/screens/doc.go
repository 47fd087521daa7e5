// Package screens builds the list screens of the chat: Skills, Models, Sessions, Agents, Tools and
// Symbols. The Screen method of each returns the list with its items, the text of its pane and its
// keys.
//
// Chat configures a chat, and Commands are its slash commands, made from the table app.Commands.
package screens
