package cluster

import (
	mathbits "math/bits"
	"strings"
)

// The words of grammar of languages other than English in which papers are written. A
// text is read with those of its own language: "die" ends a phrase in a German text only.
var languages = [...]string{
	// German
	`aber alle allem allen aller als also am an andere anderen auch auf aus bei beim beiden bereits bis da dabei dadurch damit
	dann daran das dass dazu dem den denen denn der deren des dessen die dies diese diesem diesen dieser dieses doch durch ein
	eine einem einen einer eines er es etwa etwas für gegen hat haben hatte hatten hier hierzu ihm ihn ihnen ihr ihre ihrem ihren
	ihrer im immer in indem ins insbesondere ist ja je jede jedem jeden jeder jedoch jene kann kein keine können konnte konnten
	man mehr mit muss müssen nach nicht noch nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so sodass
	solche sollen sollte sowie sowohl über um und uns unser unsere unter viele vom von vor war waren warum was weil weitere weiter
	welche welcher wenn werden wie wieder wir wird wobei wodurch wurde wurden während zeigen zeigt zu zum zur zwar zwei zwischen`,
	// French
	`à afin ainsi alors après au aucun aucune aussi autre autres aux avait avec avons beaucoup c ce ceci cela celle celles celui
	cependant ces cet cette ceux chaque chez comme comment d dans de des donc dont du elle elles en encore entre est et étaient
	était été être eux fait faire il ils j je jusque l la le les leur leurs lors lorsque lui m mais même mêmes moins n ne ni nos
	notamment notre nous on ont ou où par parmi pas pendant peu peut peuvent plus plusieurs pour pourquoi qu quand que quel quelle
	quelles quelques quels qui s sa sans se selon sera seront ses si soit son sont sous sur t tandis tant tel telle telles tels
	toujours tous tout toute toutes très un une vers via y`,
	// Spanish
	`a además al algo algunas algunos ambos ante antes aquel así aún aunque bajo bien cada como cómo con contra cual cuales cuando
	cuya cuyo de del desde después donde dos durante e el él ella ellas ellos en entre era eran es esa ese eso esta está estaba
	están estas este esto estos fue fueron ha había han hasta hay la las le les lo los mas más mediante mientras mismo mucho muy
	ni no nos nosotros nuestra nuestro o otra otras otro otros para pero poco por porque pueden puede pues que qué quien se según
	ser será si sí sido sin sino sobre son su sus también tan tanto tiene tienen toda todas todo todos tras tres un una unas uno
	unos y ya`,
	// Portuguese
	`a à além algumas alguns ambos ao aos apenas após aquela aquele as às assim até bem cada com como contra cuja cujo da das de
	dela dele deles depois desde desta deste do dos duas durante e é ela elas ele eles em embora enquanto entre era eram essa esse
	esta está estão este estes eu foi foram há isso isto já lhe mais mas mediante menos mesmo muito na não nas nem nessa nesse
	nesta neste no nos nós nossa nosso num numa o onde os ou outra outras outro outros para pela pelas pelo pelos pode podem por
	porém porque quais qual quando que quem se seja sem sendo ser será seu seus sob sobre sua suas também tanto tem têm toda todas
	todo todos um uma umas uns`,
	// Italian
	`a abbiamo ad agli ai al alcune alcuni alla alle allo altre altri altro anche ancora c che chi ci ciò come con contro così cui
	d da dagli dai dal dalla dalle dallo degli dei del dell della delle dello dopo dove due durante e è ed era erano essere fra
	gli ha hanno i il in inoltre invece io l la le lo loro lui ma mediante mentre molti molto ne negli nei nel nella nelle nello
	noi non nostra nostro o ogni oltre per perché però più poi possono prima può qual quale quali quando quanto quella quelle
	quelli quello questa queste questi questo se sempre senza si sia sono sotto stata stati stato su sua sue sugli sui sul sulla
	sulle suo suoi tale tali tra tramite tre tutte tutti un una uno verso`,
	// Dutch
	`aan al alle als andere bij daar daarom dan dat de deze die dit door doordat een en er evenals geen had hebben heeft hen het
	hier hij hoe hun ik in is ja kan kon kunnen maar me meer men met mijn na naar namelijk niet nog nu of om omdat onder ons onze
	ook op over reeds samen sinds te tegen ten ter terwijl toch toen tot tussen twee uit van vanuit veel via vooral voor waar
	waarbij waarin was wat we welke wel werd werden wij wordt worden ze zeer zich zij zijn zo zoals zonder zou zullen`,
	// Polish
	`a aby albo ale bez bo być by był była było były co czy dla dlatego do gdy gdzie i ich ile im in inne inny iż ja jak jako je
	jednak jego jej jest jeśli już każdy kiedy który która które którego której których którym którzy lub ma mają między może
	można na nad nam nami nas nie niż o od oraz po pod podczas ponieważ pomimo przed przez przy są się sobie swoje ta tak takie
	także tego tej ten to tych tym tylko u w we wiele więc wraz z za ze że został została zostały`,
	// Swedish
	`alla är att av bland både de dem den denna deras dess dessa det detta då där därför efter eller en ett för från genom hade han
	har hon hur i icke in inom inte jag kan kunde man med mellan men mer mot mycket nu när och också olika om oss på samt sedan
	sig sin sina ska skulle som så till under upp ut utan var vara varje vi vid vilka vilken vilket än även`,
	// Russian
	`а без более бы был была были было быть в вам вас во вот все всех вы где да для до его ее если есть еще же за и из или им их к
	как когда которая которого которой которые который которых кто ли между меня мне мы на над нам нас не него нее нет ни них но о
	об однако он она они оно от по под после при про с сам свое своей своих себя со так также такие такой там тем то того той
	только том у уже чем через что чтобы эта эти этих это этого этой этом этот`,
}

// The first languageWords of a text tell its language, and it takes surelyForeign of them
// to be another than English: letters in formulas are words of some language.
const (
	languageWords = 60
	surelyForeign = 3
)

// tongues knows the words of grammar of all languages.
type tongues struct {
	of map[string]uint16 // the languages that have a word: bit 0 is English, bit i+1 languages[i]
}

func newTongues() tongues {
	t := tongues{of: make(map[string]uint16)}
	for _, w := range strings.Fields(stopWords) {
		t.of[w] |= 1
	}
	for i, words := range languages {
		for _, w := range strings.Fields(words) {
			t.of[w] |= 2 << i
		}
	}
	return t
}

// language is the bit of the language whose words of grammar a text has most of, English
// where that is not another.
func (t tongues) language(text string) uint16 {
	var counts [len(languages) + 1]int
	seen := 0
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !partOfWord(r) }) {
		if seen++; seen > languageWords {
			break
		}
		for mask := t.of[strings.ToLower(word)]; mask != 0; mask &= mask - 1 {
			counts[mathbits.TrailingZeros16(mask)]++
		}
	}
	best := 0
	for i, n := range counts {
		if n > counts[best] && n >= surelyForeign {
			best = i
		}
	}
	return 1 << best
}

// elided are the languages that join short words of grammar to the next word by an
// apostrophe: "l'étude", "dell'acqua".
const elided = 2<<1 | 2<<4

// parted is a text of a language with such words apart.
func parted(text string, language uint16) string {
	if language&elided == 0 {
		return text
	}
	return strings.NewReplacer("'", " ", "’", " ").Replace(text)
}
