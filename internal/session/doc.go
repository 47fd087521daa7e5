// Package session defines stored conversations: a Session, its Entries in the order they happened,
// and the Store contract that implementations must meet (sessiontest.Run checks it).
//
// Append returns once the entries are durable. Messages converts entries into the messages a model
// receives. Fork copies the first turns into a new session, Archive is the JSON export of one
// session, and Locks keep two processes from writing the same session.
package session
