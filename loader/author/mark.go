package author

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/i18n"
	"rulestore/loader/worktree"
)

// Mark writes a mark into the work tree's lifecycle.yaml. It is in force once it is committed
// to the served branch. The item has to be in the snapshot, which is loaded without drafts.
func (r *Repository) Mark(ctx context.Context, schemas content.Schemas, s *content.Snapshot, m content.Mark) error {
	m, err := r.meant(s, m)
	if err != nil {
		return err
	}
	text, err := r.read(ctx, content.LifecycleFile)
	if err != nil {
		return err
	}
	if strings.TrimSpace(text) == "" {
		text = newLifecycle
	}
	marks, findings := check.Lifecycle(schemas, []byte(text))
	if len(findings) > 0 {
		return i18n.Errorf("%s has to be mended first: %s", content.LifecycleFile, findings[0])
	}
	if err := addsTo(marks, m); err != nil {
		return err
	}
	if _, findings := check.Lifecycle(schemas, []byte(withMark(newLifecycle, m))); len(findings) > 0 {
		return i18n.Errorf("the mark cannot be written: %s", findings[0])
	}
	text = withMark(text, m)
	if got, _ := check.Lifecycle(schemas, []byte(text)); !slices.Equal(got, append(marks, m)) {
		return i18n.Errorf(
			"the layout of %s leaves no place for a mark: add it yourself:\n%s", content.LifecycleFile,
			strings.TrimRight(entry(m, "  "), "\n"),
		)
	}
	return worktree.Write(r.Dir, content.LifecycleFile, []byte(text))
}

// meant is a mark with the whole names of the items that a person names in it, or why it is impossible.
func (r *Repository) meant(s *content.Snapshot, m content.Mark) (content.Mark, error) {
	var err error
	if m.Status == content.Void {
		m.Item, err = voidable(s, m)
	} else {
		var item *content.Item
		if item, err = Find(s, m.Item); err == nil {
			m.Item = item.ID()
			err = markable(item, m)
		}
	}
	if err == nil && m.ReplacedBy != "" {
		m.ReplacedBy, err = r.successor(s, m)
	}
	return m, err
}

// voidable returns the item that a mark means, unless the version's content is there and its day is not
// after that of the mark.
func voidable(s *content.Snapshot, m content.Mark) (string, error) {
	var items []string
	add := func(item string) {
		_, name, _ := strings.Cut(item, "/")
		if plain := plainName(m.Item); item == plain || name == plain {
			items = append(items, item)
		}
	}
	for _, p := range s.Upcoming {
		if p.Version.String() == m.Version && m.Since < s.DayOf(p.PublishedAt) {
			add(p.Item())
		}
	}
	for item := range s.Spent {
		if s.IsSpent(item, m.Version) {
			add(item)
		}
	}
	slices.Sort(items)
	switch items = slices.Compact(items); len(items) {
	case 0:
		return "", i18n.Errorf(
			"%s has no sealed version %q whose content is lost or whose day has not come: void is for those that "+
				"`rulestore status` calls seal-lost or waiting; give name and version",
			m.Item, m.Version,
		)
	case 1:
		return items[0], nil
	}
	return "", i18n.Errorf("%q names more than one item: write %s or %s", m.Item, items[0], items[1])
}

// markable returns why a mark is impossible.
func markable(item *content.Item, m content.Mark) error {
	if m.Status == content.ReviewRequired && !item.Kind.Expires {
		return i18n.Errorf("%s cannot be %s: only guidelines and parameters can", m.Item, m.Status)
	}
	if m.Version == "" {
		return nil
	}
	var versions []string
	for _, e := range item.Entries {
		versions = append(versions, e.Version.String())
	}
	if slices.Contains(versions, m.Version) {
		return nil
	}
	return i18n.Errorf("%s has no published version %s: it has %s", m.Item, m.Version, strings.Join(versions, ", "))
}

// successor finds the item to read in place of a marked one: it is published, or has a file that will be.
func (r *Repository) successor(s *content.Snapshot, m content.Mark) (string, error) {
	name := plainName(m.ReplacedBy)
	if item, err := Find(s, name); err == nil {
		name = item.ID()
	} else if exists, e := r.hasFile(name); e != nil || !exists {
		return "", errors.Join(e, i18n.Errorf("--replaced-by: %w", err))
	}
	if name == m.Item {
		return "", i18n.Errorf("%s cannot be replaced by itself: name the item that is to be read in its place", m.Item)
	}
	return name, nil
}

// hasFile reports whether an item, named by folder and name, has a file in the work tree.
func (r *Repository) hasFile(item string) (bool, error) {
	t, err := content.ParseTag(item + "/v0.0.0")
	if err != nil || t.Kind == nil {
		return false, nil
	}
	paths, err := r.Paths(t.Kind, t.Name)
	return len(paths) > 0, err
}

// addsTo returns why a mark would change nothing.
func addsTo(marks []content.Mark, m content.Mark) error {
	for _, old := range marks {
		if old.Item != m.Item || old.Version != m.Version {
			continue
		}
		what := m.Item
		if m.Version != "" {
			what += "@" + m.Version
		}
		switch {
		case old.Status == m.Status && old.ReplacedBy != m.ReplacedBy && m.ReplacedBy != "":
			return i18n.Errorf(
				"%s is marked %s already, since %s: write `replaced_by: %s` into that mark in %s", what, old.Status,
				old.Since, m.ReplacedBy, content.LifecycleFile,
			)
		case old.Status == m.Status:
			return i18n.Errorf(
				"%s is marked %s already, since %s: %s", what, old.Status, old.Since, content.Printable(old.Reason),
			)
		case old.Status == content.Redacted || old.Status == content.Archived && m.Status == content.ReviewRequired:
			return i18n.Errorf(
				"%s is marked %s since %s, which is stronger: remove that mark from %s if it is wrong", what,
				old.Status, old.Since, content.LifecycleFile,
			)
		}
	}
	return nil
}

const newLifecycle = "schema_version: \"1.0\"\nmarks: []\n"

// formats are the first versions of the file's format with a status that not all of them have.
var formats = map[content.Status]string{content.Void: "1.1"}

// oldFormat matches the version of a format that may not have a status.
var oldFormat = regexp.MustCompile(`(?m)^schema_version: ["']1\.0["']`)

// withMark adds a mark at the end of the file, which is where the list ends, in the format that has its status, and
// leaves everything else unchanged. Where the list is written in another way, the result has other marks.
func withMark(text string, m content.Mark) string {
	if format := formats[m.Status]; format != "" {
		text = oldFormat.ReplaceAllLiteralString(text, fmt.Sprintf("schema_version: %q", format))
	}
	indent := "  "
	if first := element.FindStringSubmatch(text); first != nil {
		indent = first[1]
	}
	return strings.TrimRight(strings.Replace(text, "\nmarks: []", "\nmarks:", 1), "\n") + "\n" + entry(m, indent)
}

// element matches the first element of a list.
var element = regexp.MustCompile(`(?m)^( *)- `)

// entry is the mark as YAML, on one line, so that git keeps both if two branches add one each.
// Texts are quoted as in JSON, so that YAML does not interpret them.
func entry(m content.Mark, indent string) string {
	var version, successor string
	if m.Version != "" {
		version = fmt.Sprintf(", version: %s", content.String(m.Version))
	}
	if m.ReplacedBy != "" {
		successor = ", replaced_by: " + m.ReplacedBy
	}
	return fmt.Sprintf(
		"%s- {item: %s%s, status: %s%s, reason: %s, since: %s}\n", indent, m.Item, version, m.Status, successor,
		content.String(m.Reason), m.Since,
	)
}
