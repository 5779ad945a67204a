// Package gitcmd runs the git command of this machine for a server that follows a
// repository: [Credentials] asks the credential helpers of the user that the
// server runs as, and [Environ.UploadPack] sends a local repository to a mirror. Neither
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

// Environ is the environment that git is run in, as [os.Environ] returns it; nil is that of the process.
type Environ []string

// Without returns the environment without variables that would redirect git to another
// repository, and without the named ones.
func (e Environ) Without(names ...string) []string {
	all := slices.Clone(e)
	if e == nil {
		all = os.Environ()
	}
	return slices.DeleteFunc(all, func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(local, name) || slices.Contains(names, name)
	})
}

// outside is the environment of a git without a repository and without a terminal.
func (e Environ) outside() []string {
	return append(e.Without("GIT_ASKPASS", "SSH_ASKPASS"), "GIT_TERMINAL_PROMPT=0")
}
