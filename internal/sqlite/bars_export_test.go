package sqlite

// SetMaxBytes sets the maximum size of the file.
func (b *Bars) SetMaxBytes(maxBytes int64) { b.maxBytes = maxBytes }
