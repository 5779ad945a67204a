package export

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/server/api"
	"rulestore/server/html"
	"rulestore/server/site"
)

// A File is one file of an export.
type File struct {
	Name    string // with slashes, from the root of the tree
	Type    string // the media type
	Address string // the path of the address in the service

	from    *site.Representation
	changed time.Time // last change, if the representation has no date
}

// extensions are the extensions of media types. The addresses of other types have extensions.
var extensions = map[string]string{
	"application/json": ".json", "text/markdown": ".md", "text/html": ".html", "text/plain": ".txt",
	"application/yaml": ".yaml", "application/schema+json": ".jsonschema",
}

// Files lists the files of a site. It is an error if two addresses need the same file.
func Files(s *site.Site) ([]File, error) {
	l := &listing{site: s, names: map[string]string{}}
	for _, path := range s.Paths() {
		l.add(path, s.Lookup(path))
	}
	l.feeds()
	l.transparency()
	return l.files, l.err
}

type listing struct {
	site  *site.Site
	files []File
	names map[string]string // the address of each name
	err   error
}

// add lists the representations of a resource.
func (l *listing) add(path string, r *site.Resource) {
	if r == nil {
		return
	}
	changed := l.site.Changed(r)
	for _, rep := range r.Representations {
		if rep.Type == api.HTMLType {
			rep = html.Page(l.site, r)
		}
		l.file(path, name(path, rep.Type, r), rep, changed)
	}
}

func (l *listing) file(address, name string, rep *site.Representation, changed time.Time) {
	other, taken := l.names[name]
	switch {
	case l.err != nil:
	case taken:
		l.err = i18n.Errorf("%s and %s would both be the file %s", other, address, name)
	case !filepath.IsLocal(filepath.FromSlash(name)):
		l.err = i18n.Errorf("%s would be a file outside of the folder: %s", address, name)
	default:
		l.names[name] = address
		l.files = append(l.files, File{name, rep.Type, address, rep, changed})
	}
}

// name returns the name of a file: the address, if its extension states its only representation,
// otherwise with the extension of the representation.
func name(address, mediaType string, r *site.Resource) string {
	ending := extensions[mediaType]
	name := strings.TrimPrefix(address, "/")
	if name == "" {
		name = "index"
	}
	if len(r.Representations) == 1 && slices.Contains(uniqueExtensions, path.Ext(name)) {
		return name
	}
	return name + ending
}

// uniqueExtensions are the extensions of addresses that state the only representation.
var uniqueExtensions = []string{".json", ".md", ".txt", ".yaml"}

func (l *listing) feeds() {
	for _, k := range content.Kinds {
		l.feed(k.Folder)
	}
	l.feed("all")
	l.feed("upcoming")
	for _, item := range l.site.Snapshot.Items {
		l.feed(item.Kind.Folder + "/" + item.Name)
	}
}

func (l *listing) feed(name string) {
	path := name + ".atom"
	if r := l.site.Feed(path); r != nil {
		l.file(api.FeedsPath+path, strings.TrimPrefix(api.FeedsPath, "/")+path, r.Representations[0], l.site.First())
	}
}

// transparency lists the log: its signed head, its tiles, and the proofs of versions.
func (l *listing) transparency() {
	if !l.site.HasLog() {
		return
	}
	l.plain(api.CheckpointPath, l.site.Checkpoint())
	for _, t := range l.site.Tiles() {
		l.plain(api.LogRoot+t.Path(), l.site.Tile(t.Path()))
	}
	for _, item := range l.site.Snapshot.Items {
		for _, e := range item.Entries {
			r, _ := l.site.Proof(e)
			l.plain(item.Kind.ItemPath(item.Name)+"/versions/"+e.Version.String()+api.ProofSuffix, r)
		}
	}
}

// plain lists a resource with one representation under its address.
func (l *listing) plain(path string, r *site.Resource) {
	if r != nil {
		l.file(path, strings.TrimPrefix(path, "/"), r.Representations[0], l.site.First())
	}
}

// Body returns the content of the file.
func (f File) Body() []byte {
	prepared := f.from.Once()
	at := f.changed
	if !prepared.LastModified.IsZero() {
		at = prepared.LastModified
	}
	return prepared.Body.Append(nil, at.UTC().Truncate(time.Second).Format(site.TimeFormat))
}
