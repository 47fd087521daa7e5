// Package risk measures a run of periodic returns: reward for risk, falls, tails,
// and how it goes with a benchmark. The definitions are those of empyrical, which
// is what the field compares itself with, so that figures agree to the last digit.
//
// Returns are simple and fractions: 0.01 is one per cent. A NaN is a period whose
// return is not known: it is left out where a mean is taken, earns nothing where
// returns are compounded, and counts as a period of time, as empyrical has it. A
// measure that the returns cannot support is an error, never a NaN.
package risk
