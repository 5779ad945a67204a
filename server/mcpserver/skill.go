package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// skillsExtension is the extension of servers with skills (modelcontextprotocol/ext-skills,
// specification/stable).
const skillsExtension = "io.modelcontextprotocol/skills"

// skill is an instruction as a skill of two files (agentskills.io): its brief as Markdown with front matter, and the
// whole of it.
type skill struct {
	name, about string
	brief, full skillFile
	entry       content.Object // in skills/list and skills/get
}

type skillFile struct {
	uri  string
	text []byte
}

const (
	skillScheme = "skill://"
	briefFile   = "SKILL.md"
	fullFile    = "references/full.md"
	// skillIndex is the URI of the list of skills.
	skillIndex = skillScheme + "index.json"
)

func skillURI(name string) string { return skillScheme + name + "/" + briefFile }

// skillName matches the names of skills; instructions with other names are not skills.
var skillName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// maxSkillAbout is the maximum length of a skill's description, in characters.
const maxSkillAbout = 1024

// skills returns the current instructions as skills.
func (s *Server) skills(current *site.Site) (all []*skill) {
	for _, e := range instructions(current) {
		if skillName.MatchString(e.Name) && len(e.Name) <= 64 {
			all = append(all, s.newSkill(current, e))
		}
	}
	return all
}

func (s *Server) newSkill(current *site.Site, e *content.Entry) *skill {
	about := site.Line(e.Body().Text("title") + ". " + e.Body().Text("summary"))
	for utf8.RuneCountInString(about) > maxSkillAbout {
		about = about[:strings.LastIndexByte(about, ' ')]
	}
	head := api.Object("name", e.Name, "description", about, "metadata", api.Object(
		"version", e.Version.String(), "content_checksum", e.Checksum,
	))
	text := inFront(head) + s.promptText(current, e) + "Целиком — файл " + fullFile + ".\n"
	k := &skill{
		name: e.Name, about: about, brief: skillFile{skillURI(e.Name), []byte(text)},
		full: skillFile{
			skillScheme + e.Name + "/" + fullFile, []byte(s.forTools(current.Text(e), current.Discovery(e))),
		},
	}
	k.entry = api.Object(
		"uri", k.brief.uri, "frontmatter", head, "resources", []any{k.brief.described(), k.full.described()},
	)
	return k
}

func (f skillFile) described() content.Object {
	return api.Object("uri", f.uri, "digest", f.digest(), "size", len(f.text))
}

func (f skillFile) digest() string {
	sum := sha256.Sum256(f.text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// inFront is the front matter of a skill: YAML with strings in JSON, but for its name.
func inFront(head content.Object) string {
	in := func(o content.Object, name string) string { return name + ": " + string(o.Get(name)) + "\n" }
	var about content.Object
	_ = json.Unmarshal(head.Get("metadata"), &about) // of this package
	return "---\nname: " + head.Text("name") + "\n" + in(head, "description") +
		"metadata:\n  " + in(about, "version") + "  " + in(about, "content_checksum") + "---\n\n"
}

// fileOfSkill returns the file at a URI of a skill, nil if there is none.
func (s *Server) fileOfSkill(uri string) (text []byte, mediaType string) {
	all := s.view().skills
	if uri == skillIndex {
		return indexOfSkills(all, skillScheme), api.JSONType
	}
	for _, k := range all {
		for _, f := range []skillFile{k.brief, k.full} {
			if f.uri == uri {
				return f.text, api.MarkdownType
			}
		}
	}
	return nil, ""
}

// indexOfSkills lists skills with their files, which are below a root, as in the well-known index of skills
// (agentskills.io, discovery).
func indexOfSkills(all []*skill, root string) []byte {
	skills := []any{}
	for _, k := range all {
		skills = append(skills, api.Object(
			"name", k.name, "type", "skill-md", "description", k.about, "url", root+k.name+"/"+briefFile,
			"digest", k.brief.digest(), "files", []string{briefFile, fullFile},
		))
	}
	const schema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
	return api.JSON(api.Object("$schema", schema, "skills", skills))
}

// skillAt returns the skill with the file at a URI, nil if there is none.
func (s *Server) skillAt(uri string) *skill {
	all := s.view().skills
	if i := slices.IndexFunc(all, func(k *skill) bool { return k.brief.uri == uri }); i >= 0 {
		return all[i]
	}
	return nil
}

type listSkillsParams struct {
	mcp.ParamsBase
	Cursor string `json:"cursor,omitempty"`
}

type getSkillParams struct {
	mcp.ParamsBase
	URI string `json:"uri"`
}

// listSkills answers skills/list, on one page.
func (s *Server) listSkills() *listSkillsResult {
	r := &listSkillsResult{Cacheable: s.cacheable(contentLife), Skills: []content.Object{}}
	for _, skill := range s.view().skills {
		r.Skills = append(r.Skills, skill.entry)
	}
	return r
}

// getSkill answers skills/get.
func (s *Server) getSkill(p *getSkillParams) (*getSkillResult, error) {
	if p == nil {
		return nil, invalid("missing parameter uri")
	}
	skill := s.skillAt(p.URI)
	if skill == nil {
		return nil, invalid("no skill has the URI %.200q", p.URI)
	}
	return &getSkillResult{Cacheable: s.cacheable(contentLife), Skill: skill.entry}, nil
}

// addSkills registers the methods of the extension.
func (s *Server) addSkills() {
	// the errors are for names of other methods
	_ = mcp.AddReceivingCustomMethod(s.mcp, "skills/list",
		func(context.Context, *mcp.ServerSession, *listSkillsParams) (*listSkillsResult, error) {
			return s.listSkills(), nil
		})
	_ = mcp.AddReceivingCustomMethod(s.mcp, "skills/get",
		func(_ context.Context, _ *mcp.ServerSession, p *getSkillParams) (*getSkillResult, error) {
			return s.getSkill(p)
		})
}
