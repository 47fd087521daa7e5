// Package figures ties the numbers of an answer to the figures that tools gave.
//
// Evidence holds what tools gave and what was said around them; its Match gives
// each figure of an answer a footnote, or says that no tool bears it out, or that
// one says otherwise. Annotate writes the marks into the text. How a text is read
// (page), which of its numbers are figures (numeral) and what their units say
// (measure) are rooms of their own.
//
// Nothing here stops an answer or asks a model: a check reads, in one pass whose
// cost grows with the text and hardly with what it is compared to.
package figures
