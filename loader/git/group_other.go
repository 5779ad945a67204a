//go:build !unix

package git

import (
	"os/exec"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr { return nil }

// signal kills a process: other signals do not exist.
func signal(cmd *exec.Cmd, _ syscall.Signal) error { return cmd.Process.Kill() }

func endGroup(*exec.Cmd) {}
