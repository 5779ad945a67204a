package site

// What a request may name that does not exist, and other faults of requests, in Russian.
const (
	NoSection        = "Такого раздела нет."
	NoSignal         = "Такого признака нет."
	NoState          = "Такого состояния нет."
	NoValue          = "Такого значения нет."
	NoVersion        = "Такой версии нет."
	NoCurrentVersion = "Действующей версии нет."
	NothingAsked     = "Не указано, что искать."
	VersionAndDay    = "Указаны и версия, и день."
	LeaveOne         = "Оставьте что-то одно."
)
