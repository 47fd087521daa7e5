//go:build !linux && !darwin && !windows

package machine

// memory is not known here.
func memory() Memory { return Memory{} }
