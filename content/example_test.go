package content_test

import (
	"encoding/json"
	"fmt"

	"rulestore/content"
)

// The checksum of an item is that of what its author wrote: fields that the service adds, and
// the order of fields, make no difference.
func ExampleChecksum() {
	for _, body := range []string{
		`{"guideline_id": "product.cards.001", "guideline_version": "1.0.0", "title": "Карта"}`,
		`{"title": "Карта", "guideline_version": "1.0.0", "guideline_id": "product.cards.001", "status": "current"}`,
	} {
		var item content.Object
		if err := json.Unmarshal([]byte(body), &item); err != nil {
			fmt.Println(err)
			return
		}
		canonical, _ := content.Canonical(item)
		sum, err := content.Checksum(item)
		fmt.Println(string(canonical), sum[:14], err)
	}
	// Output:
	// {"guideline_id":"product.cards.001","guideline_version":"1.0.0","title":"Карта"} sha256:42c0217 <nil>
	// {"guideline_id":"product.cards.001","guideline_version":"1.0.0","title":"Карта"} sha256:42c0217 <nil>
}
