// Package assets has the files that pages refer to, each under the hash of its content: what is at such
// a path never changes.
package assets

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"path"
	"strings"
	"sync"
)

// Policy is the Content-Security-Policy of pages: nothing inline, nothing from another host.
const Policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

//go:embed files/*
var files embed.FS

// Asset is one of the files.
type Asset struct {
	Path string // with the hash of its content, below the root of the service
	Type string
	Body []byte
}

var types = map[string]string{".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

// All lists the files, by their names.
var All = sync.OnceValue(func() map[string]Asset {
	all := map[string]Asset{}
	entries, err := files.ReadDir("files")
	if err != nil {
		panic(err) // cannot fail, as they are embedded
	}
	for _, e := range entries {
		body, err := files.ReadFile("files/" + e.Name())
		if err != nil {
			panic(err)
		}
		sum, ext := sha256.Sum256(body), path.Ext(e.Name())
		name := strings.TrimSuffix(e.Name(), ext) + "." + hex.EncodeToString(sum[:6]) + ext
		all[e.Name()] = Asset{Path: "/assets/" + name, Type: types[ext], Body: body}
	}
	return all
})

// Path returns the path of the file with a name.
func Path(name string) string { return All()[name].Path }
