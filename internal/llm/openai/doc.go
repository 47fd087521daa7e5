// Package openai implements llm.Model for servers that speak the OpenAI chat-completions protocol,
// including those that deviate from it.
//
// Requests are encoded with the types of sashabaranov/go-openai; what single servers demand is in
// quirks.go. Events are decoded leniently, because servers disagree about reasoning, tool calls, usage
// and how a stream ends. A watchdog limits the server's silence, and refusals are *llm.Error.
//
// Failed requests are retried until the first chunk was returned. Secrets are removed from all error
// messages. ListModels returns the models that a server offers.
package openai
