package export_test

import (
	"fmt"
	"strings"

	"rulestore/server/export"
)

// The files of a site are named like its addresses.
func ExampleFiles() {
	all, err := export.Files(first())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range all {
		if strings.HasPrefix(f.Name, "api/v1/guidelines/product.common.001.") {
			fmt.Println(f.Address, f.Type, f.Name)
		}
	}
	// Output:
	// /api/v1/guidelines/product.common.001 application/json api/v1/guidelines/product.common.001.json
	// /api/v1/guidelines/product.common.001 text/markdown api/v1/guidelines/product.common.001.md
	// /api/v1/guidelines/product.common.001 text/html api/v1/guidelines/product.common.001.html
}
