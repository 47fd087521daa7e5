// Package cabinet has the two databases of a home: Book is the user's own things, Database
// their conversations and what else is no file of its own. Each is opened when it is first
// needed, once, and kept open until Close: to look makes no file.
package cabinet
