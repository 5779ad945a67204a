package change

import "rulestore/content/i18n"

// Reason is the reason for the class of a change, in English.
type Reason string

// Localize implements [i18n.Localizable].
func (r Reason) Localize() i18n.Text { return i18n.New(string(r)) }

// Localize implements [i18n.Localizable].
func (c Class) Localize() i18n.Text { return classNames[c] }

// Localize implements [i18n.Localizable].
func (v Verb) Localize() i18n.Text { return i18n.New(string(v)) }

// Localize implements [i18n.Localizable].
func (d Doubt) Localize() i18n.Text { return i18n.New(string(d)) }

// Localize implements [i18n.Localizable].
func (l Look) Localize() i18n.Text {
	if len(l.Lost)+len(l.Came) == 0 {
		return l.Doubt.Localize()
	}
	return i18n.New("%s: %s", l.Doubt, l.Words())
}

// Russian is the Russian catalogue of this package.
var Russian = i18n.Catalogue{Texts: [][2]string{
	{"none", "без изменений"},
	{"wording", "формулировка"},
	{"addition", "дополнение"},
	{"breaking", "ломающее изменение"},

	{"added", "добавлено"},
	{"removed", "убрано"},
	{"changed", "изменено"},
	{"moved", "другой порядок"},

	{"another text stands in its place", "на его месте другой текст"},
	{
		"deadlines that were counted with the days before are others now",
		"сроки, посчитанные по прежним дням, теперь другие",
	},
	{"it helped to find content and said nothing itself", "помогало найти содержание, само ничего не утверждало"},
	{"it is found elsewhere", "то же самое находится по другому адресу"},
	{"it is what the content rests on, not what it says", "это основание содержания, а не само содержание"},
	{"it narrows what was there", "сужает то, что было"},
	{"it says when this version begins to apply", "говорит, с какого дня действует версия"},
	{
		"it is too much to be compared in detail: as a whole, it is another",
		"слишком много, чтобы сравнить подробно: в целом значение другое",
	},
	{"it weighs less than before", "весит меньше, чем прежде"},
	{"it weighs more than before", "весит больше, чем прежде"},
	{"more differs from here on than can be listed", "дальше отличается больше, чем можно перечислить"},
	{"more is allowed or less is demanded than before", "разрешено больше или требуется меньше, чем прежде"},
	{"more is demanded or less is allowed than before", "требуется больше или разрешено меньше, чем прежде"},
	{"nothing that was there is affected", "того, что было, не касается"},
	{"the format has new fields", "в формате появились поля"},
	{"the format is another: fields may mean something else", "формат другой: поля могут значить иное"},
	{"the number follows from the order of the steps", "номер следует из порядка шагов"},
	{"the order says nothing", "порядок ничего не значит"},
	{"the order says what comes first", "порядок говорит, что важнее"},
	{"the text reads differently", "текст читается иначе"},
	{"what it excluded or demanded is open now", "того, что исключалось или требовалось, больше нет"},
	{"who relied on it does not find it any more", "кто на это полагался, больше этого не найдёт"},
	{
		"whoever relied on the value before relies on what is gone",
		"кто полагался на прежнее значение, полагается на то, чего нет",
	},
	{"without the field it is false as well", "без поля значение тоже «нет»"},

	{"the numbers differ", "числа отличаются"},
	{"a date, a term or a unit differs", "отличается дата, срок или единица"},
	{
		"it is too long to be looked through: does it still demand the same?",
		"слишком длинно, чтобы просмотреть: требуется ли по-прежнему то же самое?",
	},
	{
		"a rule reads differently: does it still demand the same?",
		"правило читается иначе: требуется ли по-прежнему то же самое?",
	},

	{"%q is no class of a change", "%q — не вид изменения"},
	{"%q is no step of a version: write major, minor or patch", "%q — не шаг версии: напишите major, minor или patch"},
	{
		"%s: there is nothing to publish: its file says what is published",
		"%s: публиковать нечего, в файле то же, что опубликовано",
	},
	{"version %s is not higher than %s, which is published", "версия %s не выше опубликованной %s"},
	{
		"version %s is too small a step: the change is %s, it needs at least %s",
		"версия %s — слишком малый шаг: %s, нужна не ниже %s",
	},
	{
		"version %s is sealed and its content is lost: the number is spent",
		"у версии %s есть печать, а содержание утрачено: номер потрачен",
	},
	{"the first publication", "первая публикация"},
}}
