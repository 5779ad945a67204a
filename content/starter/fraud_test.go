package starter_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/schemas"
)

type fraudResponse struct {
	InstructionID string `json:"instruction_id"`
	Language      string
	Title         string
	Summary       string
	Applicability struct{ Trigger, Scope string }
	StepModel     string `json:"step_model"`
	Steps         []step
	RoutingRules  map[string]string `json:"routing_rules"`
	CompoundRules []compoundRule    `json:"compound_rules"`
	Prohibited    []string          `json:"prohibited_ai_actions"`
	Sources       []struct {
		ResourceID string `json:"resource_id"`
		Role       string
	}
	ValidFrom    string `json:"valid_from"`
	RecheckAfter string `json:"recheck_after"`
}

type step struct {
	Step         int
	Code         string
	Title        string
	Instructions []string
}

type compoundRule struct {
	Signals      []string
	WithoutOther *bool `json:"without_other_signals"`
	Result       string
	Note         string
}

func (r compoundRule) String() string {
	alone := ""
	if r.WithoutOther != nil {
		alone = fmt.Sprintf(" (without_other_signals=%t)", *r.WithoutOther)
	}
	return strings.Join(r.Signals, " + ") + alone + " = " + r.Result
}

func fraud(t *testing.T) fraudResponse {
	t.Helper()
	return latest[fraudResponse](t, content.Instructions, "fraud-response")
}

func TestFraudResponseIdentity(t *testing.T) {
	f := fraud(t)
	equal(t, "instruction_id", f.InstructionID, "service.fraud-response.001")
	equal(t, "language", f.Language, "ru")
	substantial(t, "summary", f.Summary, 80)
	substantial(t, "trigger", f.Applicability.Trigger, 40)
	substantial(t, "scope", f.Applicability.Scope, 40)
	e := current(t, content.Instructions, "fraud-response")
	if f.RecheckAfter <= now.Format("2006-01-02") || f.ValidFrom > e.PublishedAt.Format("2006-01-02") {
		t.Errorf("valid from %s, to be checked after %s", f.ValidFrom, f.RecheckAfter)
	}
	at := 0
	for _, word := range words("signals states routes guardrails output") {
		i := strings.Index(f.StepModel[at:], word)
		if i < 0 {
			t.Fatalf("the step model does not lead to %s: %s", word, f.StepModel)
		}
		at += i
	}
}

// The addresses that the service adds to the instruction lead to what is there.
func TestFraudResponseDiscovery(t *testing.T) {
	root := schemas.Embedded().Schema("instructions/fraud-response", "1.0").Root()
	got := map[string]string{}
	for _, link := range root.Discovery {
		got[link.Name] = link.Path
	}
	equal(t, "discovery_urls", got, map[string]string{
		"fraud_signals_url":                "/api/v1/fraud/signals",
		"fraud_states_url":                 "/api/v1/fraud/states",
		"fraud_scenarios_url":              "/api/v1/fraud/scenarios",
		"fraud_routes_url":                 "/api/v1/fraud/routes",
		"authority_resources_url":          "/api/v1/authority-resources",
		"fraud_response_output_schema_url": "/api/v1/schemas/fraud-response-output",
	})
	equal(t, "output schema", root.OutputSchema, "fraud-response-output")
	for name, path := range got {
		if !slices.ContainsFunc(currents(t), func(e *content.Entry) bool { return e.Kind.ItemPath(e.Name) == path }) {
			t.Errorf("%s: nothing is served at %s", name, path)
		}
	}
}

func TestFraudResponseSteps(t *testing.T) {
	steps := fraud(t).Steps
	numbered(t, steps)
	for i, want := range []struct {
		code    string
		phrases []string
	}{
		{"ASSESS_SIGNALS", []string{"fraud_signals_url", "важность"}},
		{"STOP_ON_CRITICAL", []string{"sufficient_for_stop", "прекратить контакт", "ничего не спрашивать",
			"безопасные действия"}},
		{"IDENTIFY_STATES", []string{"fraud_states_url", "irreversible_harm_possible"}},
		{"SELECT_ROUTES", []string{"fraud_routes_url", "самого срочного состояния", "обязательные параллельные"}},
		{"APPLY_GUARDRAILS", []string{"must", "stop", "файлы", "ссылки",
			"личные данные сверх необходимого", "ради доказательств"}},
		{"COMPOSE_RESPONSE", []string{"что сделать сейчас; куда обратиться; что сохранить; чего не делать; почему " +
			"сработала остановка", "банк пользователя и банк россии"}},
		{"RECORD_PROVENANCE", []string{"fraud-response-output", "контрольные суммы"}},
	} {
		t.Run(want.code, func(t *testing.T) {
			if i >= len(steps) || steps[i].Code != want.code {
				t.Fatalf("step %d is not %s", i+1, want.code)
			}
			says(t, want.code, strings.Join(steps[i].Instructions, "\n"), want.phrases...)
		})
	}
	equal(t, "number of steps", len(steps), 7)
}

// numbered checks that the steps are numbered from 1.
func numbered(t *testing.T, steps []step) {
	t.Helper()
	for i, s := range steps {
		if s.Step != i+1 || s.Code == "" || s.Title == "" || len(s.Instructions) == 0 {
			t.Errorf("step %d: %+v", i+1, s)
		}
	}
}

func TestFraudRoutingRules(t *testing.T) {
	rules := fraud(t).RoutingRules
	want := map[string][]string{
		"money_theft": {"банк пользователя", "полици", "обязательны оба",
			"банк россии ни один из них не заменяет"},
		"digital_account_compromise": {"владелец-сервис", "полиция основным маршрутом не становится"},
		"sim_compromise":             {"основной маршрут — оператор связи"},
		"illegal_financial_provider": {"основной маршрут — банк россии"},
		"fraudulent_credit":          {"кредитор и полиция", "самозапрет", "не аннулирует"},
		"rkn":                        {"только в вопросе о персональных данных", "не заменяет"},
		"certificate_or_browser_transition": {"источник просьбы", "низкий риск", "высокий",
			"мошенничеством не называть", "код, удалённый доступ или перевод",
			"verify-certificate-or-browser-transition.001", "две официальные страницы",
			"gosuslugi-certificates", "gosuslugi-tls"},
		"https_not_sufficient": {"имя домена", "цепочку доверия", "предупреждений браузера",
			"как человек попал", "замок не делает сайт настоящим", "предупреждение о сертификате ещё не доказывает"},
		"ai_deepfake_impersonation": {"недостаточны, чтобы подтвердить личность",
			"по каналу, известному раньше"},
	}
	sameSet(t, "routing rules", slices.Collect(maps.Keys(rules)), slices.Collect(maps.Keys(want)))
	for key, phrases := range want {
		t.Run(key, func(t *testing.T) {
			says(t, key, rules[key], phrases...)
		})
	}
}

func TestCompoundRules(t *testing.T) {
	var got []string
	for _, r := range fraud(t).CompoundRules {
		got = append(got, r.String())
		substantial(t, r.String(), r.Note, 60)
	}
	equal(t, "compound rules", got, []string{
		"PRETEXT_MOBILE_OPERATOR_5G + APK_INSTALLATION_REQUESTED = critical_stop",
		"EMPLOYER_OR_EXECUTIVE_IMPERSONATION + SECRECY_REQUESTED + SECOND_STAGE_OFFICIAL_CALL = critical_stop",
		"BANK_SITE_REQUESTS_RUSSIAN_TLS_SUPPORT (without_other_signals=true) = not_fraud",
		"REQUESTS_INSTALL_MINISTRY_ROOT_CERTIFICATE + CERTIFICATE_FILE_RECEIVED_IN_MESSAGE = high_risk",
		"REQUESTS_INSTALL_MINISTRY_ROOT_CERTIFICATE + REMOTE_ACCESS_REQUESTED = critical_stop",
		"BANK_SITE_CERTIFICATE_WARNING + UNKNOWN_LINK_OPENED = high_risk",
		"UNKNOWN_FUNDS_RECEIVED + MANUAL_REFUND_REQUESTED = stop_manual_refund",
		"P2P_PAYMENT_FROM_THIRD_PARTY + CRYPTO_RELEASE_AFTER_THIRD_PARTY_PAYMENT = high_risk",
		"FAKE_PROFIT_DASHBOARD + WITHDRAWAL_REQUIRES_ADDITIONAL_DEPOSIT = critical_stop",
		"PHYSICAL_QR_CODE_OVERLAY + CARD_CVV_REQUESTED = high_risk",
		"AI_GENERATED_KNOWN_PERSON_VOICE + MONEY_TRANSFER_REQUESTED = stop_verify_identity",
	})
}

// A signal that is sufficient for a stop stops, whatever it is found together
// with: no result calls such a combination harmless, and where the result names
// only a risk, the note says that the signal stops by itself.
func TestNoCompoundRuleWeakensAStop(t *testing.T) {
	stops := map[string]bool{}
	for _, s := range registry[signals](t, "fraud-signals").Signals {
		stops[s.Code] = s.SufficientForStop
	}
	says(t, "step 2", strings.Join(fraud(t).Steps[1].Instructions, "\n"), "не смягчает остановку")
	for _, e := range everything(t, content.Instructions) {
		if e.Name != "fraud-response" {
			continue
		}
		for _, r := range decode[fraudResponse](t, e).CompoundRules {
			for _, s := range r.Signals {
				if known, ok := stops[s]; !ok {
					t.Errorf("%s: %s is not a signal", e.Tag(), s)
				} else if known && r.Result == "not_fraud" {
					t.Errorf("%s: %s contains the stop signal %s", e.Tag(), r, s)
				} else if known && r.Result == "high_risk" && !strings.Contains(r.Note, "остан") {
					t.Errorf("%s: the note of %s does not say that %s stops by itself", e.Tag(), r, s)
				}
			}
		}
	}
}

func TestFraudProhibitedActions(t *testing.T) {
	got := fraud(t).Prohibited
	want := [][]string{
		{"коды из сообщений", "cvv", "пароли", "данные карты", "диагностики"},
		{"паспортные данные целиком"},
		{"файлы", "документы", "изображения"},
		{"ссылкам", "qr-коды", "подозрительных сообщений"},
		{"доказательства"},
		{"самозапрет", "отменить уже выданный кредит"},
		{"банк россии банком пользователя", "главным маршрутом при краже"},
		{"банк россии может немедленно вернуть"},
		{"роскомнадзор", "основной маршрут"},
	}
	equal(t, "number of prohibited actions", len(got), len(want))
	for i, phrases := range want[:min(len(got), len(want))] {
		says(t, "prohibited action", got[i], phrases...)
	}
}

func TestFraudSources(t *testing.T) {
	roles := map[string][]string{}
	for _, s := range fraud(t).Sources {
		roles[s.Role] = append(roles[s.Role], s.ResourceID)
	}
	equal(t, "sources", roles, map[string][]string{
		"primary":                      {"user-bank"},
		"mandatory_parallel_for_theft": {"mvd"},
		"account_recovery":             {"gosuslugi", "service-owner", "mobile-operator"},
	})
}

// fraudDiscovery returns the names of the addresses that the service adds.
func fraudDiscovery() (names []string) {
	for _, link := range schemas.Embedded().Schema("instructions/fraud-response", "1.0").Root().Discovery {
		names = append(names, link.Name)
	}
	return names
}
