package git

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"rulestore/content/i18n"
	"rulestore/loader/signers"
)

// catFile reads objects by a git that is talked to, from the first object until it is closed. git finds by
// itself what others repack meanwhile. What goes wrong ends it, and the next question starts another one: an
// object that neither of two can read is damaged. One in a damaged file is mostly missing to git, see [Repo.Settle].
type catFile struct {
	repo *Repo
	git  *talk // nil if none runs

	place map[OID]int    // of each object that will be read
	next  []OID          // these, in order
	ready map[OID]Object // those that git has answered
	held  int64          // bytes of these
}

const (
	// together is the number of objects that git is asked for at once: their names have to fit in a pipe.
	together = 64
	// maxAhead is the maximum size of an object that is read ahead, in bytes. The content of a larger one that
	// is not wanted is not skipped: it is faster to start another git.
	maxAhead = 1 << 20
	// maxHeld is the size of objects that were read ahead from which on they are dropped, in bytes.
	maxHeld = 16 << 20
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
	if c.git != nil {
		c.git.end()
	}
	c.git = nil
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
		if !IsDamaged(err) {
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
		return c.broken()
	}
	return nil
}

// greet asks a git that was started for what every repository has: one that cannot read this one ends, before or
// after it is asked.
func (c *catFile) greet() error {
	git := c.git
	nothing, err := ParseOID(emptyTree)
	if err == nil {
		_, _ = io.WriteString(git.in, emptyTree+"\n") // one that has ended says so, too
		_, err = c.answer(nothing, 0)
	}
	if err != nil {
		_ = c.Close()
		return i18n.Errorf("git cannot read the repository: %s", cmp.Or(git.end(), "it ends, or hangs"))
	}
	return nil
}

// answer reads the answer to the first request that has none yet: "<id> <kind> <size>\n<content>\n", or
// "<id> missing\n". If the error is not errAbsent, or the object has more than limit and maxAhead bytes, git is
// ended.
func (c *catFile) answer(id OID, limit int64) (o Object, err error) {
	git := c.git
	git.wait()
	defer git.timer.Stop()
	line, err := git.out.ReadSlice('\n')
	words := strings.Fields(string(line))
	switch {
	case err == nil && len(words) == 2 && words[0] == id.String() && words[1] == "missing":
		return o, errAbsent
	case err == nil && len(words) == 3 && words[0] == id.String():
		o.Kind = words[1]
		o.Size, err = strconv.ParseInt(words[2], 10, 64)
	}
	switch {
	case o.Kind == "" || err != nil || o.Size < 0:
		return o, c.broken()
	case o.Size > max(limit, maxAhead):
		return o, c.Close()
	case o.Size > limit:
		_, err = git.out.Discard(int(o.Size))
	default:
		o.Raw = make([]byte, o.Size)
		_, err = io.ReadFull(git.out, o.Raw)
	}
	if end, wrong := git.out.ReadByte(); err != nil || wrong != nil || end != '\n' {
		return Object{}, c.broken()
	}
	return o, nil
}

// broken ends a git that has ended itself, takes too long, or answers something else: the object is damaged.
func (c *catFile) broken() error {
	_ = c.Close()
	return ErrDamaged
}
