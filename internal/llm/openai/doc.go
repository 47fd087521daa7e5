// Package openai implements llm.Model for servers that speak the OpenAI chat-completions protocol,
// including those that deviate from it.
//
// It builds requests with sashabaranov/go-openai. The exchange type is the HTTP client below that
// library: it completes the request body, enforces timeouts, turns refusals into *llm.Error and
// normalizes the event stream. The answerBuilder decodes events leniently, because servers disagree
// about reasoning, tool calls, usage and how a stream ends.
//
// Failed requests are retried until the first chunk was returned. Secrets are removed from all error
// messages. ListModels returns the models that a server offers.
package openai
