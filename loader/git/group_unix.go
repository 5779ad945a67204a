//go:build unix

package git

import (
	"os/exec"
	"syscall"
)

// ownGroup has a process start with a group of its own, so that what it starts ends with it.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// signal signals a process, and its group if it has its own.
func signal(cmd *exec.Cmd, s syscall.Signal) error {
	if cmd.SysProcAttr == nil {
		return cmd.Process.Signal(s)
	}
	return syscall.Kill(-cmd.Process.Pid, s)
}

// endGroup kills what is left of the group of a process.
func endGroup(cmd *exec.Cmd) {
	if cmd.SysProcAttr != nil && cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // mostly there is none any more
	}
}
