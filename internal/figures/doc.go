// Package figures ties the numbers of an answer to the figures that tools gave.
//
// Scan finds the numbers of a text and tells figures from dates, names and other
// digits. Evidence holds what tools gave and what was said around them; its Match
// gives each figure of an answer a footnote, or says that no tool bears it out,
// or that one says otherwise. Annotate writes the marks into the text.
//
// Nothing here stops an answer or asks a model: a check reads, in one pass whose
// cost grows with the text and hardly with what it is compared to.
package figures
