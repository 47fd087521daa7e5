package sqlite

// SetMaxBytes gives the file another size.
func (b *Bars) SetMaxBytes(maxBytes int64) { b.maxBytes = maxBytes }
