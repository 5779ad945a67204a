//go:build unix

package process

import "syscall"

// openFiles returns the maximum number of open files, which the Go runtime has raised to the hard
// limit.
func openFiles() uint64 {
	var files syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files) != nil {
		return defaultFiles
	}
	return files.Cur
}
