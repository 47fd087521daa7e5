// Package llm defines the types of a conversation with a language model: messages, tool calls,
// requests, and the Model interface, which answers a request as a stream of Chunks. Errors that
// callers branch on are an *Error with a Kind.
//
// The package knows no provider. Clients live in openai and offline; catalog chooses between them.
package llm
