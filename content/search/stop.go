package search

import "strings"

// stopWords are in so many documents that they are not significant. They are folded.
var stopWords = setOf(`
	а без бы быть был была были было будет будут в вам вас ваш ваша ваше ваши во вот все
	всего всех вы где да делать для до его ее если есть еще ж же за зачем здесь и из или им
	их к как
	какая какие каким каких какого какое какой каком какому какую когда который которая которое которые
	которого которой которую ко кто куда ли либо меня мне мной мной мы мой моя мое мои моего
	моей моему моим моих мою могу могут может можете можно
	на над нам нас наш надо не нет ни но
	нужен нужна нужно нужны о об обо он она
	они оно от ото по под почему при про с сделать сколько со свой своя свое свои своего
	своей своему своим своих свою
	себе себя так такая такие такое такой там то тоже того той том ту ты тут тот у уже чего
	чей чем что чтобы эта эти это этого этой этом этот эту я
	здравствуйте пожалуйста подскажите скажите помогите вообще просто очень мол типа вроде нибудь
	сейчас щас теперь опять вчера сегодня хочу че чо шо ваще
	am an and are at be by can could did do does for from has have how i if in is it me my not of on
	any been being get got into just many much need or our please should than that the their them then there they
	this to want was we what when where which who why will with would you your`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}
