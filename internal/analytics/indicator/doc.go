// Package indicator computes the technical indicators that charts are drawn
// with, by the definitions of those who published them.
//
// Every function takes columns, oldest first, and gives columns of the same
// length: out[i] belongs to the bar i and knows nothing of later bars. (The one
// exception is the lagging line of Ichimoku, which is drawn that way.)
//
// What cannot be said is NaN, never zero: the warm-up, whose length each doc
// comment states as the number of bars before the first value; a ratio of nothing
// to nothing, such as the strength of a price that did not move; and all of a
// series for a length below one or above its own.
//
// A NaN in the input is a gap. The stretches on both sides of it are series of
// their own: after a gap the warm-up starts again, since an average over it would
// pass for one over consecutive bars.
//
// The cost grows with the number of bars times the length of the window.
package indicator
