package sqlite

// Hold gives the file another size.
func (b *Bars) Hold(most int64) { b.most = most }
