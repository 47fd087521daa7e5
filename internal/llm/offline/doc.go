// Package offline is the built-in assistant: an llm.Model that needs no server and no key. It uses
// rules, not a language model, and says so.
//
// ReadQuestion turns the user's messages into a Question: topic, symbols, period, currency. The
// assistant plans the tool calls for it, runs skills and workflows that only need known tools, and
// WriteAnswer formats the results as Markdown: the result first, then failures, then sources. What
// the rules cannot read stays empty instead of being guessed.
//
// Everything is derived from the request, so an Assistant keeps no state and is safe for concurrent
// use. It never writes a number that neither a tool nor the user gave.
package offline
