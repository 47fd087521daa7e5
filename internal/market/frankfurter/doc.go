// Package frankfurter asks Frankfurter, a free service without a key that passes
// on the reference rates of the European Central Bank since 1999. Anybody may run
// one: it is open source.
//
// Rates are asked for against the euro, as published, and crossed here: the
// service rounds what it crosses to as few as two digits.
package frankfurter
