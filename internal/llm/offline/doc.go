// Package offline is the built-in assistant: an llm.Model that needs no server and no key. It uses
// rules, not a language model, and says so.
//
// A question is read in three steps. readQuestion finds what has a type: symbols, periods, numbers,
// currencies, files. choose asks the search index of find_tools for candidates and keeps the one that
// takes what was found and explains every word; forms.go defines how words become arguments. Then
// the assistant calls the tool, asks for one missing value, or says what it did not understand.
//
// The answer is the headline and the table of the tool. The assistant writes no figures of its own,
// and makes no call with a value that the user did not give.
//
// Everything follows from the request, so an Assistant is safe for concurrent use.
package offline
