// Package toolkit has what all tools share.
//
// It parses input: symbols, dates, periods, currencies and exact numbers. Prices and
// LatestPrices fetch the prices known at the time of the clock, which --as-of sets back.
// AlignSeries cuts several price series to common dates and warns about dropped closes and returns
// that are not comparable. NewMutationTool makes a tool that previews its changes as a MutationPlan
// and runs exactly what the user approved.
//
// Answering makes a tool function from one that returns an answer struct or an error. Render makes
// the result: JSON with every digit, the text for the model, the tables for people, the figures,
// the headline, and the text without the user's amounts. Notes, Amount, OwnWords and Errorf are for
// sentences in an answer.
package toolkit
