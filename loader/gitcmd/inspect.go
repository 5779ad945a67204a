package gitcmd

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"rulestore/content/i18n"
)

// WorkTree is a work tree that git is asked about.
type WorkTree struct {
	GitDir, Root string
	// Filters is for the commands of authors: git runs the filters that it is configured with, as
	// `git add` would. A repository that somebody else owns has none that git trusts, and a server
	// runs none: whoever wrote the folder that it serves would be running programs there.
	Filters bool
	Environ Environ
}

// inspectPatience is how long one question may take: a received folder may have a pipe in place
// of a file.
const inspectPatience = 2 * time.Minute

// maxAnswer is the maximum size of an answer, in bytes: the names of a million files.
const maxAnswer = 256 << 20

// Ask runs git in the root of the work tree with input and additional variables, and returns what
// it writes. It is for commands that only read: no hooks, no fsmonitor of a received folder, no
// fetching of missing objects.
func (w WorkTree) Ask(input string, env []string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), inspectPatience)
	defer cancel()
	if w.Filters {
		out, err := w.run(ctx, input, env, args)
		if err == nil || !strings.Contains(err.Error(), "dubious ownership") {
			return out, err
		}
	}
	options, err := w.withoutFilters(ctx)
	if err != nil {
		return "", err
	}
	return w.run(ctx, input, env, append(options, args...))
}

// received are options for a folder of which nothing is run.
func (w WorkTree) received() []string {
	return []string{
		"--git-dir", w.GitDir, "--work-tree", w.Root, "-c", "core.fsmonitor=false",
		"-c", "core.hooksPath=" + os.DevNull,
	}
}

// filterSetting matches the settings of filters that an option can replace.
var filterSetting = regexp.MustCompile(`^filter\.[\w+.-]+\.\w+$`)

// withoutFilters returns the options with which git runs no filter, wherever it is configured.
func (w WorkTree) withoutFilters(ctx context.Context) ([]string, error) {
	options := w.received()
	const none = 1 // the exit code if nothing is configured
	out, err := w.run(
		ctx, "", nil, append(options[:4:4], "config", "--null", "--name-only", "--get-regexp", `^filter\.`),
	)
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != none) {
		return nil, err
	}
	for _, key := range strings.FieldsFunc(out, func(c rune) bool { return c == 0 }) {
		value := "="
		if strings.HasSuffix(key, ".required") {
			value = "=false"
		}
		if !filterSetting.MatchString(key) {
			return nil, i18n.Errorf("git has the setting %q, which cannot be switched off: rename the filter", key)
		}
		options = append(options, "-c", key+value)
	}
	return options, nil
}

func (w WorkTree) run(ctx context.Context, input string, env, args []string) (string, error) {
	args = append([]string{"--no-optional-locks", "-c", "core.safecrlf=false"}, args...)
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = w.Root
	cmd.Env = slices.Concat(
		w.Environ.outside(), []string{"LC_ALL=C", "LANGUAGE=", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none"}, env,
	)
	cmd.Stdin = strings.NewReader(input)
	cmd.WaitDelay = time.Second
	var said firstLines
	cmd.Stderr = &said
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return "", ErrNoGit
	} else if err != nil {
		return "", err
	}
	var out bytes.Buffer
	n, readErr := out.ReadFrom(io.LimitReader(stdout, maxAnswer+1))
	if n > maxAnswer {
		_ = cmd.Process.Kill()
		readErr = i18n.Errorf("its answer has more than %d MiB", maxAnswer>>20)
	}
	if err = cmd.Wait(); readErr != nil {
		err = readErr
	}
	if err != nil {
		return out.String(), i18n.Errorf("git in %s: %s: %w", w.Root, bytes.TrimSpace(said.text), err)
	}
	return out.String(), nil
}
