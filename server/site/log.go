package site

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/server/api"
)

const (
	// LogPath is where the log says how long it is, LogRoot is its prefix as of
	// c2sp.org/tlog-tiles, with the checkpoint and the tiles below.
	LogPath, LogRoot = "/api/v1/log", "/log/"
	// CheckpointPath is where the signed head of the log is.
	CheckpointPath = LogRoot + "checkpoint"
	// ProofSuffix follows the path of a version where its proof is.
	ProofSuffix = "/proof"

	octetType = "application/octet-stream"
)

// forEver is for what never changes: leaves are only added.
var forEver = Header{"Cache-Control", []string{"public, max-age=31536000, immutable"}}

// HasLog reports whether there is a log: only where not all of it could be read there is none.
func (s *Site) HasLog() bool { return s.log != nil }

// Logged returns the place of a publication in the log; not ok if no seal of it is there.
func (s *Site) Logged(p *content.Publication) (index int64, ok bool) { return logged(s.log, p) }

func logged(l *log.View, p *content.Publication) (index int64, ok bool) {
	if l == nil || !p.Sealed {
		return 0, false
	}
	return l.Index(log.SealOf(content.Seal{Tag: p.Tag(), Checksum: p.Checksum, PublishedAt: p.PublishedAt}))
}

// newlyLogged lists the items of which there are seals that prev's log did not have.
func (s *Site) newlyLogged(prev *Site) map[string]bool {
	if prev == nil || s.log == nil {
		return nil
	}
	items := map[string]bool{}
	for _, leaf := range s.log.Since(prev.log.Size()) {
		if seal, ok := leaf.Seal(); ok {
			items[seal.Item()] = true
		}
	}
	return items
}

// goesOn says whether the log is that of prev with more at its end: what prev says of
// places in it holds.
func (s *Site) goesOn(prev *Site) bool {
	if s.log == nil || prev.log == nil {
		return s.log == prev.log
	}
	return s.log.Extends(prev.log.Log)
}

// checkpoint returns the signed head of the log; not ok if there is none.
func (s *Site) checkpoint() (signed []byte, head log.Checkpoint, ok bool) {
	if s.log == nil || s.log.Checkpoint == nil {
		return nil, head, false
	}
	head, err := log.ReadCheckpoint(s.log.Checkpoint)
	return s.log.Checkpoint, head, err == nil
}

// LogSigned returns how many leaves the log has, how many of them the checkpoint covers, and
// whether the repository has a newer one that does not agree.
func (s *Site) LogSigned() (size, signed int64, refused bool) {
	if s.log == nil {
		return 0, 0, false
	}
	_, head, _ := s.checkpoint()
	return s.log.Size(), head.Size, s.log.Refused
}

// Checkpoint is the signed head of the log, nil if there is none.
func (s *Site) Checkpoint() *Resource {
	signed, _, ok := s.checkpoint()
	if !ok {
		return nil
	}
	short := Header{"Cache-Control", []string{"public, max-age=5"}}
	return &Resource{Static: true, Representations: []*Representation{
		represent(textType, time.Time{}, []Header{short}, func() Body { return Body{Bytes: signed} }),
	}}
}

// Tile is a piece of the log by its path below [LogRoot], nil if there is none.
func (s *Site) Tile(path string) *Resource {
	t, err := log.ParseTile(path)
	if err != nil || s.log == nil {
		return nil
	}
	raw, ok := s.log.Tile(t)
	if !ok {
		return nil
	}
	return &Resource{Static: true, Representations: []*Representation{
		represent(octetType, time.Time{}, []Header{forEver}, func() Body { return Body{Bytes: raw} }),
	}}
}

// Tiles lists the tiles that who checks the log needs: of all of it, and of what is signed.
func (s *Site) Tiles() []log.Tile {
	if s.log == nil {
		return nil
	}
	all := log.Tiles(s.log.Size())
	if _, head, ok := s.checkpoint(); ok && head.Size < s.log.Size() {
		for _, t := range log.Tiles(head.Size) {
			if !t.Full() {
				all = append(all, t)
			}
		}
	}
	slices.SortFunc(all, func(a, b log.Tile) int { return strings.Compare(a.Path(), b.Path()) })
	return slices.Compact(all)
}

// Log says how long the log is, and what is signed of it.
func (s *Site) Log() *Resource {
	return jsonResource(func() Body {
		root, _ := s.log.Root(s.log.Size())
		var o object
		o.value("size", s.log.Size())
		o.text("root", root.String())
		if _, head, ok := s.checkpoint(); ok {
			var signed object
			signed.text("origin", head.Origin)
			signed.value("size", head.Size)
			signed.text("root", head.Root.String())
			signed.text("url", s.URL(CheckpointPath))
			o.raw("checkpoint", signed.end().Bytes)
		} else {
			o.value("checkpoint", nil)
		}
		o.optional("reason", s.unsigned())
		o.fetchedAt()
		return o.end()
	})
}

// unsigned says why the newest checkpoint is not served, in Russian; "" if it is.
func (s *Site) unsigned() string {
	switch {
	case s.log.Refused && s.log.Checkpoint != nil:
		return "Новейшая контрольная точка репозитория не сходится с журналом; названа последняя, которая сходится."
	case s.log.Refused:
		return "Контрольная точка репозитория не сходится с журналом."
	case s.log.Checkpoint == nil:
		return "Журнал этого репозитория никто не подписывает."
	}
	return ""
}

// NoCheckpoint says why there is no checkpoint, in Russian.
func (s *Site) NoCheckpoint() string {
	if s.log == nil {
		return "Журнала нет: не вся история пометок прочитана."
	}
	return s.unsigned()
}

// Proof proves that a version is in the log (c2sp.org/tlog-proof). Where it cannot, it says
// why, in Russian.
func (s *Site) Proof(e *content.Entry) (r *Resource, why string) {
	signed, head, ok := s.checkpoint()
	index, logged := s.Logged(e.Publication)
	switch {
	case !logged:
		return nil, "Печати этой версии в журнале нет: запечатайте её командой rulestore publish."
	case !ok:
		return nil, s.NoCheckpoint() + " Номер версии в журнале — " + strconv.FormatInt(index, 10) + "."
	case index >= head.Size:
		return nil, "Версия в журнале под номером " + strconv.FormatInt(index, 10) + ", а подписаны пока первые " +
			strconv.FormatInt(head.Size, 10) + ". Повторите запрос после следующей подписи."
	}
	proof, err := s.log.Prove(index, signed)
	if err != nil {
		return nil, err.Error() // the checkpoint agrees
	}
	return textResource(textType, proof.Text), ""
}

// Proven returns the version whose proof is at a path, nil if it is no such path.
func (s *Site) Proven(path string) *content.Entry {
	path, ok := strings.CutSuffix(path, ProofSuffix)
	if !ok {
		return nil
	}
	r := s.Lookup(path)
	if r == nil || r.Does != api.ReadVersion && r.Gone == nil {
		return nil
	}
	base, _, _ := strings.Cut(path, "/versions/")
	return s.versionAt(base, path)
}

// versionAt returns the version at a path, of the item at another one.
func (s *Site) versionAt(base, path string) *content.Entry {
	all := s.resources[base]
	if all == nil || all.Kind == nil {
		return nil
	}
	item := s.Snapshot.Item(all.Kind, all.Name)
	if item == nil {
		return nil
	}
	for _, e := range item.Entries {
		if e.Path() == path {
			return e
		}
	}
	return nil
}
