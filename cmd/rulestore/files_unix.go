//go:build unix

package main

import "syscall"

// openFiles returns how many files the process may have open. The Go runtime has
// raised that to what the system allows.
func openFiles() uint64 {
	var files syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files) != nil {
		return defaultFiles
	}
	return files.Cur
}
