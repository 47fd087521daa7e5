package feed

// RememberUnknown exports rememberUnknown to tests.
var RememberUnknown = rememberUnknown
