package site

import (
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/server/api"
)

// HasLog reports whether there is a log: somebody writes and signs it.
func (s *Site) HasLog() bool { return s.log != nil }

// Logged returns the index of a publication in the log; not ok if it has no seal there.
func (s *Site) Logged(p *content.Publication) (index int64, ok bool) {
	return logged(s.log, p)
}

func logged(l *log.Served, p *content.Publication) (index int64, ok bool) {
	if l == nil || !p.Sealed {
		return 0, false
	}
	return l.Index(log.SealOf(content.Seal{Tag: p.Tag(), Checksum: p.Checksum, PublishedAt: p.PublishedAt}))
}

// newlyLogged lists the items with seals that the log of prev did not have.
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

// extendsLog reports whether the log begins with that of prev, so that the log indices of prev are
// valid.
func (s *Site) extendsLog(prev *Site) bool {
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

// LogSigned returns the number of seals and marks of the repository that are to be in the log, that of
// the leaves, and whether the repository has a newer log that does not stand.
func (s *Site) LogSigned() (size, signed int64, refused bool) {
	if s.log == nil {
		return 0, 0, false
	}
	return s.log.Size() + int64(s.log.Unlogged), s.log.Size(), s.log.Refused
}

// Checkpoint returns the signed head of the log, nil if there is none.
func (s *Site) Checkpoint() *Resource {
	signed, _, ok := s.checkpoint()
	if !ok {
		return nil
	}
	short := Header{"Cache-Control", []string{"public, max-age=5"}}
	return textResource(api.TextType, func() []byte { return signed }, short)
}

// Tile returns the tile of the log at a path below [api.LogRoot], nil if there is none.
func (s *Site) Tile(path string) *Resource {
	t, err := log.ParseTile(path)
	if err != nil || s.log == nil {
		return nil
	}
	raw, ok := s.log.Tile(t)
	if !ok {
		return nil
	}
	return textResource(api.OctetType, func() []byte { return raw }, immutable)
}

// Tiles lists the tiles for verifying the log.
func (s *Site) Tiles() []log.Tile {
	all := s.log.Leaves().Tiles()
	slices.SortFunc(all, func(a, b log.Tile) int { return strings.Compare(a.Path(), b.Path()) })
	return all
}

// Log returns the size of the log, and of its signed part.
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
			signed.text("url", s.URL(api.CheckpointPath))
			o.raw("checkpoint", signed.end().Bytes)
		} else {
			o.value("checkpoint", nil)
		}
		o.optional("reason", s.refused())
		o.fetchedAt()
		return o.end()
	})
}

// refused returns the reason why the newest log of the repository is not served, in Russian; "" if it is.
func (s *Site) refused() string {
	switch {
	case s.log.Refused && s.log.Checkpoint != nil:
		return "Новейший журнал репозитория не сходится; отдаётся последний, который сходится."
	case s.log.Refused:
		return "Журнал репозитория не сходится."
	}
	return ""
}

// NoTile says that the log does not have a tile, and where its size is, in Russian.
func (s *Site) NoTile() string {
	return "Такой плитки у журнала нет. Сколько в нём листьев, говорит " + s.URL(api.LogPath)
}

// NoCheckpoint returns the reason why there is no checkpoint, in Russian.
func (s *Site) NoCheckpoint() string {
	if s.log == nil {
		return "Журнала у этого репозитория нет."
	}
	return s.refused()
}

// Proof returns the proof that a version is in the log (c2sp.org/tlog-proof), or the reason why
// there is none, in Russian.
func (s *Site) Proof(e *content.Entry) (r *Resource, why string) {
	signed, _, ok := s.checkpoint()
	index, logged := s.Logged(e.Publication)
	switch {
	case !ok:
		return nil, s.NoCheckpoint()
	case !e.Sealed:
		return nil, "Печати у этой версии нет, а в журнале только печати: их ставит rulestore publish."
	case !logged:
		return nil, "Этой версии в журнале ещё нет. Повторите запрос после следующей подписи."
	}
	proof, err := s.log.Prove(index, signed)
	if err != nil {
		return nil, err.Error() // impossible: the checkpoint agrees with the log
	}
	return textResource(api.TextType, proof.Text), ""
}

// Proven returns the version whose proof is at a path, nil if the path is another one.
func (s *Site) Proven(path string) *content.Entry {
	path, ok := strings.CutSuffix(path, api.ProofSuffix)
	base, _, isVersion := strings.Cut(path, "/versions/")
	of := s.resources[base]
	if !ok || !isVersion || of == nil || of.Kind == nil || s.Lookup(path) == nil {
		return nil
	}
	item := s.Snapshot.Item(of.Kind, of.Name)
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
