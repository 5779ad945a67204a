package site

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"rulestore/content"
	"rulestore/content/log"
	"rulestore/schemas"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/observe"
)

// Config is what a site depends on besides the snapshot.
type Config struct {
	BaseURL string // absolute, without a trailing slash
	Version string // of the program
	Schemas *schemas.Set
	// Requests counts the requests for resources of a site; nil: they are not counted.
	Requests *observe.Requests
	// Math is the registry of calculations, which counts calls; nil: that of the previous site,
	// or a new one.
	Math *calc.Registry
	// Log is the log of the snapshot's repository; nil: there is none. It may differ for each
	// site.
	Log *log.Served
	MCP bool // there is an endpoint, which pages mention
}

// Site is a snapshot with prepared responses.
type Site struct {
	Snapshot *content.Snapshot
	ID       string // identical on all replicas

	name        []string // the ID as the value of the header X-Snapshot
	Config               // without the log
	log         *log.Served
	resources   map[string]*Resource
	items       []*preparedItem // in the snapshot's order
	entries     map[*content.Publication]*preparedVersion
	lists       map[*content.Kind][]*preparedVersion // current versions, without archived ones
	calendar    calendar
	index       func() index       // made on first use, see Warm
	references  func() *references // made on first use, see Warm
	tools       func() []findable  // calculations, on first use
	recent      recent
	nextChange  time.Time                         // without a push; caches may keep the content until then; zero: unknown
	dates       func() dates                      // read on first use
	fraud       func() *fraud                     // read on first use, see Warm
	itemsByName func() map[string][]*content.Item // made on first use
	taxonomy    func() taxonomy                   // read on first use
	titles      func() titles                     // made on first use

	built map[string]*Resource // independent of the snapshot
}

// Build prepares a snapshot. prev is the current site, nil at the start.
func Build(prev *Site, snapshot *content.Snapshot, c Config) *Site {
	switch {
	case c.Math != nil:
	case prev != nil:
		c.Math = prev.Math
	default:
		c.Math = calc.New()
	}
	s := &Site{
		Snapshot:  snapshot,
		ID:        identify(snapshot, c),
		log:       c.Log,
		resources: make(map[string]*Resource, 4*snapshot.Count()),
		entries:   make(map[*content.Publication]*preparedVersion, snapshot.Count()),
		lists:     map[*content.Kind][]*preparedVersion{},
	}
	c.Log = nil
	s.Config, s.name = c, []string{s.ID}
	s.nextChange = snapshot.Begin(snapshot.Turn())
	s.dates = sync.OnceValue(s.readDates)
	if prev != nil && (prev.Config != c || !s.extendsLog(prev)) {
		prev = nil // every URL, title or log index may differ
	}
	s.titles = onceValue(s.readTitles)
	s.addItems(prev)
	for _, k := range content.Kinds {
		if k.List {
			s.addList(k)
		}
	}
	s.index = onceValue(s.makeIndex)
	s.references = onceValue(s.makeReferences)
	s.fraud, s.itemsByName = onceValue(s.readFraud), sync.OnceValue(s.indexItems)
	s.taxonomy = sync.OnceValue(s.readTaxonomy)
	if prev != nil {
		s.tools = prev.tools
		s.built, s.calendar = prev.built, makeCalendar(prev.calendar, snapshot)
	} else {
		s.tools = sync.OnceValue(c.findableTools)
		s.built, s.calendar = c.builtIn(), makeCalendar(nil, snapshot)
	}
	maps.Copy(s.resources, s.built)
	s.resources[api.ConnectPath] = pageOnly(ShownConnect{})
	s.addDocuments()
	s.route()
	return s
}

// addDocuments adds the resources about all content and about the service.
func (s *Site) addDocuments() {
	s.resources[api.ChangelogPath] = s.Changelog("", 0, api.DefaultLimit)
	s.resources[api.ChecksumsPath] = s.Checksums("")
	if s.log != nil {
		s.resources[api.LogPath] = s.Log()
		s.resources[api.LogPath].Action = api.Closed
	}
	s.resources[api.UpcomingPath] = s.upcoming()
	if s.Offered(content.Registries, "fraud-signals") != nil {
		s.resources[api.FraudBriefPath] = &Resource{Action: api.BriefFraud}
	} else if whole := s.redacted(content.Registries, "fraud-signals"); whole != nil {
		s.resources[api.FraudBriefPath] = whole.only("")
	}
	s.resources[api.SearchPath] = &Resource{Action: api.Search}
	s.resources[api.ManifestPath] = s.manifest()
	s.resources[api.WellKnownPath] = s.wellKnown()
	s.resources[api.APICatalogPath] = s.apiCatalog()
	s.resources[api.LLMsPath] = s.llms()
	s.resources[api.AICatalogPath] = s.aiCatalog()
	s.resources[api.RobotsPath] = s.robots()
	s.resources[api.SitemapPath] = s.sitemap()
}

// identify is the ID of a site: replicas with the same refs, date, base URL and build serve the
// same bytes (design, section 6).
func identify(s *content.Snapshot, c Config) string {
	h := sha256.New()
	fmt.Fprintln(h, s.Commit, s.Refs, s.Date, s.Drafts, c.BaseURL, c.Version)
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// Program returns the build of the program that made the site.
func (s *Site) Program() string { return s.Version }

// Name returns the value of the header X-Snapshot.
func (s *Site) Name() []string { return s.name }

// Lookup returns the resource at a path, nil if there is none, or if the deferred text of a
// version does not match its seal.
func (s *Site) Lookup(path string) *Resource {
	r := s.resources[path]
	if r == nil {
		return s.ofRedacted(path)
	}
	if r.unverified != nil {
		if !r.unverified.Sound() {
			return nil
		}
		made := s.made(s.entries[r.unverified])
		if r.alone != "" {
			return made.only(r.alone)
		}
		return made
	}
	if r.referenced != nil {
		if n := s.references().resources[path]; n != nil {
			return n
		}
	}
	return r
}

// ofRedacted returns what became of a registry, at the path of one of its records; nil at any other path.
func (s *Site) ofRedacted(path string) *Resource {
	i := strings.LastIndexByte(path, '/')
	of := s.resources[path[:max(i, 0)]]
	if of == nil || of.Gone == nil || of.Kind != content.Registries || i == len(path)-1 {
		return nil
	}
	return of.only("")
}

// Paths lists the paths of all resources, sorted.
func (s *Site) Paths() []string { return slices.Sorted(maps.Keys(s.resources)) }

// URL returns the absolute URL of a path.
func (c Config) URL(path string) string { return c.BaseURL + path }

// Root is the path prefix of the service, "" if it has its own host.
func (c Config) Root() string {
	u, err := url.Parse(c.BaseURL)
	if err != nil {
		return ""
	}
	return strings.TrimRight(u.EscapedPath(), "/")
}
