// Package toolkit has what all tools share.
//
// It parses input: symbols, dates, periods, currencies and exact numbers. Prices and
// LatestPrices fetch prices known at the clock, which may be set back to replay the past.
// AlignSeries brings several price series to common dates and warns of what was dropped or
// is not comparable. NewMutationTool makes a tool that previews its changes as a
// MutationPlan and runs exactly what the user approved.
//
// Answering makes the function of a tool from one that returns an answer struct or an error. Render
// makes the result of the answer: JSON with every digit, the text for the model, the
// tables for people, the figures, the headline, and the text without the user's amounts. Notes,
// Amount, OwnWords and Errorf are for what an answer says in sentences.
package toolkit
