package verify

import (
	"context"
	"encoding/json"
	"net/http"

	"rulestore/content"
	"rulestore/content/i18n"
)

// learn reads what the server states about itself: whether it has drafts, is an export, and which
// version of the program runs.
func (v *verifier) learn(ctx context.Context) error {
	var manifest struct {
		Version string `json:"service_version"`
	}
	var health struct{ Drafts bool }
	v.document(ctx, "/", &manifest)
	v.files = !v.document(ctx, "/api/v1/health", &health)
	if health.Drafts {
		return i18n.Errorf(
			"it shows drafts, by --drafts, which are as nobody has published them: there is nothing to check it against",
		)
	}
	v.same = manifest.Version == v.Version && v.Markdown != nil
	if manifest.Version != v.Version && v.Version != "" {
		v.result.Notes = append(v.result.Notes, i18n.New(
			"it runs version %s, and this is %s: its Markdown was not held against its JSON",
			content.Printable(clip(manifest.Version)), v.Version,
		))
	}
	if v.files {
		v.result.Notes = append(
			v.result.Notes, i18n.New("it has files and no service: states of the past were not checked"),
		)
	}
	return nil
}

// document reads a document, and reports whether there is one.
func (v *verifier) document(ctx context.Context, path string, into any) bool {
	a, err := v.client.once(ctx, request{path: path, accept: jsonType}, maxBody) // 503 if it is not healthy
	if err == nil && a.status != http.StatusOK && a.status != http.StatusServiceUnavailable {
		return false
	}
	if err == nil {
		err = json.Unmarshal(a.body, into)
	}
	if err != nil {
		v.differ(path, i18n.New("cannot be read"), "", err)
	}
	return true
}
