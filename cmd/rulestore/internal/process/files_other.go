//go:build !unix

package process

// openFiles returns the maximum number of open files.
func openFiles() uint64 { return defaultFiles }
