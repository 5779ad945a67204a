package site

// unitWords are the units of inputs as shown beside a field.
var unitWords = map[string]string{
	"RUB": "₽", "percent": "%", "months": "мес.", "days": "дн.", "business_days": "раб. дн.", "years": "лет",
	"payments": "платежей", "RUB|percent": "₽ или %",
	"periods": "периодов", "postings": "начислений",
}
