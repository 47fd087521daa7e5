package toolkit

// FitToLimit is an answer as a model reads it, with as many of its n parts as the Router
// lets through without cutting its JSON; answer gives it with the first n of them.
func FitToLimit(n int, build func(n int) any) (string, error) {
	for {
		text, err := EncodeResult(build(n))
		if err != nil || len(text) <= MaxEncodedBytes || n == 0 {
			return text, err
		}
		n = min(n-1, n*MaxEncodedBytes/len(text))
	}
}
