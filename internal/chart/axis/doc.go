// Package axis is what stands beside and below a drawing of figures: an [Extent] of
// values becomes a [Scale] with round numbers on it, a [Period] has the beginnings of
// days, months or years, and [Figure] writes a value as it is read. It knows numbers
// and moments, and nothing of what they are of or how they are drawn.
package axis
