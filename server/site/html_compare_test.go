package site

import (
	"testing"

	"rulestore/content/change"
)

func TestLookAt(t *testing.T) {
	got := lookAt(change.Looks{{Doubt: change.Numbers, Came: []string{"15"}}, {Doubt: change.Rewritten}})
	if want := "Числа отличаются: — → 15. Другие почти все слова: требуется ли по-прежнему то же самое?"; got != want {
		t.Errorf("got %s", got)
	}
}
