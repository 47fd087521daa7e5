package portfolio

// Restated is the count that bounds what actions do to lots.
func (b *Book) Restated() *int { return &b.restated }
