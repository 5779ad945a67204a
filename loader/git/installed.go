package git

import (
	"fmt"
	"os/exec"
	"sync"

	"rulestore/content/i18n"
)

// ErrNoGit is the error if the command git is not installed, or too old for what it is asked here.
var ErrNoGit = i18n.Errorf("the git command is not installed")

// The oldest git that knows all options with which it is run: --config-env came with it.
const major, minor = 2, 31

// judged are the errors of [Installed], by the paths of gits: each is asked once.
var judged sync.Map

// Installed returns [ErrNoGit] if there is no git of version 2.31 or later. Repositories are then read by go-git.
func Installed() error {
	path, err := exec.LookPath("git")
	if err != nil {
		return ErrNoGit
	}
	if err, known := judged.Load(path); known {
		err, _ := err.(error)
		return err
	}
	var have [2]int
	out, _ := exec.Command(path, "version").Output() // what it does not say it is not refused for
	_, err = fmt.Sscanf(string(out), "git version %d.%d", &have[0], &have[1])
	if err == nil && (have[0] < major || have[0] == major && have[1] < minor) {
		err = i18n.Because(i18n.New("git %d.%d is installed, and version %d.%d or later is needed: install a newer one",
			have[0], have[1], major, minor), ErrNoGit)
	} else {
		err = nil
	}
	judged.Store(path, err)
	return err
}
