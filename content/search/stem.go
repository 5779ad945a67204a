package search

import (
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/russian"
)

// stem returns the common part of the forms of a folded Russian word. It need not be a word.
func stem(word string) string {
	s := ending(word)
	if first, ok := familyStem()[s]; ok {
		return first
	}
	return s
}

// ending returns a word without its ending, the same for all of its forms.
func ending(word string) string {
	if s, ok := stubborn()[word]; ok {
		return s
	}
	return fleeting(verbal(WithoutEnding(word)))
}

// verbal removes the endings of verbs that Snowball leaves: «скинуть», «скинут» and «скинул»,
// «молчат» and «молчит».
func verbal(s string) string {
	for _, ending := range []struct{ with, cut string }{
		{"нут", "т"}, {"нул", "л"}, {"жат", "ат"}, {"чат", "ат"}, {"шат", "ат"}, {"щат", "ат"},
	} {
		if strings.HasSuffix(s, ending.with) && len(s) > len("чат") {
			return strings.TrimSuffix(s, ending.cut)
		}
	}
	return s
}

// WithoutEnding returns a Russian word, in lower case and with е in place of ё, without its
// ending: what most of its forms begin with. Other words are returned as they are.
func WithoutEnding(word string) string {
	env := snowballstem.NewEnv(word)
	russian.Stem(env)
	return env.Current()
}

// fleeting removes the vowel that alternates before the last consonant: «ставок» and
// «ставка», «убыток» and «убытка», «владелец» and «владельца».
func fleeting(s string) string {
	const letter = len("к")
	cut := len(s) - 2*letter
	if cut < 2*letter {
		return s
	}
	switch s[cut:] {
	case "ок", "ек", "ьк", "йк":
		return s[:cut] + "к"
	case "ец", "ьц", "йц":
		return s[:cut] + "ц"
	}
	return s
}

// nouns are stems whose last letters Snowball takes for an ending in some cases: кред but
// кредита, кана but каналом, сист but системы. With each of endings they are one word.
const nouns = `
	кредит депозит лимит реквизит визит дефицит профицит транзит аудит защит опыт
	канал материал капитал журнал филиал персонал терминал портал потенциал
	оригинал квартал интервал сигнал скандал начал шкал
	обман экран стран охран орган ресторан ветеран океан карман туман
	пристав состав устав отзыв перерыв разрыв призыв взрыв архив актив пассив
	норматив мотив коллектив кооператив
	режим аноним псевдоним прием объем подъем съем систем проблем
	обмен отмен замен измен подмен перемен домен экзамен омбудсмен бизнесмен феномен
	диплом симптом перелом альбом реклам основ готов отдых случа
	правил детал печат памят прибыл автомобил профил
	запис подпис опис пропис перепис рукопис`

const endings = " а у ом е ы и ов ам ами ах о ой ою й ь ью ей ев я ю ем ям ями ях"

// others are words with irregular forms, and abbreviations. The first of a line is the stem.
const others = `
	деньг денег
	дн день дня дню днем дне дни дней дням днями днях дн
	год лет г гг
	займ заем заема заему заемом заеме
	найм наем
	люд людьми
	дет детьми
	братья брат брата брату братом брате братья братьев братьям братьями братьях
	долго долгий долгая долгое долгие долгого долгой долгому долгую долгим долгих долго
	им имя имени именем имена имен именам именами именах
	врем время времени временем времена времен временам временами временах
	письм писем
	перечн перечень
	уровн уровень
	граждан гражданин гражданина гражданину гражданином гражданине граждан граждане гражданам гражданами гражданах
	рубл руб р
	тысяч тыс тыща тыщи тыщу тыщ
	миллион млн лям ляма лямов ляму лямы
	миллиард млрд
	стат ст`

var stubborn = sync.OnceValue(func() map[string]string {
	stems := map[string]string{}
	for noun := range strings.FieldsSeq(nouns) {
		for ending := range strings.SplitSeq(endings, " ") {
			stems[noun+ending] = noun
		}
	}
	for line := range strings.Lines(strings.TrimSpace(others)) {
		forms := strings.Fields(line)
		for _, form := range forms[1:] {
			stems[form] = forms[0]
		}
	}
	return stems
})
