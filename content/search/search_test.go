package search

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// synonyms are as a glossary has them.
var synonyms = [][]string{
	{"Вклад", "депозит"},
	{"Полная стоимость кредита", "ПСК"},
	{"Финансовый уполномоченный", "финансовый омбудсмен", "омбудсмен"},
	{"Льготный период", "грейс-период", "беспроцентный период"},
	{"Неустойка", "пеня", "штраф"},
	{"Рефинансирование", "перекредитование"},
	{"дипфейк", "AI_GENERATED_KNOWN_PERSON_VOICE"},
	{"СМС", "SMS", "текстовое сообщение"},
}

func documents(t testing.TB) []Document {
	t.Helper()
	raw, err := os.ReadFile("testdata/documents.json")
	if err != nil {
		t.Fatal(err)
	}
	var read []struct {
		Document
		Text []string
	}
	if err := json.Unmarshal(raw, &read); err != nil {
		t.Fatal(err)
	}
	var all []Document
	for _, d := range read {
		d.Document.Text = passages(d.Text...)
		all = append(all, d.Document)
	}
	return all
}

// passages are texts that are in no section.
func passages(texts ...string) (all []Passage) {
	for _, text := range texts {
		all = append(all, Passage{Text: text})
	}
	return all
}

func testIndex(t testing.TB) *Index {
	t.Helper()
	var entries []*AnalysedDocument
	for _, d := range documents(t) {
		entries = append(entries, Analyse(d))
	}
	return New(entries, synonyms)
}

func ids(r Result) []string {
	var ids []string
	for _, h := range r.Hits {
		ids = append(ids, h.Entry.doc.ID)
	}
	return ids
}

func TestFirstHit(t *testing.T) {
	const (
		deepfake   = "fraud.ai-deepfake-impersonation.001"
		intercom   = "fraud.intercom-code-government-portal.001"
		safe       = "fraud.safe-account.001"
		malware    = "fraud.malicious-application.001"
		incoming   = "fraud.unexpected-incoming-transfer.001"
		deposit    = "product.deposit.analysis.001"
		mortgage   = "product.mortgage.analysis.001"
		card       = "product.credit-card.analysis.001"
		kasko      = "product.kasko.analysis.001"
		loan       = "product.consumer-loan.analysis.001"
		ombudsman  = "consumer-rights.ombudsman-eligibility.001"
		contact    = "consumer-rights.primary-contact.001"
		enforce    = "consumer-rights.enforcement.001"
		investment = "investment.stop-filters.001"
	)
	tests := []struct{ query, want string }{
		// Forms of words.
		{"подделку голоса", deepfake},
		{"поддельными голосами", deepfake},
		{"независимые каналы", deepfake},
		{"домофону", intercom},
		{"безопасные счета", safe},
		{"накопительным счетам", deposit},
		{"досрочное закрытие вкладов", deposit},
		{"процентных ставок ипотеки", mortgage},
		{"ипотечными каникулами", mortgage},
		{"минимальных платежей", card},
		{"лимиты кредитных карт", card},
		{"угон автомобилей", kasko},
		{"потребительские кредиты", loan},
		{"кредит", "total_cost_of_credit"},
		{"письменная претензия", contact},
		{"судебный пристав", enforce},
		{"облигация", investment},
		{"финансовые пирамиды", investment},
		{"денег мошенникам", "fraud-response"},

		// ё and е, case.
		{"учетная запись", intercom},
		{"удалённого доступа", "REMOTE_ACCESS_REQUESTED"},
		{"удаленный доступ", "REMOTE_ACCESS_REQUESTED"},
		{"защищенный счет", safe},
		{"заемщик", "total_cost_of_credit"},
		{"каско", kasko},
		{"КАСКО ФРАНШИЗА", kasko},
		{"оСаГо", "consumer-rights.ombudsman-amount-limit"},
		{"бо\u0301льшую сумму", "capitalization"},
		{"большая сумма", "capitalization"},
		{"капи\u00adта\u00adлизация", "capitalization"},
		{"льготныи\u0306 период", "grace_period"},

		// Codes.
		{"APK_INST", "APK_INSTALLATION_REQUESTED"},
		{"apk_installation_requested", "APK_INSTALLATION_REQUESTED"},
		{"product.dep", deposit},
		{"product.deposit.analysis.001", deposit},
		{"PRODUCT.MORTGAGE", mortgage},
		{"deepfake", deepfake},
		{"ai-deepfake", deepfake},
		{"deepfake_impers", deepfake},
		{"no_action", enforce},
		{"ombudsman-amount", "consumer-rights.ombudsman-amount-limit"},
		{"remote access", "REMOTE_ACCESS_REQUESTED"},
		{"loan_payment", "math-module"},
		{"stop_guar", investment},
		{"STOP_MANUAL_REFUND", incoming},

		// Latin words among Russian ones.
		{"whatsapp", malware},
		{"файл в telegram", malware},
		{"Telegram-канал", malware},
		{"wi-fi", malware},
		{"rustdesk экран", malware},
		{"CVV", "assistant"},
		{"ПИН-код", contact},

		// Synonyms.
		{"ставка по депозиту", deposit},
		{"досрочное закрытие депозита", deposit},
		{"депозиты", "deposit"},
		{"ПСК", "total_cost_of_credit"},
		{"ПСК по ипотеке", mortgage},
		{"омбудсмен решение", enforce},
		{"предел суммы требования к финансовому омбудсмену", "consumer-rights.ombudsman-amount-limit"},
		{"беспроцентный период по кредитной карте", card},
		{"пропустить платёж штраф", card},
		{"sms домофон", intercom},
		{"дипфейк руководителя", deepfake},

		// Numbers.
		{"1.4 млн", "deposit.insurance-limit"},
		{"1,4 миллиона", "deposit.insurance-limit"},
		{"1 400 000", "deposit.insurance-limit"},
		{"1400000", "deposit.insurance-limit"},
		{"1\u00a0400\u00a0000 руб. кредит", "math-module"},
		{"15 дней", "consumer-rights.response-deadline"},
		{"120 дней", card},
		{"30 дней охлаждения", loan},
		{"5 лет", "math-module"},
		{"123-ФЗ", ombudsman},
		{"№123ФЗ", ombudsman},
		{"ст. 19", ombudsman},
		{"23.12.2003", "deposit.insurance-limit"},
		{"0,01%", deposit},
		{"130 %", loan},

		// Stop words, punctuation.
		{"что делать, если на карту пришёл перевод от незнакомого человека?", incoming},
		{"как вернуть чужие деньги", incoming},
		{"«безопасный счёт»", safe},
		{"\"полная стоимость кредита\"", "total_cost_of_credit"},
		{"неустойка!!!", "penalty"},
		{"(полиция) + заявление", "fraud-response"},
		{"как и что", loan},
	}
	x := testIndex(t)
	for i, tt := range tests {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			r := x.Search(Query{Text: tt.query})
			if r.Total == 0 {
				t.Errorf("%q finds nothing, want %s", tt.query, tt.want)
			} else if got := r.Hits[0].Entry.doc.ID; got != tt.want {
				t.Errorf("%q finds %s, want %s of %v", tt.query, got, tt.want, ids(r))
			}
		})
	}
}

// What has all words comes first, then what has a good share of them; a word that
// nothing has hides nothing.
func TestClasses(t *testing.T) {
	const intercom, mortgage = "fraud.intercom-code-government-portal.001", "product.mortgage.analysis.001"
	x := testIndex(t)
	for _, tt := range []struct {
		query string
		class Coverage
		first []string
		words []string // of the first
	}{
		{"домофон", AllWords, []string{intercom}, []string{"домофон"}},
		{"домофон Госуслуги", AllWords, []string{intercom}, []string{"домофон", "Госуслуги"}},
		{"домофон ипотека", SomeWords, []string{mortgage, intercom}, []string{"ипотека"}},
		{"ипотека домофон", SomeWords, []string{mortgage, intercom}, []string{"ипотека"}},
		{"домофон абракадабра", SomeWords, []string{intercom}, []string{"домофон"}},
		{"омбудсмен абракадабра", SomeWords, []string{"financial_ombudsman"}, []string{"омбудсмен"}},
		{"product.deposit.analysis.002", SomeWords, []string{"product.deposit.analysis.001"},
			[]string{"product", "deposit", "analysis"}},
		{"140", 0, nil, nil}, // numbers match whole
		{"«»", 0, nil, nil},
		{"*", 0, nil, nil},
		{"\xff\xfe", 0, nil, nil},
		{"дамофон", Similar, []string{intercom}, []string{"дамофон"}},
		{"домофно", Similar, []string{intercom}, []string{"домофно"}},
		{"domofon", AllWords, []string{intercom}, []string{"domofon"}}, // the same word in other letters
		{"ljvjajy", Similar, []string{intercom}, []string{"ljvjajy"}},
		{"домоф", Similar, []string{intercom}, []string{"домоф"}},
		{"КОД ИЗ ДОМАФОНА", Similar, []string{intercom}, []string{"КОД", "ДОМАФОНА"}},
	} {
		t.Run(tt.query, func(t *testing.T) {
			r := x.Search(Query{Text: tt.query})
			if got := ids(r); len(got) < len(tt.first) || !slices.Equal(got[:len(tt.first)], tt.first) ||
				tt.first == nil && got != nil {
				t.Fatalf("finds %v, want %v", got, tt.first)
			}
			if tt.first != nil && (r.Hits[0].Class != tt.class || !slices.Equal(r.Hits[0].Words, tt.words)) {
				t.Errorf("%v %q, want %v %q", r.Hits[0].Class, r.Hits[0].Words, tt.class, tt.words)
			}
		})
	}
}

func TestFilters(t *testing.T) {
	x := testIndex(t)
	for i, tt := range []struct {
		query Query
		want  []string
	}{
		{Query{ProductType: "kasko"}, []string{"product.kasko.analysis.001", "deductible"}},
		{Query{ProductType: "kask"}, nil},
		{Query{ProductType: "KASKO"}, nil},
		{Query{Signal: "APK_INSTALLATION_REQUESTED"}, []string{"fraud.malicious-application.001",
			"APK_INSTALLATION_REQUESTED"}},
		{Query{Signal: "APK_INSTALLATION_REQUESTED", Text: "wi-fi"}, []string{"fraud.malicious-application.001"}},
		{Query{Signal: "APK_INSTALLATION_REQUESTED", Scenario: "product_analysis"}, nil},
		{Query{Text: "ставка", ProductType: "mortgage"}, []string{"product.mortgage.analysis.001", "refinancing"}},
		{Query{Scenario: "investment_advice"}, []string{"investment.stop-filters.001"}},
		{Query{Scenario: "consumer_rights", Text: " \t\n"}, []string{
			"consumer-rights.enforcement.001",
			"consumer-rights.ombudsman-eligibility.001",
			"consumer-rights.primary-contact.001",
			"financial_ombudsman",
			"consumer-rights.ombudsman-amount-limit",
			"consumer-rights.response-deadline",
		}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := ids(x.Search(tt.query)); !slices.Equal(got, tt.want) {
				t.Errorf("%+v finds %v, want %v", tt.query, got, tt.want)
			}
		})
	}
}

// goesUp reports whether b, which stands after a, is the better one.
func goesUp(a, b found) bool {
	if (a.class == AllWords) != (b.class == AllWords) {
		return b.class == AllWords
	}
	return rounded(b.score) > rounded(a.score)
}

func TestPages(t *testing.T) {
	x := testIndex(t)
	for _, text := range []string{"", "банк"} {
		all := x.Search(Query{Text: text, Limit: 500})
		if all.Total != len(all.Hits) || all.Total < 8 {
			t.Fatalf("%q: total %d, %d hits", text, all.Total, len(all.Hits))
		}
		var got []Hit
		for offset := 0; offset <= all.Total; offset += 3 {
			page := x.Search(Query{Text: text, Limit: 3, Offset: offset})
			if page.Total != all.Total || len(page.Hits) > 3 {
				t.Errorf("%q from %d: total %d, %d hits", text, offset, page.Total, len(page.Hits))
			}
			got = append(got, page.Hits...)
		}
		if !reflect.DeepEqual(got, all.Hits) {
			t.Errorf("%q: the pages are not the whole", text)
		}
	}
	r := x.Search(Query{Limit: -1, Offset: -1})
	if len(r.Hits) != r.Total || r.Total != len(documents(t)) {
		t.Errorf("%d hits of %d, want all", len(r.Hits), r.Total)
	}
}

// The order of entries matters for the kinds only, and sharing entries and
// searching at the same time for nothing.
func TestDeterminism(t *testing.T) {
	var entries []*AnalysedDocument
	for _, d := range documents(t) {
		entries = append(entries, Analyse(d))
	}
	reversed := slices.Clone(entries)
	slices.Reverse(reversed)
	slices.SortStableFunc(reversed, func(a, b *AnalysedDocument) int {
		kinds := []string{"guideline", "instruction", "term", "signal", "parameter"}
		return slices.Index(kinds, a.doc.Kind) - slices.Index(kinds, b.doc.Kind)
	})
	one, other := New(entries, synonyms), New(reversed, synonyms)
	var wg sync.WaitGroup
	for range 4 {
		for _, text := range []string{"", "банк", "вклад", "омбудсмен", "product", "и", "1"} {
			wg.Go(func() {
				q := Query{Text: text, Limit: 100}
				if a, b := one.Search(q), other.Search(q); a.Total == 0 || !reflect.DeepEqual(a, b) {
					t.Errorf("%q: %v and %v", text, ids(a), ids(b))
				}
			})
		}
	}
	wg.Wait()
}

func TestEntriesAreShared(t *testing.T) {
	entry := Analyse(Document{Kind: "term", ID: "a", Title: "Вклад"})
	before := *entry
	for _, others := range []int{0, 1, 5} {
		entries := []*AnalysedDocument{entry}
		for i := range others {
			entries = append(entries, Analyse(Document{Kind: "term", ID: strings.Repeat("b", i+1), Title: "Кредит"}))
		}
		r := New(entries, nil).Search(Query{Text: "вклады"})
		if r.Total != 1 || r.Hits[0].Entry != entry {
			t.Errorf("with %d others: %v", others, ids(r))
		}
	}
	if !reflect.DeepEqual(*entry, before) {
		t.Error("the entry was changed")
	}
}

func TestDocumentIsCopied(t *testing.T) {
	d := Document{
		Kind: "k", ID: "a", Text: passages("вклад"), Codes: []string{"A"}, ProductTypes: []string{"p"},
		Signals: []string{"S"},
	}
	x := New([]*AnalysedDocument{Analyse(d)}, nil)
	d.Text[0].Text, d.Codes[0], d.ProductTypes[0], d.Signals[0] = "", "", "", ""
	r := x.Search(Query{Text: "вклад", ProductType: "p", Signal: "S"})
	if r.Total != 1 || plain(r.Hits[0].Snippet) != "вклад" {
		t.Errorf("%+v", r)
	}
}

func TestEmptyIndex(t *testing.T) {
	for _, x := range []*Index{New(nil, synonyms), New([]*AnalysedDocument{Analyse(Document{})}, nil)} {
		if r := x.Search(Query{Text: "вклад"}); r.Total != 0 || len(r.Hits) != 0 {
			t.Errorf("%+v", r)
		}
	}
	if r := New([]*AnalysedDocument{Analyse(Document{})}, nil).Search(Query{}); r.Total != 1 ||
		r.Hits[0].Snippet.Segments != nil {
		t.Errorf("%+v", r)
	}
}

// ranked searches documents of which each is a title and a text.
func ranked(query string, names [][]string, docs ...[2]string) []string {
	var entries []*AnalysedDocument
	for i, d := range docs {
		entries = append(entries, Analyse(Document{ID: string(rune('a' + i)), Title: d[0], Text: passages(d[1])}))
	}
	return ids(New(entries, names).Search(Query{Text: query}))
}

// hasAll reports whether a document has all words of a query.
func hasAll(query string, names [][]string, doc [2]string) bool {
	e := Analyse(Document{Title: doc[0], Text: passages(doc[1])})
	hits := New([]*AnalysedDocument{e}, names).Search(Query{Text: query}).Hits
	return len(hits) > 0 && hits[0].Class == AllWords
}

func TestOrder(t *testing.T) {
	filler := strings.Repeat(" прочее слово", 30)
	for _, tt := range []struct {
		name, query string
		docs        [][2]string
		want        string
	}{
		{"title before text", "вклад", [][2]string{{"О банке", strings.Repeat("вклад ", 50)}, {"О вкладе", "Банк"}},
			"b a"},
		{"more often first", "вклад", [][2]string{{"О банке", "вклад" + filler}, {"О банке", "вклад вклад" + filler}},
			"b a"},
		{"shorter first", "вклад", [][2]string{{"О банке", "вклад" + filler}, {"О банке", "вклад"}}, "b a"},
		{"equal by id", "вклад", [][2]string{{"О банке", "вклад"}, {"О банке", "вклад"}}, "a b"},
		{"whole part before prefix", "apk", [][2]string{{"Код", "APKS_B"}, {"Код", "X_APK_C"}}, "b a"},
		{"literal before other name", "депозит", [][2]string{{"О банке", "вклад" + filler},
			{"О банке", "депозит" + filler}}, "b a"},
		{"title by another name before text", "депозит", [][2]string{{"О банке", "депозит" + filler},
			{"Вклад", "вклад вклад"}}, "b a"},
		{"all words before a title", "ставка вклада", [][2]string{{"Ставка", "ставка ставка"},
			{"Банк", "ставка по вкладу" + filler}, {"Вклад", "вклад вклад"}}, "b a c"},
		{"together before apart", "ставка вклада", [][2]string{{"Банк", "ставка" + filler + filler + " вклад"},
			{"Банк", "ставка по вкладу" + filler + filler}}, "b a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ranked(tt.query, [][]string{{"вклад", "депозит"}}, tt.docs...)
			if strings.Join(got, " ") != tt.want {
				t.Errorf("%v, want %s", got, tt.want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	names := [][]string{
		{"финансовый уполномоченный", "финансовый омбудсмен", "омбудсмен"},
		{"вклад", "депозит", "вклады"},
		{"вклад до востребования", "текущий счёт"},
		{"дипфейк", "AI_VOICE"},
		{"СМС", "SMS"},
		{"ничего", ""},
		{"в", "на"},
		{"один два три четыре пять шесть семь восемь девять", "слишком длинно"},
	}
	for i, tt := range []struct {
		query, text string
		want        bool
	}{
		{"омбудсмен", "к финансовому уполномоченному", true},
		{"омбудсмену", "финансовым уполномоченным", true},
		{"Финансовый омбудсмен", "финансового уполномоченного", true},
		{"уполномоченный финансовый", "финансовый омбудсмен", false}, // not in that order
		{"омбудсмен", "уполномоченный финансовый", false},
		{"омбудсмен", "финансовый и уполномоченный", false},
		{"финансовый уполномоченный", "омбудсмен", true},
		{"финансовый уполномоченный", "уполномоченный, финансовый", true}, // these are the words
		{"решение омбудсмена", "решение финансового уполномоченного", true},
		{"решение омбудсмена", "финансового уполномоченного", false},
		{"решение омбудсмена о депозите", "решение финансового уполномоченного по вкладам", true},
		{"депозит до востребования", "вклад до востребования", true},
		{"вклад до востребования", "на текущем счёте", true},
		{"вклад до востребования", "депозит", false},
		{"дипфейк", "признак AI_VOICE", true},
		{"ai_voice", "дипфейки", true},
		{"ai_v", "дипфейки", false}, // not the whole name
		{"sms", "в СМС", true},
		{"смс-код", "код из SMS", true},
		{"слишком длинно", "один два три четыре пять шесть семь восемь девять", false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got := hasAll(tt.query, names, [2]string{"", tt.text})
			if got != tt.want {
				t.Errorf("%q finds %q: %v, want %v", tt.query, tt.text, got, tt.want)
			}
			if got = hasAll(tt.query, names, [2]string{tt.text, ""}); got != tt.want {
				t.Errorf("%q finds the title %q: %v, want %v", tt.query, tt.text, got, tt.want)
			}
		})
	}
}

func TestPhraseStaysInItsPassage(t *testing.T) {
	e := Analyse(Document{Title: "Финансовый", Text: passages("уполномоченный финансовый", "уполномоченный")})
	if r := New([]*AnalysedDocument{e}, synonyms).Search(Query{Text: "омбудсмен"}); r.Total != 0 {
		t.Errorf("%+v", r)
	}
}

func TestManyWords(t *testing.T) {
	var words []string
	for i := range 200 {
		words = append(words, "w"+strings.Repeat("x", i))
	}
	text := strings.Join(words, " ")
	x := New([]*AnalysedDocument{Analyse(Document{Text: passages(text)})}, nil)
	if r := x.Search(Query{Text: text}); r.Total != 1 {
		t.Errorf("total %d, want 1", r.Total)
	}
	if r := x.Search(Query{Text: text + " и ещё"}); r.Total != 1 {
		t.Errorf("with words beyond the %d that count: total %d, want 1", maxWords, r.Total)
	}
}
