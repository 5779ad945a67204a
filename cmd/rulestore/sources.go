package main

import (
	"context"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rulestore/cmd/rulestore/internal/publisher"
	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
)

// valuesBySource is a flag with a value for each of several repositories: repeated, or with a line for
// each in a variable.
type valuesBySource []string

// String implements pflag.Value. Where one of the values is empty, all of it is: that is refused.
func (v *valuesBySource) String() string {
	if slices.Contains(*v, "") {
		return ""
	}
	return strings.Join(*v, "\n")
}

// Type implements pflag.Value.
func (v *valuesBySource) Type() string { return "string" }

// Set implements pflag.Value.
func (v *valuesBySource) Set(text string) error {
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSuffix(line, "\r"); line != "" || text == "" {
			*v = append(*v, line)
		}
	}
	return nil
}

// valueFor is the value for one of several repositories: the one that begins with its name, else the
// last one that begins with none of their names, as all do where there is one repository.
func (v valuesBySource) valueFor(one string, all []repository) (value string) {
	for _, text := range v {
		name, rest, ok := strings.Cut(text, "=")
		switch {
		case ok && name == one && one != "":
			return rest
		case !ok || !namedIn(all, name):
			value = text
		}
	}
	return value
}

// draftsFlag is the flag for serving drafts: of all repositories, or of the named ones.
type draftsFlag []string

// String implements pflag.Value.
func (v *draftsFlag) String() string {
	if len(*v) == 0 {
		return "false"
	}
	return strings.Join(*v, "\n")
}

// Type implements pflag.Value.
func (v *draftsFlag) Type() string { return "bool" }

// Set implements pflag.Value.
func (v *draftsFlag) Set(text string) error {
	for line := range strings.SplitSeq(text, "\n") {
		if _, err := strconv.ParseBool(line); err != nil && !sourceName.MatchString(line) {
			return err
		}
		*v = append(*v, line)
	}
	return nil
}

// enabledFor reports whether drafts are served of one of several repositories, or of the only one.
func (v draftsFlag) enabledFor(one string, all []repository) (enabled bool, err error) {
	for _, text := range v {
		on, err := strconv.ParseBool(text)
		switch {
		case namedIn(all, text):
			enabled = enabled || text == one
		case err == nil:
			enabled = on
		default:
			return false, usageErrorf("--drafts=%s: no repository is called %[1]s", text)
		}
	}
	return enabled, nil
}

// repository is one of several repositories.
type repository struct{ name, repo string }

// namedIn reports whether one of several repositories has a name.
func namedIn(all []repository, name string) bool {
	return name != "" && slices.ContainsFunc(all, func(n repository) bool { return n.name == name })
}

// firstSource is the default name of the first of several repositories.
const firstSource = "base"

// sourceName matches the name of a repository, before the = after it.
var sourceName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)

// maxSources is the maximum number of repositories that are served together.
const maxSources = 16

// sources reads the flag --repo, or another one that names the repositories. Of one repository all
// of it is the path or the address; of several each but the first begins with its name, as
// house=../house.
func (v valuesBySource) sources(flag string) (all []repository, err error) {
	if len(v) < 2 {
		return []repository{{"", v.valueFor("", nil)}}, nil
	}
	if len(v) > maxSources {
		return nil, usageErrorf(
			"--%s is given %d times: at most %d repositories are served together", flag, len(v), maxSources,
		)
	}
	for i, text := range v {
		name, repo, ok := strings.Cut(text, "=")
		if !ok || !sourceName.MatchString(name) {
			name, repo = "", text
		}
		switch {
		case name == "" && i > 0:
			return nil, usageErrorf(
				"--%s %s: of several repositories each but the first has a name: write NAME=%[2]s, in small letters, "+
					"digits and hyphens", flag, text,
			)
		case name == "":
			name = firstSource
		}
		if repo == "" {
			return nil, usageErrorf("--%s %s: there is nothing after the name", flag, text)
		}
		if namedIn(all, name) {
			return nil, usageErrorf("--%s: two repositories are called %s: give each a name of its own", flag, name)
		}
		all = append(all, repository{name, repo})
	}
	return all, nil
}

// repositoryFlags are the flags of which each of several repositories has a value.
type repositoryFlags struct {
	sourceName                 string // the name of the repository, where there are several
	repo, ref, signers, policy string
	shown                      string // repo as it was given

	repos, refs, signerFiles, policies valuesBySource // as they were given
}

// valuesFor are the flags with the values for one of several repositories, or for the only one.
func (f repositoryFlags) valuesFor(e *env, one repository, all []repository) repositoryFlags {
	f.sourceName, f.repo, f.shown = one.name, e.path(one.repo), one.repo
	f.ref, f.signers = f.refs.valueFor(one.name, all), e.path(f.signerFiles.valueFor(one.name, all))
	f.policy = e.path(f.policies.valueFor(one.name, all))
	return f
}

// split reads the flags of each repository: f is that of the first then.
func (f serveFlags) split(e *env) (serveFlags, error) {
	all, err := f.repos.sources("repo")
	if err != nil {
		return f, err
	}
	elsewhere := slices.ContainsFunc(all, func(n repository) bool { return gitrepo.IsAddress(e.path(n.repo)) })
	parts, fetches := make([]serveFlags, len(all)), new(fetchRequests)
	for i, n := range all {
		part := f
		part.repositoryFlags = f.valuesFor(e, n, all)
		part.remote.fetches = fetches
		if part.drafts, err = f.draftsBySource.enabledFor(n.name, all); err != nil {
			return f, err
		}
		switch {
		case elsewhere && !gitrepo.IsAddress(part.repo):
			part.remote.clearWebhooks()
			part.remote.maxLoss = ""
		case gitrepo.IsAddress(part.repo): // one listener asks all of them to fetch
			f.remote.clearWebhooks()
		}
		parts[i] = part
	}
	f = parts[0]
	f.overlays = parts[1:]
	return f, nil
}

// fetchRequests request a fetch of each of the repositories elsewhere.
type fetchRequests struct{ all []func() }

func (n *fetchRequests) send() {
	for _, request := range n.all {
		request()
	}
}

// private reports whether drafts of any repository are served.
func (f serveFlags) private() bool {
	return f.drafts || slices.ContainsFunc(f.overlays, func(part serveFlags) bool { return part.drafts })
}

// checkOverlays validates the flags of the repositories after the first.
func (f serveFlags) checkOverlays() error {
	for _, part := range f.overlays {
		if err := part.checkPart(); err != nil {
			return err
		}
	}
	return nil
}

// loadSnapshot loads the snapshot that would be served.
func (f serveFlags) loadSnapshot(ctx context.Context, e *env) (*content.Snapshot, error) {
	p, err := f.publisher(ctx, e, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	defer p.Close()
	loaded, err := p.Load(ctx)
	if err != nil {
		return nil, err
	}
	return loader.Join(append([]loader.Result{loaded}, p.Overlays()...)...).Snapshot, nil
}

// publisher opens the repositories to serve. The caller closes it.
func (f serveFlags) publisher(ctx context.Context, e *env, log *slog.Logger) (*publisher.Publisher, error) {
	var parts []*publisher.Publisher
	for _, part := range append([]serveFlags{f}, f.overlays...) {
		c, err := part.publisherConfig(ctx, e, log)
		if err != nil {
			for _, opened := range parts {
				opened.Close()
			}
			return nil, err
		}
		parts = append(parts, publisher.New(c))
	}
	if len(parts) > 1 {
		parts[0].Join(parts[1:]...)
	}
	return parts[0], nil
}
