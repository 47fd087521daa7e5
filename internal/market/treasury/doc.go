// Package treasury reads the daily yield curves of the US Treasury: nominal par yields since 1990 and
// real par yields since 2003. Both are public domain and published after 15:30 ET on trading days, as
// one file per year whose columns differ by year.
package treasury
