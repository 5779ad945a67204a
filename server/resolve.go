package server

import (
	"net/http"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// itemBelow returns the item that the path of a request names by folder and name below a prefix, nil
// if there is none.
func (q *query) itemBelow(prefix string) *content.Item {
	return q.site.Snapshot.ItemByID(strings.TrimPrefix(q.path, prefix))
}

// compare returns the comparison of two versions of an item; those that are compared without
// parameters are [site.DefaultComparison] and [site.ComparedWith].
func compare(q *query) (*site.Resource, error) {
	item := q.itemBelow(api.ComparePath)
	if item == nil {
		return nil, nil
	}
	v := site.AskedComparison(item, q, func(name string, standard *content.Entry) *content.Entry {
		if e := item.Version(q.Text(name)); e != nil { // also a redacted one, which is not suggested
			return e
		}
		q.checkValue(name, site.Numbers(site.ReadableVersions(item)))
		return standard
	})
	if err := q.err(); err != nil {
		return nil, err
	}
	if v.AsOf+v.InForce != "" {
		if v.From = q.site.OnDay(item, v.AsOf, v.InForce); v.From == nil {
			return nil, nothingOnProblem(q.site, item, v)
		}
	}
	return q.sectioned(q.site.Compare(item, v))
}

// nothingOnProblem says that there was nothing on a day to compare with.
func nothingOnProblem(s *site.Site, item *content.Item, v site.Comparison) problem {
	if v.InForce == "" {
		return notCurrentProblem(s, item, v.AsOf)
	}
	return problem{
		Status: http.StatusNotFound, Code: "not_in_force_then",
		Detail: s.NothingOn(item, item.ID(), v.AsOf, v.InForce) + " Все версии: " +
			s.URL(item.Kind.ItemPath(item.Name)+"/versions"),
		pageDetail: s.NothingOn(item, quotedTitle(s, item), v.AsOf, v.InForce), item: item.ID(),
	}
}

// feed returns a feed of publications.
func feed(q *query) (*site.Resource, error) {
	res := q.site.Feed(strings.TrimPrefix(q.path, api.FeedsPath))
	if res == nil {
		return nil, nil
	}
	return res, q.err()
}

// logPart returns the checkpoint of the log, or a tile.
func logPart(q *query) (*site.Resource, error) {
	if q.path == api.CheckpointPath {
		return q.found(q.site.Checkpoint(), "no_checkpoint", q.site.NoCheckpoint())
	}
	return q.found(
		q.site.Tile(strings.TrimPrefix(q.path, api.LogRoot)), "tile_not_found", q.site.NoTile(),
	)
}

// found returns a resource without parameters, or the problem that there is none.
func (q *query) found(res *site.Resource, code, detail string) (*site.Resource, error) {
	if err := q.err(); err != nil || res != nil {
		return res, err
	}
	return nil, notFoundProblem(code, detail)
}

// proof returns the proof that a version is in the log.
func proof(q *query) (*site.Resource, error) {
	e := q.site.Proven(q.path)
	if e == nil {
		return nil, missingProblem(q.site, strings.TrimSuffix(q.escaped, api.ProofSuffix))
	}
	res, why := q.site.Proof(e)
	return q.found(res, "no_proof", why)
}

// checksum returns the publication of a checksum.
func checksum(q *query) (*site.Resource, error) {
	sum := strings.TrimPrefix(q.path, api.ChecksumsPath+"/")
	detail := "Этому серверу такая сумма неизвестна. Это не значит, что под ней ничего не публиковали: сервер может " +
		"отставать."
	if !content.ValidChecksum(sum) {
		detail = "Это не контрольная сумма: она состоит из sha256: и 64 шестнадцатеричных цифр, строчными буквами."
	}
	return q.found(q.site.Checksum(sum), "checksum_unknown", detail)
}
