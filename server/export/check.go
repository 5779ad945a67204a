package export

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"

	"rulestore/content/i18n"
	"rulestore/server/site"
)

// atOnce is the number of concurrent requests of a check.
const atOnce = 8

// maxAnswer is the maximum number of bytes that are read of a response with an expected size.
func maxAnswer(size int) int64 { return int64(size) + 1<<20 }

// Read fetches what the inventory of an export says before it lists the files.
func Read(ctx context.Context, client *http.Client, url string) (Contents, error) {
	c := &checking{client: client, url: strings.TrimSuffix(url, "/")}
	return c.inventory(ctx, func(Listed) error { return fs.SkipAll })
}

// inventory requests an inventory, and reads it as readInventory does.
func (c *checking) inventory(ctx context.Context, each func(Listed) error) (held Contents, err error) {
	res, err := c.request(ctx, "/"+Inventory, "*/*", "")
	if err != nil {
		return held, err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusOK {
		if held, err = readInventory(res.Body, each); err == nil || ctx.Err() != nil {
			return held, err
		}
	}
	return held, i18n.Errorf(
		"there is no export: /%s answers with status %d, and lists nothing", Inventory, res.StatusCode,
	)
}

// CheckResult is the result of a check.
type CheckResult struct {
	Files int
	// Differs are the differences from what was published, in order.
	Differs []i18n.Text
	// Warnings are about headers and codings, each kind once: the content is right without them.
	Warnings []i18n.Text
}

// Check requests from a web server every file of an export of the site, without coding and in
// each coding, and compares its inventory. An error means that the server could not be reached, or
// serves no export.
func Check(ctx context.Context, client *http.Client, url string, s *site.Site) (CheckResult, error) {
	all, err := Files(s)
	if err != nil {
		return CheckResult{}, err
	}
	c := &checking{
		client: client, url: strings.TrimSuffix(url, "/"), sentHeaders: map[string]bool{},
		affected: map[warningKind]*affectedFiles{},
	}
	if err := c.contents(ctx, s, all); err != nil {
		return CheckResult{}, err
	}
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(atOnce)
	for _, f := range all {
		work.Go(func() error { return c.file(ctx, f) })
	}
	err = work.Wait()
	slices.SortFunc(c.differences, func(a, b i18n.Text) int { return strings.Compare(a.String(), b.String()) })
	return CheckResult{len(all), c.differences, c.warnings()}, err
}

type checking struct {
	client      *http.Client
	url         string
	mu          sync.Mutex
	differences []i18n.Text
	sentHeaders map[string]bool // the headers that some response had
	affected    map[warningKind]*affectedFiles
}

func (c *checking) note(differs i18n.Text) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.differences = append(c.differences, differs)
}

// maxExtra is the number of entries of an inventory beyond that of the expected files that are read.
const maxExtra = 1000

// contents compares the inventory with the expected files.
func (c *checking) contents(ctx context.Context, s *site.Site, all []File) error {
	expected := make(map[string]bool, len(all))
	for _, f := range all {
		expected[f.Name] = true
	}
	listed := 0
	held, err := c.inventory(ctx, func(l Listed) error {
		if listed++; listed > len(all)+maxExtra {
			return fs.SkipAll
		}
		if !expected[l.Name] {
			c.note(i18n.New("%s: it is too much", l.Name))
		}
		return nil
	})
	if err != nil {
		return err
	}
	c.compare(held, contents(s))
	return nil
}

// compare notes of what an export is, if it is not the expected one.
func (c *checking) compare(held, want Contents) {
	if held.Snapshot == want.Snapshot {
		return
	}
	otherAddress := held.BaseURL != want.BaseURL
	otherState := held.Commit != want.Commit || held.Date != want.Date
	if otherAddress {
		c.note(i18n.New("/%s: its addresses begin with %s, and not with %s", Inventory, held.BaseURL, want.BaseURL))
	}
	if otherState {
		c.note(i18n.New(
			"/%s: it is the export of commit %s, of %s, and not that of %s, of %s", Inventory, held.Commit, held.Date,
			want.Commit, want.Date,
		))
	}
	if !otherAddress && !otherState {
		c.note(i18n.New(
			"/%s: it is the export of snapshot %s, and not that of %s", Inventory, held.Snapshot, want.Snapshot,
		))
	}
}

// file requests one file, in each coding.
func (c *checking) file(ctx context.Context, f File) error {
	made := filled{f, f.from.Once()}
	want := made.append(nil)
	asType, _, _ := mime.ParseMediaType(f.Type)
	for _, coding := range []string{"", "gzip", "br", "zstd"} {
		status, header, body, err := c.get(ctx, f.Address, f.Type, coding, maxAnswer(len(want)))
		if err != nil {
			return err
		}
		mediaType, _, _ := mime.ParseMediaType(header.Get("Content-Type"))
		switch {
		case status != http.StatusOK:
			c.note(i18n.New("%s: status %d", f.Address, status))
			return nil
		case !bytes.Equal(body, want):
			c.note(i18n.New("%s as %s: it is not what was published", f.Address, f.Type))
			return nil
		case mediaType != asType && !untyped(f):
			c.note(i18n.New("%s: it is said to be %q, and is %s", f.Address, mediaType, f.Type))
			return nil
		case coding == "":
			c.headers(made, header)
		case header.Get("Content-Encoding") == "" && compressible(f.Type, len(want)):
			c.warn(warningKind{coding: coding}, affectedFiles{address: f.Address})
		}
	}
	return nil
}

// untyped reports whether a web server cannot know the type of a file by its name.
func untyped(f File) bool { return f.Type == "application/octet-stream" }

// get makes one request, and decodes the response.
func (c *checking) get(
	ctx context.Context, address, accept, coding string, limit int64,
) (int, http.Header, []byte, error) {
	res, err := c.request(ctx, address, accept, coding)
	if err != nil {
		return 0, nil, nil, err
	}
	defer res.Body.Close()
	var body []byte
	plain, err := decoded(res, coding)
	if err == nil {
		body, err = io.ReadAll(io.LimitReader(plain, limit))
	}
	if err != nil {
		body = nil // it differs from what was published
	}
	return res.StatusCode, res.Header, body, nil
}

func (c *checking) request(ctx context.Context, address, accept, coding string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", accept)
	req.Header.Set("Accept-Encoding", coding)
	return c.client.Do(req)
}

// decoded decodes a response, which has no coding or the requested one.
func decoded(res *http.Response, asked string) (io.Reader, error) {
	coding := res.Header.Get("Content-Encoding")
	switch {
	case coding == "":
		return res.Body, nil
	case coding != asked:
		return nil, i18n.Errorf("the coding %q was not asked for", coding)
	case coding == "br":
		return brotli.NewReader(res.Body), nil
	case coding == "gzip":
		return gzip.NewReader(res.Body)
	}
	r, err := zstd.NewReader(res.Body, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
	if err != nil {
		return nil, err
	}
	return r.IOReadCloser(), nil
}
