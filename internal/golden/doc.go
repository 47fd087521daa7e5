// Package golden compares text in tests: with a golden file (CheckFile), with parts that it must
// contain (Contains) and with parts that it must not contain (NotContains).
//
// A package that uses CheckFile defines its own -update flag. Only tests import this package.
package golden
