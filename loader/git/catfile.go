package git

import (
	"bufio"
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"rulestore/content/i18n"
	"rulestore/loader/signers"
)

// catFile reads objects by a git that is talked to, from the first object until it is closed. git finds by
// itself what others repack meanwhile. What goes wrong ends it, and the next question starts another one: an
// object that neither of two can read is damaged, and what they said is why.
type catFile struct {
	gitDir string
	env    []string // see [Environ.Quarantine]

	git   *Process      // nil if none runs
	out   *bufio.Reader // its answers
	timer *time.Timer   // ends it
	late  *atomic.Bool  // it took too long

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

// patience is how long git may take for an object. It waits forever if there is a pipe in place of a file.
var patience = time.Minute

// Ahead implements [Objects].
func (c *catFile) Ahead(ids []OID) {
	c.next, c.place = ids, make(map[OID]int, len(ids))
	for i, id := range ids {
		c.place[id] = i
	}
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
		if o, err = c.ask(id, limit); !IsDamaged(err) || c.late.Load() {
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
		if c.start() != nil || c.request(ids...) != nil {
			return
		}
		var tagged []OID
		for _, id := range ids {
			o, err := c.answer(id, maxAhead)
			if errors.Is(err, errAbsent) {
				continue
			}
			if err != nil || c.git == nil {
				return
			}
			c.ready[id] = o
			c.held += o.Size
			if o.Kind == aTag {
				if t, err := signers.ReadTag(o.Raw); err == nil {
					tagged = append(tagged, OID(t.Object))
				}
			}
		}
		if c.finish() != nil {
			c.ready = nil // some may have got the content of others
			return
		}
		ids = tagged
	}
}

// readHistoryAhead has commits read together: those that git finds, mostly newest first.
func (r *Repo) readHistoryAhead(tips []OID) {
	c, ok := r.objects.(*catFile)
	if !ok {
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
	c.Ahead(ids)
}

// ask asks for one object.
func (c *catFile) ask(id OID, limit int64) (o Object, err error) {
	if err = c.start(); err == nil {
		err = c.request(id)
	}
	if err == nil {
		o, err = c.answer(id, limit)
	}
	if c.git == nil {
		return o, err
	}
	if wrong := c.finish(); wrong != nil {
		return Object{}, wrong
	}
	if errors.Is(err, errAbsent) {
		err = c.missing()
	}
	return o, err
}

// start starts git, unless it runs, and waits for it: a git that cannot read the repository at all ends then.
func (c *catFile) start() error {
	if c.git != nil {
		return nil
	}
	git, err := Environ(nil).Start(context.Background(), Command{
		GitDir: c.gitDir,
		Args:   []string{"-c", "core.bigFileThreshold=1m", "cat-file", "--batch"},
		Env:    append(slices.Clip(c.env), "GIT_ALLOC_LIMIT="+allocLimit),
	})
	if err != nil {
		return i18n.Errorf("start git: %w", err)
	}
	late := &atomic.Bool{}
	c.git, c.late, c.out = git, late, bufio.NewReaderSize(git.Out, 64<<10)
	c.timer = time.AfterFunc(patience, func() { late.Store(true); git.Kill() })
	if err = c.request(); err == nil {
		err = c.finish()
	}
	if why, failed := WhyDamaged(err); failed {
		return i18n.Errorf("git cannot read the repository: %s", why)
	}
	return nil
}

// request asks for objects, and for the empty tree, which every git has: whoever waits for the content of an object
// that ends too early gets this, and does not wait in vain. The error is that of ended.
func (c *catFile) request(ids ...OID) error {
	lines := make([]byte, 0, (len(ids)+1)*(2*len(OID{})+1))
	for _, id := range ids {
		lines = append(append(lines, id.String()...), '\n')
	}
	lines = append(lines, emptyTree+"\n"...)
	c.timer.Reset(patience)
	if _, err := c.git.In.Write(lines); err != nil {
		return c.ended()
	}
	return nil
}

// answer reads the answer to the first request that has none yet: "<id> <kind> <size>\n<content>\n", or
// "<id> missing\n". If the error is not errAbsent, or the object has more than limit and maxAhead bytes, git is
// ended.
func (c *catFile) answer(id OID, limit int64) (o Object, err error) {
	c.timer.Reset(patience)
	line, err := c.out.ReadSlice('\n')
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
		c.end()
		return o, nil
	case o.Size > limit:
		_, err = c.out.Discard(int(o.Size) + 1)
	default:
		o.Raw, err = c.content(o.Size)
	}
	if err != nil {
		return Object{}, c.ended()
	}
	return o, nil
}

// finish reads the answer that follows those of a request.
func (c *catFile) finish() error {
	const last = emptyTree + " tree 0\n\n"
	got, err := c.out.Peek(len(last))
	if err != nil || string(got) != last {
		return c.ended()
	}
	c.timer.Stop()
	_, err = c.out.Discard(len(last))
	return err
}

// content reads the content of an object, and the end of its line.
func (c *catFile) content(size int64) ([]byte, error) {
	raw := make([]byte, size+1)
	if _, err := io.ReadFull(c.out, raw); err != nil {
		return nil, err
	}
	if raw[size] != '\n' {
		return nil, io.ErrUnexpectedEOF
	}
	return raw[:size:size], nil
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

// ended ends git, if it has not ended itself, and returns why: the object that was asked for is damaged.
func (c *catFile) ended() error {
	why := c.end()
	switch {
	case c.late.Load():
		why = "git takes too long to read it"
	case why == "":
		why = "git ends, or gives it another size than it has"
	}
	return damaged(why)
}

// end ends git, if it runs, and returns what it said, on one line and without the path of the repository.
func (c *catFile) end() string {
	if c.git == nil {
		return ""
	}
	c.timer.Stop()
	said := strings.ReplaceAll(c.git.End(), filepath.ToSlash(c.gitDir)+"/", "")
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

// Close implements [Objects].
func (c *catFile) Close() error {
	c.end()
	return nil
}
