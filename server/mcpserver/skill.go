package mcpserver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
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

// skill is an instruction as a skill of one file (agentskills.io): its Markdown with front
// matter.
type skill struct {
	text []byte
	full []byte // the whole instruction
	wire skillEntry
}

// skillEntry is the entry of a skill in skills/list and skills/get.
type skillEntry struct {
	URI         string       `json:"uri"`
	Frontmatter frontmatter  `json:"frontmatter"`
	Resources   []skillFiles `json:"resources"`
}

type frontmatter struct {
	Name        string        `json:"name"`
	Description string        `json:"description"`
	Metadata    skillMetadata `json:"metadata"`
}

type skillMetadata struct {
	Version  string `json:"version"`
	Checksum string `json:"content_checksum"`
}

type skillFiles struct {
	URI    string `json:"uri"`
	Digest string `json:"digest"`
	Size   int    `json:"size"`
}

func skillBase(name string) string { return "skill://" + name + "/" }

func skillURI(name string) string { return skillBase(name) + skillFile }

const (
	skillFile = "SKILL.md"
	fullFile  = "references/full.md"
	// skillIndex is the URI of the list of skills.
	skillIndex = "skill://index.json"
)

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
	f := frontmatter{e.Name, about, skillMetadata{e.Version.String(), e.Checksum}}
	full := []byte(s.forTools(current.Text(e), current.Discovery(e)))
	text := f.before([]byte(s.promptText(current, e) + "Целиком — файл " + fullFile + ".\n"))
	files := []skillFiles{fileAt(skillURI(e.Name), text), fileAt(skillBase(e.Name)+fullFile, full)}
	return &skill{text: text, full: full, wire: skillEntry{skillURI(e.Name), f, files}}
}

func fileAt(uri string, text []byte) skillFiles {
	sum := sha256.Sum256(text)
	return skillFiles{uri, "sha256:" + hex.EncodeToString(sum[:]), len(text)}
}

// before writes the front matter, YAML with strings in JSON, and the text after it.
func (f frontmatter) before(text []byte) []byte {
	var b bytes.Buffer
	b.WriteString("---\nname: " + f.Name + "\ndescription: ")
	b.Write(content.String(f.Description))
	b.WriteString("\nmetadata:\n  version: ")
	b.Write(content.String(f.Metadata.Version))
	b.WriteString("\n  content_checksum: ")
	b.Write(content.String(f.Metadata.Checksum))
	b.WriteString("\n---\n\n")
	b.Write(text)
	return b.Bytes()
}

// fileOfSkill returns the file at a URI of a skill, nil if there is none.
func (s *Server) fileOfSkill(uri string) (text []byte, mediaType string) {
	if !strings.HasPrefix(uri, "skill://") {
		return nil, ""
	}
	all := s.view().skills
	if uri == skillIndex {
		return indexOfSkills(all, func(name, file string) string { return skillBase(name) + file }), api.JSONType
	}
	for _, k := range all {
		switch uri {
		case k.wire.URI:
			return k.text, api.MarkdownType
		case skillBase(k.wire.Frontmatter.Name) + fullFile:
			return k.full, api.MarkdownType
		}
	}
	return nil, ""
}

// indexOfSkills lists skills with their files as in the well-known index of skills
// (agentskills.io, discovery).
func indexOfSkills(all []*skill, url func(name, file string) string) []byte {
	skills := []any{}
	for _, k := range all {
		f := k.wire.Frontmatter
		skills = append(skills, api.Object(
			"name", f.Name, "type", "skill-md", "description", f.Description, "url", url(f.Name, skillFile),
			"digest", k.wire.Resources[0].Digest, "files", []string{skillFile, fullFile},
		))
	}
	const schema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
	return api.JSON(api.Object("$schema", schema, "skills", skills))
}

// skillAt returns the skill with the file at a URI, nil if there is none.
func (s *Server) skillAt(uri string) *skill {
	all := s.view().skills
	if i := slices.IndexFunc(all, func(k *skill) bool { return k.wire.URI == uri }); i >= 0 {
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
	r := &listSkillsResult{Cacheable: s.cacheable(contentLife), Skills: []skillEntry{}}
	for _, skill := range s.view().skills {
		r.Skills = append(r.Skills, skill.wire)
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
	return &getSkillResult{Cacheable: s.cacheable(contentLife), Skill: skill.wire}, nil
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
