package sandbox

import "time"

// SetStall shortens how long a server may send nothing.
func (s *Store) SetStall(d time.Duration) { s.stall = d }

// URL is where the file comes from.
func (s *Store) URL() string { return s.dist.URL }
