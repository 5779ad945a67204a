package author

import (
	"context"
	"strings"

	"rulestore/content"
	"rulestore/content/change"
)

// message is composed from the commits since the last publication, with the trailers that the
// changelog reads.
func (p *planner) message(ctx context.Context, c change.PlannedTag) (string, error) {
	since := ""
	stable := c.Tag.Version.Prerelease() == "" // a release says what its prereleases said, too
	if before := change.Published(p.snapshot.Item(c.Tag.Kind, c.Tag.Name), stable); before != nil {
		since = before.Commit
	}
	return p.withTrailers(ctx, c.Message, c.Tag.Kind, since, p.base, everywhere(c.Tag.Kind, c.Tag.Name))
}

// trailers are the lines of a tag's message that the changelog reads, by kind.
var trailers = map[*content.Kind]string{content.Guidelines: "Criticality", content.Scenarios: "Type"}

// withTrailers adds the trailer of the newest of the commits.
func (p *planner) withTrailers(
	ctx context.Context, message string, k *content.Kind, since, until, file string,
) (string, error) {
	key, ok := trailers[k]
	if !ok {
		return message, nil
	}
	commits := until
	if since != "" {
		commits = since + ".." + until
	}
	out, err := p.r.git(
		ctx, "log", "--format=%(trailers:key="+key+",valueonly)", "--end-of-options", commits, "--", file,
	)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(out) {
		if value := strings.TrimSpace(line); value != "" {
			return message + "\n\n" + key + ": " + value, nil
		}
	}
	return message, nil
}

// subject is the first line of a message.
func subject(message string) string { return content.ParseMessage(message).Subject }
