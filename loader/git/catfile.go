package git

import (
	"cmp"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"rulestore/content/i18n"
	"rulestore/loader/signers"
)

// catFile reads objects by a git that is talked to, from the first object until it is closed. git finds by
// itself what others repack meanwhile. What goes wrong ends it, and the next question starts another one: an
// object that neither of two can read is damaged, and what they said is why.
type catFile struct {
	repo *Repo
	git  *talk // nil if none runs

	place map[OID]int    // of each object that will be read
	next  []OID          // these, in order
	ready map[OID]Object // those that git has answered
	held  int64          // bytes of these

	judged int    // how often git was ended to know why an object is missing
	why    string // what it said the last time
}

const (
	// together is the number of objects that git is asked for at once: their names have to fit in a pipe.
	together = 64
	// maxAhead is the maximum size of an object that is read ahead, in bytes. The content of a larger one that
	// is not wanted is not skipped: it is faster to start another git.
	maxAhead = 1 << 20
	// maxHeld is the size of objects that were read ahead from which on they are dropped, in bytes.
	maxHeld = 16 << 20
	// allocLimit bounds what git allocates at a time for an object, and for what it is made from.
	allocLimit = "256m"
)

// Ahead implements [Objects].
func (c *catFile) Ahead(ids []OID) {
	c.next, c.place = ids, make(map[OID]int, len(ids))
	for i, id := range ids {
		c.place[id] = i
	}
}

// Close implements [Objects].
func (c *catFile) Close() error {
	c.end()
	return nil
}

// Read implements [Objects].
func (c *catFile) Read(id OID, limit int64) (o Object, err error) {
	o, ok := c.ready[id]
	if at, planned := c.place[id]; planned && !ok {
		c.readAhead(c.next[at:min(at+together, len(c.next))])
		o, ok = c.ready[id]
	}
	if ok {
		if o.Size > limit {
			o.Raw = nil
		}
		return o, nil
	}
	for range 2 { // a repack may have been in the way of the first
		if err = c.request(id); err == nil {
			o, err = c.answer(id, limit)
		}
		if errors.Is(err, errAbsent) {
			err = c.missing()
		}
		if !IsDamaged(err) || errors.Is(err, errLate) {
			break
		}
	}
	return o, err
}

// readAhead asks for several objects at once, then for those that tags among them point to. Errors are found
// again by whoever reads the object.
func (c *catFile) readAhead(ids []OID) {
	if c.ready == nil || c.held > maxHeld {
		c.ready, c.held = map[OID]Object{}, 0
	}
	for len(ids) > 0 {
		ids = slices.DeleteFunc(slices.Clone(ids), func(id OID) bool { _, ok := c.ready[id]; return ok })
		if c.request(ids...) != nil {
			return
		}
		var tagged []OID
		for _, id := range ids {
			o, err := c.answer(id, maxAhead)
			if c.git == nil {
				return
			}
			if err != nil {
				continue
			}
			c.ready[id] = o
			c.held += o.Size
			if o.Kind == aTag {
				if t, err := signers.ReadTag(o.Raw); err == nil {
					tagged = append(tagged, OID(t.Object))
				}
			}
		}
		ids = tagged
	}
}

// readHistoryAhead has commits read together: those that git finds, mostly newest first.
func (r *Repo) readHistoryAhead(tips []OID) {
	if _, ok := r.objects.(*catFile); !ok {
		return
	}
	var asked strings.Builder
	for _, id := range tips {
		asked.WriteString(id.String() + "\n")
	}
	out, _ := r.ask(asked.String(), "rev-list", "--stdin")
	var ids []OID
	for line := range strings.Lines(out) {
		if id, err := ParseOID(strings.TrimSuffix(line, "\n")); err == nil {
			ids = append(ids, id)
		}
	}
	r.Ahead(ids)
}

// emptyTree is the id of a tree without entries, which every git knows.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// request asks for objects, and starts git unless it runs: one that cannot read the repository at all ends then.
func (c *catFile) request(ids ...OID) (err error) {
	if c.git == nil {
		if c.git, err = c.repo.talkTo("cat-file", "--batch"); err != nil {
			return i18n.Errorf("start git: %w", err)
		}
		if err := c.greet(); err != nil {
			return err
		}
	}
	lines := make([]byte, 0, len(ids)*len(emptyTree+"\n"))
	for _, id := range ids {
		lines = append(append(lines, id.String()...), '\n')
	}
	c.git.wait()
	if _, err := c.git.in.Write(lines); err != nil {
		return c.ended()
	}
	return nil
}

// greet asks a git that was started for what every repository has: one that cannot read this one ends, before or
// after it is asked.
func (c *catFile) greet() error {
	nothing, err := ParseOID(emptyTree)
	if _, gone := io.WriteString(c.git.in, emptyTree+"\n"); gone != nil {
		err = c.ended()
	} else if err == nil {
		_, err = c.answer(nothing, 0)
	}
	if c.git != nil {
		return nil
	}
	why, _ := WhyDamaged(err)
	return i18n.Errorf("git cannot read the repository: %s", why)
}

// answer reads the answer to the first request that has none yet: "<id> <kind> <size>\n<content>\n", or
// "<id> missing\n". If the error is not errAbsent, or the object has more than limit and maxAhead bytes, git is
// ended.
func (c *catFile) answer(id OID, limit int64) (o Object, err error) {
	git := c.git
	git.wait()
	defer git.timer.Stop()
	line, err := git.out.ReadSlice('\n')
	if err != nil {
		return o, c.ended()
	}
	words := strings.Fields(string(line))
	switch {
	case len(words) == 2 && words[0] == id.String() && words[1] == "missing":
		return o, errAbsent
	case len(words) == 3 && words[0] == id.String():
		o.Kind = words[1]
		o.Size, err = strconv.ParseInt(words[2], 10, 64)
	}
	switch {
	case o.Kind == "" || err != nil || o.Size < 0:
		return o, c.ended()
	case o.Size > max(limit, maxAhead):
		return o, c.Close()
	case o.Size > limit:
		_, err = git.out.Discard(int(o.Size))
	default:
		o.Raw = make([]byte, o.Size)
		_, err = io.ReadFull(git.out, o.Raw)
	}
	if end, wrong := git.out.ReadByte(); err != nil || wrong != nil || end != '\n' {
		return Object{}, c.ended()
	}
	return o, nil
}

// missing returns the error for an object that git does not find: it is damaged if git has something against
// files in which it may be. git says so before it ends, and is not ended again and again.
func (c *catFile) missing() error {
	const enough = 100
	if c.judged < enough {
		c.judged, c.why = c.judged+1, c.end()
	}
	if c.why == "" {
		return errAbsent
	}
	return damaged(c.why)
}

// errLate is the error for an object for which git takes too long.
var errLate = damaged("git takes too long to read it")

// ended ends git, if it has not ended itself, and returns why: the object that was asked for is damaged.
func (c *catFile) ended() error {
	git := c.git
	why := c.end()
	if git.late.Load() {
		return errLate
	}
	return damaged(cmp.Or(why, "git ends, or gives it another size than it has"))
}

// end ends git, if it runs, and returns what it said, on one line and without the path of the repository.
func (c *catFile) end() string {
	if c.git == nil {
		return ""
	}
	said := strings.ReplaceAll(c.git.end(), filepath.ToSlash(c.repo.files.commonDir)+"/", "")
	c.git = nil
	lines := strings.FieldsFunc(said, func(r rune) bool { return r == '\n' })
	for i, line := range lines {
		for _, level := range []string{"error: ", "fatal: ", "warning: "} {
			line = strings.TrimPrefix(line, level)
		}
		lines[i] = line
	}
	return strings.Join(slices.Compact(lines), "; ")
}
