package page

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"path"
	"strings"
	"sync"
)

//go:embed assets/*
var files embed.FS

// Asset is a file that pages link to.
type Asset struct {
	Path string // with the hash of its content, below the frame's root
	Type string
	Body []byte
}

var assetTypes = map[string]string{".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

// Assets lists the files that pages link to. The content at such a path never changes.
var Assets = sync.OnceValue(func() (all []Asset) {
	entries, err := files.ReadDir("assets")
	if err != nil {
		panic(err) // cannot fail, as they are embedded
	}
	for _, e := range entries {
		body, err := files.ReadFile("assets/" + e.Name())
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(body)
		ext := path.Ext(e.Name())
		name := strings.TrimSuffix(e.Name(), ext) + "." + hex.EncodeToString(sum[:6]) + ext
		all = append(all, Asset{Path: "/assets/" + name, Type: assetTypes[ext], Body: body})
	}
	return all
})

// AssetPath returns the path of the file with that name.
func AssetPath(name string) string {
	stem, ext, _ := strings.Cut(name, ".")
	for _, a := range Assets() {
		if strings.HasPrefix(a.Path, "/assets/"+stem+".") && strings.HasSuffix(a.Path, "."+ext) {
			return a.Path
		}
	}
	panic("page: there is no asset " + name)
}
