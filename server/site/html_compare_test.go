package site

import (
	"testing"

	"rulestore/content/change"
)

func TestLookAt(t *testing.T) {
	got := lookAt(change.Looks{{Doubt: change.Numbers, Came: []string{"15"}},
		{Doubt: change.Numbers, Lost: []string{"3"}}, {Doubt: change.Numbers, Lost: []string{"3"},
			Came: []string{"15"}}, {Doubt: change.Rewritten}})
	if want := "Числа отличаются; появилось: 15. Числа отличаются; исчезло: 3. Числа отличаются: 3 → 15. Другие " +
		"почти все слова: требуется ли по-прежнему то же самое?"; got != want {
		t.Errorf("got %s", got)
	}
}
