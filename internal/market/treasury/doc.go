// Package treasury asks the US Treasury for its daily yield curves: par yields of
// nominal securities since 1990, and real yields of inflation-protected ones since
// 2003. Both are public domain, published after 15:30 in New York on days of
// trading, and come as one file for each year whose columns differ by year.
package treasury
