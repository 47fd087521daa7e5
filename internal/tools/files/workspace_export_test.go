package files

import "os"

// SetWriteContent makes writes end as fill says, as a full disk would.
func (w *Workspace) SetWriteContent(writeContent func(*os.File, []byte) error) {
	w.writeContent = writeContent
}
