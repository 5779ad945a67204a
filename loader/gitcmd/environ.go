// Package gitcmd runs the git command of this machine for a server that follows a
// repository: [Credentials] asks the credential helpers of the user that the
// server runs as, and [UploadPack] sends a local repository to a mirror. Neither
// prompts a person.
package gitcmd

import (
	"os"
	"slices"
	"strings"
)

// local are the variables with which git tells its children about the repository
// they are in; a hook that runs rulestore would pass them on.
var local = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE",
	"GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE",
	"GIT_WORK_TREE",
}

// Environ returns the environment without variables that would redirect git to another
// repository, and without the named ones.
func Environ(without ...string) []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(local, name) || slices.Contains(without, name)
	})
}

// outside is the environment of a git without a repository and without a terminal.
func outside() []string {
	return append(Environ("GIT_ASKPASS", "SSH_ASKPASS"), "GIT_TERMINAL_PROMPT=0")
}
