package git

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// local are the variables with which git tells its children about the repository
// they are in; a hook that runs rulestore would pass them on.
var local = []string{
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_DIR",
	"GIT_GRAFT_FILE", "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_NAMESPACE", "GIT_NO_REPLACE_OBJECTS",
	"GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_QUARANTINE_PATH", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE",
	"GIT_WORK_TREE",
}

// Environ is the environment that git is run in, as [os.Environ] returns it; nil is that of the process.
type Environ []string

// all returns the variables.
func (e Environ) all() []string {
	if e == nil {
		return os.Environ()
	}
	return slices.Clone(e)
}

// Without returns the environment without variables that would redirect git to another
// repository, and without the named ones.
func (e Environ) Without(names ...string) []string {
	return without(e.all(), append(names, local...)...)
}

func without(env []string, names ...string) []string {
	return slices.DeleteFunc(env, func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(names, name)
	})
}

// Get returns the value of a variable, empty if it is not set.
func (e Environ) Get(name string) (value string) {
	for _, v := range e.all() {
		if set, ok := strings.CutPrefix(v, name+"="); ok {
			value = set // the last one counts
		}
	}
	return value
}

// quarantine returns the variables with which git finds the objects of a push that is not accepted yet: those of
// a pre-receive hook in which this program runs, if the hook is that of the repository with a folder of objects.
func (e Environ) quarantine(objects string) []string {
	in, err := filepath.EvalSymlinks(filepath.Dir(e.Get("GIT_QUARANTINE_PATH")))
	own, wrong := filepath.EvalSymlinks(objects)
	if err != nil || wrong != nil || in != own {
		return nil
	}
	return slices.DeleteFunc(e.all(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return !slices.Contains(ofPush, name)
	})
}

// ofPush are the variables of a pre-receive hook (git-receive-pack).
var ofPush = []string{"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_OBJECT_DIRECTORY", "GIT_QUARANTINE_PATH"}
