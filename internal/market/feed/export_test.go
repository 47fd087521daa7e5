package feed

// RememberUnknown is rememberUnknown.
var RememberUnknown = rememberUnknown
