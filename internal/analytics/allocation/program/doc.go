// Package program solves linear and convex quadratic programs exactly: by the
// simplex method, by a primal active set, and by the critical line that follows
// the optima of a quadratic program as the weight of its linear part grows.
//
// All of them are over one form of constraints, equations between bounded
// variables; an inequality is an equation with a bounded slack. "Exactly" means in
// a finite number of steps from one set of binding bounds to the next, to the
// accuracy of float64, not by a grid or a step size.
package program
