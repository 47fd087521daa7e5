// Package backtest plays rules of investing on past prices: what is decided at the
// close of one bar is done at the next, with costs, and a decision is shown only
// what lay before it. What comes out is hypothetical: nobody earned it.
package backtest
