package content

import "time"

// Settings is what rulestore.yaml says about the product as a whole.
type Settings struct {
	Service          string   `json:"service"`
	Title            string   `json:"title"`
	Description      string   `json:"description"`
	Audience         string   `json:"audience"`
	DefaultLanguage  string   `json:"default_language"`
	TimeZone         string   `json:"time_zone"` // in which days begin, of the IANA database; empty: UTC
	CanonicalBaseURL string   `json:"canonical_base_url"`
	Disclaimer       string   `json:"disclaimer"`
	Demo             bool     `json:"demo"`
	Scenarios        []string `json:"scenarios"`
}

// Zone returns the time zone in which days begin, UTC if none is named or the name is of
// none.
func (s Settings) Zone() *time.Location {
	zone, err := time.LoadLocation(s.TimeZone)
	if err != nil || s.TimeZone == "Local" {
		return time.UTC
	}
	return zone
}

// The files in the root of a content repository.
const (
	SettingsFile   = "rulestore.yaml"
	LifecycleFile  = "lifecycle.yaml"
	SealsFile      = "rulestore.sum"
	CheckpointFile = "rulestore.checkpoint" // the signed head of the log
)

// Unsettled are the settings of a repository of which no version counts: what the service
// says of itself then.
func Unsettled() Settings {
	return Settings{
		Service: "rulestore", Title: "rulestore", DefaultLanguage: "ru", Audience: "ИИ-ассистенты и люди",
		Description: "Версионируемое хранилище правил. Его собственное описание никто не подписал, поэтому оно не показано.",
		Disclaimer:  "Сведения справочные. Оговорку владельца хранилища никто не подписал, поэтому она не показана.",
	}
}

// Vouched is a version of a file of the root that is in force, with who vouches for it.
type Vouched struct {
	File     string    `json:"file"`
	Commit   string    `json:"commit"` // that made the version
	SignedBy Signature `json:"signed_by"`
}
