package present

// Fitted is an answer as a model reads it, with as many of its n parts as the Router
// lets through without cutting its JSON; answer gives it with the first n of them.
func Fitted(n int, answer func(n int) any) (string, error) {
	for {
		text, err := Encoded(answer(n))
		if err != nil || len(text) <= MostEncoded || n == 0 {
			return text, err
		}
		n = min(n-1, n*MostEncoded/len(text))
	}
}
