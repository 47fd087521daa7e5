// Package trace checks the numbers of an answer against the figures that tools returned.
//
// Sources holds those figures and the text whose numbers need no source, such as the user's message.
// Sources.Match finds every figure of a text and reports each as traced, untraced or contradicted (a
// tool returned another value for the same name). Annotate writes the marks into the text.
//
// A text is read as Markdown: code, headings and addresses have no figures. ScanNumbers says of each
// number whether it is a figure, with value, unit and rounding, or a date, a name, a list number and
// the like, which need no source. English and Chinese units are recognized. Checking neither blocks
// an answer nor calls a model.
package trace
