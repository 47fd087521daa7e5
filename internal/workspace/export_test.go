package workspace

import "os"

// FailWriting makes writes end as fill says, as a full disk would.
func (w *Workspace) FailWriting(fill func(*os.File, []byte) error) { w.fill = fill }
