// Package trace checks the numbers of an answer against the figures that tools returned.
//
// Sources holds those figures and the text whose numbers need no source, such as the user's
// message. Sources.Match finds every figure of a text and reports each as traced, untraced or
// contradicted (a tool returned another value for the same name). Annotate writes the marks into
// the text.
//
// A text is parsed as Markdown: code, headings and addresses have no figures. ScanNumbers
// classifies each number as a figure, with value, unit and rounding, or as a date, a name, a list
// number and so on, which need no source. It recognizes English and Chinese units. Checking does
// not block an answer or call a model.
package trace
