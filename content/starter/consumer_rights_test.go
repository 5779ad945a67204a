package starter_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

func consumer(t *testing.T) consumerRights {
	t.Helper()
	return latest[consumerRights](t, content.Instructions, "consumer-rights-response")
}

func codeOf(c coded) string { return c.Code }
func keyOf(k keyed) string  { return k.Key }

func TestConsumerRightsIdentity(t *testing.T) {
	c := consumer(t)
	equal(t, "instruction_id", c.InstructionID, "service.consumer-rights-response.001")
	equal(t, "language", c.Language, "ru")
	equal(t, "performed_by", c.PerformedBy, "calling_ai_assistant")
	refused(t, "the five flags", c.AcceptsData, c.AcceptsFiles, c.StoresState, c.Generates, c.Submits)
	atLeast(t, "triggers", len(c.Applicability.Triggers), 13)
	says(t, "triggers", strings.Join(c.Applicability.Triggers, "\n"),
		"права потребителя", "списаны", "отказано в операции или выплате", "проценты, комиссии, пени",
		"о которой пользователь не просил",
		"рассказали не всё", "заблокированы счёт, карта", "страховщик отказал", "спор", "не знает, куда жаловаться",
		"составить обращение", "вправе ли", "документы")
}

// refused checks that every flag is there and false.
func refused(t *testing.T, what string, flags ...*bool) {
	t.Helper()
	for i, f := range flags {
		if f == nil || *f {
			t.Errorf("%s: the flag %d is missing or true", what, i+1)
		}
	}
}

func TestConsumerRightsRouting(t *testing.T) {
	c := consumer(t)
	equal(t, "primary routes per case", c.RoutingRules.PrimaryRoutesPerCase, 1)
	equal(t, "routing_priority", c.RoutingPriority, words(`fraud_urgent_stop existing_consumer_rights_classification
		existing_route_eligibility evidence_check case_status timeline next_action appeal_or_enforcement`))
	rules := by(c.RoutingRules.Rules, func(r textRule) string { return r.RuleID })
	says(t, "one route", rules["one_current_route"].Text, "один текущий маршрут", "последующий")
	says(t, "fraud first", rules["fraud_first"].Text, "сначала выполняются срочные действия",
		"приостанавливается", "восстановления прав")
}

func TestConsumerRightsDialogue(t *testing.T) {
	d := consumer(t).Dialogue
	equal(t, "max_clarifying_questions", d.MaxClarifyingQuestions, 7)
	equal(t, "questions", codes(d.QuestionPriority, func(q struct{ Code, Title string }) string { return q.Code }),
		words("what_happened organization product desired_result organization_contacted "+
			"registration_proof_and_answer amounts_dates_documents"))
	equal(t, "what an answer must affect", len(d.QuestionMustAffect), 6)
	atLeast(t, "conditions of a question", len(d.AskOnlyIf), 2)
	rules := by(d.Rules, func(r textRule) string { return r.RuleID })
	says(t, "codes", rules["no_internal_codes"].Text, "идентификаторы", "коды")
	says(t, "plain words", rules["plain_language"].Text, "обычными словами")
	says(t, "not all at once", rules["not_as_a_block"].Text, "сколько нужно для следующего шага")
}

func TestConsumerRightsClassification(t *testing.T) {
	c := consumer(t).Classification
	equal(t, "local_only", c.LocalOnly, true)
	equal(t, "sector", codes(c.Sector, codeOf),
		words("bank insurance investment broker microfinance non_state_pension_fund credit_history payment_service "+
			"unknown_financial_sector"))
	equal(t, "event_type", codes(c.EventType, codeOf), words(`unauthorized_debit operation_refusal service_imposition misleading_information
		incomplete_disclosure unexpected_commission interest_calculation_dispute penalty_calculation_dispute account_blocking card_blocking
		refund_refusal insurance_payment_refusal insurance_payment_delay broker_action_dispute credit_history_error no_response_to_primary_contact other_event`))
	equal(t, "user_goal", codes(c.UserGoal, codeOf), goals)
	substantial(t, "product", c.Product, 20)
	substantial(t, "organization_type", c.OrganizationType, 20)
	says(t, "organization_legal_name", strings.Join(c.OrganizationLegalName, "\n"), "не угадывать",
		"справочнике финансовых организаций банка россии", "бренд")
	official(t, c.Directory)
}

var goals = words("RETURN_MONEY_OR_CHANGE_RESULT RESTORE_RIGHT STOP_PRACTICE_OR_CHECK_COMPLIANCE PUNISH_OR_FINE " +
	"GET_EXPLANATION PREPARE_FOR_COURT UNSPECIFIED_GOAL")

func TestViolationAssessment(t *testing.T) {
	v := consumer(t).Violation
	equal(t, "results", codes(v.Results, func(r struct{ Code, Phrasing string }) string { return r.Code }),
		words("possible_violation unlikely_violation insufficient_data"))
	for _, r := range v.Results {
		substantial(t, r.Code, r.Phrasing, 40)
	}
	equal(t, "number of prohibited statements", len(v.Never), 5)
	says(t, "prohibited statements", strings.Join(v.Never, "\n"), "нарушение доказано", "организация виновна",
		"договор незаконен", "точно выиграете", "гарантированно вернут")
	equal(t, "what is said when data is missing", len(v.Missing), 3)
}

func TestGoalRouting(t *testing.T) {
	g := consumer(t).GoalRouting
	equal(t, "guideline", g.Guideline, "consumer-rights.goal-routing.001")
	want := []struct{ goal, sequence, excluded, stop string }{
		{"RETURN_MONEY_OR_CHANGE_RESULT", "financial_organization financial_ombudsman court", "central_bank",
			"STOP_CBR_INDIVIDUAL_PROPERTY_DISPUTE"},
		{"RESTORE_RIGHT", "financial_organization financial_ombudsman court", "", ""},
		{"STOP_PRACTICE_OR_CHECK_COMPLIANCE", "central_bank other_authority", "", ""},
		{"PUNISH_OR_FINE", "administrative_branch", "", "STOP_PUNITIVE_ROUTE"},
		{"GET_EXPLANATION", "official_explanation central_bank", "", ""},
		{"PREPARE_FOR_COURT", "pretrial_check financial_ombudsman court", "", "STOP_COURT_PRETRIAL_NOT_COMPLETED"},
	}
	equal(t, "number of goals", len(g.Goals), len(want))
	for i, w := range want[:min(len(want), len(g.Goals))] {
		got := g.Goals[i]
		equal(t, w.goal, fmt.Sprint(got.Goal, got.Sequence, got.Excluded, got.StopCode),
			fmt.Sprint(w.goal, words(w.sequence), words(w.excluded), w.stop))
		substantial(t, w.goal, got.Rule, 60)
	}
	equal(t, "goals", append(codes(g.Goals, func(g goal) string { return g.Goal }), "UNSPECIFIED_GOAL"), goals)
}

func TestPrimaryContact(t *testing.T) {
	c := consumer(t)
	p := c.PrimaryContact
	equal(t, "guideline", p.Guideline, "consumer-rights.primary-contact.001")
	equal(t, "stop_code", p.StopCode, "STOP_FURTHER_ROUTING")
	equal(t, "next_step", p.NextStep, "PREPARE_PRIMARY_CONTACT")
	each(t, "minimum content", p.MinimumContent, "имя", "юридическое наименование", "описание фактов",
		"желаемый результат", "контакт для ответа", "перечень приложений")
	each(t, "not required", p.NotRequired, "статьи законов", "юридическая квалификация", "кодекса об административных",
		"обвинение в преступлении", "доказательство вины")
	r := c.RegistrationProof
	each(t, "registration proof", r.Forms, "входящий номер", "дата и номер регистрации", "личного кабинета",
		"почтовая квитанция или уведомление", "электронное подтверждение")
	equal(t, "state without a proof", r.StateIfMissing, "REGISTRATION_PROOF_MISSING")
	each(t, "without a proof", r.IfMissing, "уязвим", "запрос о регистрации", "не считать обращение доказанным",
		"не направлять к финансовому уполномоченному")
}

// each checks that a list has exactly these elements, each told by a phrase.
func each(t *testing.T, what string, list []string, phrases ...string) {
	t.Helper()
	if len(list) != len(phrases) {
		t.Errorf("%s: got %d, want %d", what, len(list), len(phrases))
	}
	for i, p := range phrases[:min(len(phrases), len(list))] {
		says(t, what, list[i], p)
	}
}

func TestResponseDeadline(t *testing.T) {
	d := consumer(t).ResponseDeadline
	equal(t, "standard", d.Standard, "consumer-rights.fo-response-standard-working-days")
	equal(t, "extension", d.Extension, "consumer-rights.fo-response-extension-working-days")
	equal(t, "read from", d.ReadFrom, content.Parameters.Path)
	refused(t, "hard-coded values", d.HardCoded)
	equal(t, "tracked", codes(d.Tracked, keyOf),
		words("registered_at extension_notice_present computed_end_date method"))
	says(t, "the date", strings.Join(d.Rules, "\n"), "в рабочих днях", "расчётная и юридически не подтверждена")
	want := []string{"not_expired WAIT_FOR_FINANCIAL_ORGANIZATION",
		"expired_without_response FINANCIAL_ORGANIZATION_NO_RESPONSE",
		"response_unresolved FINANCIAL_ORGANIZATION_RESPONSE_RECEIVED"}
	for i, b := range d.Branches {
		equal(t, "branch", b.Code+" "+b.State, want[i])
	}
	equal(t, "branches", len(d.Branches), 3)
	says(t, "unresolved", strings.Join(d.Branches[2].Actions, "\n"), "цель", "характер требования", "сумму", "продукт",
		"организацию", "применимость финансового уполномоченного", "готовые разъяснения",
		"надзорного органа", "судебный порядок")
}

func TestTimeline(t *testing.T) {
	l := consumer(t).Timeline
	equal(t, "guideline", l.Guideline, "consumer-rights.timeline.001")
	equal(t, "tool", l.Tool, "consumer_rights_deadline_date")
	equal(t, "if unconfirmed", l.IfUnconfirmed, "do_not_guess")
	equal(t, "output contract", codes(l.OutputContract, keyOf),
		words("current_status registered_at deadline next_action escalation_available_after"))
	if len(l.Rules) != 1 {
		t.Fatalf("%d rules", len(l.Rules))
	}
	r := l.Rules[0]
	equal(t, "rule", r.RuleID, "financial_org_response")
	equal(t, "start_event", r.StartEvent, "claim_registered")
	equal(t, "period", r.Period, "consumer-rights.fo-response-standard-working-days")
	equal(t, "day_type", r.DayType, "business_day")
	equal(t, "extension allowed", r.Extension.Allowed, true)
	equal(t, "extension", r.Extension.Period, "consumer-rights.fo-response-extension-working-days")
	equal(t, "requires_notification", r.Extension.Notified, true)
	says(t, "next action", r.NextAction, "доказательства", "маршруты")
	refused(t, "automatic escalation", r.Automatic)
	equal(t, "status", r.Status, "current")
	substantial(t, "valid_from", r.ValidFrom, 10)
}

func TestEvidence(t *testing.T) {
	e := consumer(t).Evidence
	equal(t, "guideline", e.Guideline, "consumer-rights.evidence.001")
	equal(t, "local only, reused", e.LocalOnly && e.ReuseExisting, true)
	refused(t, "sent to the service", e.SentToService)
	equal(t, "required", e.Required, []evidence{
		{"financial_org_claim_confirmation", "financial_organization",
			words("incoming_number registration_confirmation personal_account_screenshot email_confirmation " +
				"postal_delivery_confirmation")},
		{"financial_org_response_or_expiry", "escalation",
			words("written_response email_response response_in_personal_account deadline_calculation")},
	})
	equal(t, "recommended", e.Recommended, []evidence{
		{"contract_or_product_documents", "", words("copy user_local_document screen_capture")},
		{"disputed_amount_or_action", "", words("statement transaction_record correspondence")},
	})
	equal(t, "missing evidence", codes(e.MissingCheck.Keys, keyOf), words("missing_evidence why_needed accepted_forms"))
}

func TestOmbudsmanEligibility(t *testing.T) {
	o := consumer(t).Eligibility
	equal(t, "guideline", o.Guideline, "consumer-rights.ombudsman-eligibility.001")
	equal(t, "parameters", o.Parameters,
		words("consumer-rights.ombudsman-amount-limit consumer-rights.ombudsman-limitation-period "+
			"consumer-rights.ombudsman-product-exceptions"))
	each(t, "checks", o.Checks, "гражданин", "имущественное", "в организацию было", "подтвержден",
		"организация обязана взаимодействовать", "не больше действующего предела", "срок обращения не истёк")
	var got []string
	for _, s := range o.StopCodes {
		got = append(got, s.StopCode)
		substantial(t, s.StopCode, s.Explanation, 40)
		substantial(t, s.StopCode, s.NextRoute, 15)
	}
	equal(t, "stop codes", got, words("PRIMARY_CONTACT_NOT_CONFIRMED CLAIM_NOT_PROPERTY_BASED "+
		"ORGANIZATION_OUT_OF_SCOPE CLAIM_AMOUNT_OUT_OF_SCOPE PRODUCT_OUT_OF_SCOPE LIMITATION_PERIOD_NOT_CONFIRMED"))
	each(t, "on stop", o.OnStop, "не предлагать", "конкретную причину", "следующий допустимый маршрут")
}

func TestCentralBankAndOtherAuthorities(t *testing.T) {
	c := consumer(t)
	b := c.CentralBank
	each(t, "for", b.For, "обязательные требования", "надзора", "официальное разъяснение", "в пределах компетенции")
	each(t, "not for", b.NotFor, "взыскание денег", "обязать организацию вернуть", "договора недействительным",
		"возмещение убытков", "пересчёт процентов, долга или неустойки")
	equal(t, "stop_code", b.StopCode, "STOP_CBR_INDIVIDUAL_PROPERTY_DISPUTE")
	says(t, "rule", b.Rule, "а не упоминание денег", "не банк пользователя")
	official(t, b.URL)
	var subjects []string
	for _, a := range c.Others.Authorities {
		subjects = append(subjects, a.Subject)
		official(t, a.URL)
		substantial(t, a.Subject, a.Body, 8)
	}
	sameSet(t, "subjects", subjects,
		words("advertising personal_data enforcement_proceedings labour healthcare environment bonus_malus"))
	each(t, "verify", c.Others.Verify, "домен", "действует сейчас", "компетенцию")
}

func TestAdministrativeBranch(t *testing.T) {
	a := consumer(t).Administrative
	sameSet(t, "goals", a.Goals, words("PUNISH_OR_FINE STOP_PRACTICE_OR_CHECK_COMPLIANCE"))
	sameSet(t, "not for goals", a.NotGoals, words("RETURN_MONEY_OR_CHANGE_RESULT RESTORE_RIGHT GET_EXPLANATION"))
	each(t, "facts", a.Facts, "обязанность", "действием или бездействием", "организацией", "ошибка")
	equal(t, "stop_code", a.StopCode, "STOP_PUNITIVE_ROUTE")
	says(t, "prohibited", strings.Join(a.Never, "\n"), "оштрафовать")
	says(t, "permitted", strings.Join(a.Permitted, "\n"), "прошу оценить")
	says(t, "limits", strings.Join(a.Limits, "\n"), "не обещаются", "не определяет статью", "не устанавливает вину")
}

func TestCourtBranch(t *testing.T) {
	c := consumer(t).Court
	says(t, "when", strings.Join(c.When, "\n"), "неприменим или уже пройден", "не исполняется", "не согласен",
		"имущественный", "из договора", "принудительное исполнение")
	each(t, "not when", c.NotWhen, "досудебный порядок не пройден",
		"сначала должен рассмотреть финансовый уполномоченный", "цель не определена", "нет минимума фактов")
	equal(t, "stop_code", c.StopCode, "STOP_COURT_PRETRIAL_NOT_COMPLETED")
	equal(t, "dispute_types", codes(c.DisputeTypes, codeOf), words("civil_dispute public_law_dispute"))
	each(t, "checks", c.Checks, "досудебного порядка", "даты", "применимость финансового уполномоченного", "требование",
		"расчёт суммы", "доказательств")
	says(t, "limits", strings.Join(c.Limits, "\n"), "конкретный суд не называть")
}

func TestAppealAndEnforcement(t *testing.T) {
	c := consumer(t)
	a := c.Appeal
	equal(t, "appeal", a.Guideline, "consumer-rights.ombudsman-appeal.001")
	equal(t, "entry", a.Entry, words("ombudsman_decision_received user_not_satisfied"))
	equal(t, "route", a.Route+" "+a.DistinctFrom, "court_after_ombudsman direct_court_route")
	says(t, "deadline", a.Deadline, "не угадывать")
	each(t, "documents", a.Documents, "решение финансового уполномоченного", "первоначальное заявление",
		"ответ организации", "договор", "доказательства", "спорной сумме или действии")
	equal(t, "reused", a.Reuse, true)
	e := c.Enforcement
	equal(t, "enforcement", e.Guideline, "consumer-rights.enforcement.001")
	equal(t, "check", e.Check, "decision_executed")
	equal(t, "voluntary execution", fmt.Sprint(e.Voluntary), "[{true CLOSED} {false ENFORCEMENT}]")
	equal(t, "inputs", fmt.Sprint(e.Inputs),
		"[{enforcement_document_available} {debtor_known} {voluntary_execution_status}]")
	equal(t, "routes", codes(e.Routes, codeOf), words("submission_to_bank submission_to_fssp"))
	equal(t, "no action", fmt.Sprint(e.NoAction.CurrentState, e.NoAction.Facts, e.NoAction.NextState),
		"ENFORCEMENT[enforcement_proceedings_started enforcement_no_action_reported]ENFORCEMENT_NO_ACTION")
	refused(t, "automatic statement", e.NoAction.Automatic)
	equal(t, "closure", e.Closure, words("problem_resolved decision_executed user_explicitly_ends_process"))
}

func TestExplanationsAndDocuments(t *testing.T) {
	c := consumer(t)
	x := c.Explanations
	equal(t, "who searches", x.SearchBy, "calling_ai_assistant")
	equal(t, "state", x.State, "READY_EXPLANATION_CHECK_FIRST")
	each(t, "criteria", x.Criteria, "продукт", "вид действия", "роль организации", "нет особых условий")
	each(t, "if found", x.IfFound, "пересказать", "ссылку и дату", "не предлагать жалобу")
	says(t, "property dispute", x.Dispute, "финансового уполномоченного или судебного порядка")
	p := c.Package
	equal(t, "local only, reused", p.LocalOnly && p.Reuse, true)
	refused(t, "send to the service", p.Send)
	each(t, "tasks", p.Tasks, "определить", "проверить", "не просить документ, который уже показан", "проект текста",
		"приложения", "контрольный список", "как и куда подать")
	each(t, "documents", p.Documents, "копия первоначального обращения", "регистрации",
		"ответ организации или доказательство, что ответа нет", "договор, полис или правила", "по существу")
	says(t, "prohibited phrase", strings.Join(p.Never, "\n"), "приложите все документы")
	equal(t, "readiness", codes(c.Readiness.Statuses, codeOf),
		words("ready ready_with_warning missing_required_data missing_required_documents route_blocked "+
			"human_review_required"))
	equal(t, "if something is missing", len(c.Readiness.IfMissing), 4)
}

// The keys of the local result and of the usage trace, with what is in them.
func TestLocalContracts(t *testing.T) {
	c := consumer(t)
	equal(t, "local result", shape(c.Result.Fields), words(`current_stage
		case_classification{sector,product,event_type,organization_type,organization_legal_name?,user_goal}
		violation_assessment{result,explanation,missing_facts[]}
		primary_contact{required,confirmed,registration_proof,registered_at,deadline_status}
		primary_route{target,reason,expected_result,cannot_result_in[]}
		next_route_if_unsuccessful current_state route evidence{required[],recommended[],missing[]}
		timeline{start_event,start_date,deadline,next_check_date} next_action allowed_next_states[] warnings[]
		blocked_routes[]{route,stop_code,reason} available_documents[] missing_documents[] reused_documents[]
		readiness{status,warnings[]} next_step{action,explanation}`))
	equal(t, "usage trace", shape(c.Trace.Fields), words(`instruction_id instruction_version instruction_checksum accessed_at
		guidelines_used[]{guideline_id,guideline_version,content_checksum,status}
		external_parameters_used[]{parameter_id,version,status,verified_at} applied_stop_codes[] selected_primary_route`))
	equal(t, "local only", c.Result.LocalOnly && c.Trace.LocalOnly, true)
	allowed := map[string][]string{}
	for _, f := range c.Result.Fields {
		allowed[f.Key] = f.Allowed
		for _, g := range f.Fields {
			allowed[f.Key+"."+g.Key] = g.Allowed
		}
	}
	equal(t, "deadline_status", allowed["primary_contact.deadline_status"], words("unknown pending expired"))
	equal(t, "sector", allowed["case_classification.sector"], codes(c.Classification.Sector, codeOf))
	equal(t, "event_type", allowed["case_classification.event_type"], codes(c.Classification.EventType, codeOf))
	equal(t, "user_goal", allowed["case_classification.user_goal"], goals)
	equal(t, "result", allowed["violation_assessment.result"],
		words("possible_violation unlikely_violation insufficient_data"))
	equal(t, "readiness", allowed["readiness.status"], codes(c.Readiness.Statuses, codeOf))
	sameSet(t, "current_state", allowed["current_state"], journey)
}

// shape writes fields as the specification does: a{b,c?} is an object with a
// nullable c, a[] a list, a[]{b} a list of objects.
func shape(fields []resultField) (out []string) {
	for _, f := range fields {
		s := f.Key
		if strings.HasSuffix(f.Type, "_list") {
			s += "[]"
		}
		if len(f.Fields) > 0 {
			s += "{" + strings.Join(shape(f.Fields), ",") + "}"
		}
		if f.Nullable {
			s += "?"
		}
		out = append(out, s)
	}
	return out
}

func TestConsumerRightsProhibitedActions(t *testing.T) {
	each(t, "prohibited", consumer(t).Prohibited, "победу", "гарантировать возврат", "нарушение доказано", "вину",
		"придумывать статью", "сразу во все органы",
		"банк россии для взыскания личной суммы", "финансового уполномоченного до первичного обращения",
		"суд до обязательного досудебного порядка",
		"полный номер карты, cvv, пин-код или пароль", "передавать сервису данные")
}

func TestConsumerRightsStopCodes(t *testing.T) {
	var got []string
	for _, s := range consumer(t).StopCodes {
		got = append(got, s.StopCode)
		substantial(t, s.StopCode, s.Condition, 30)
		substantial(t, s.StopCode, s.Action, 30)
	}
	equal(t, "stop codes", got, words(`STOP_FURTHER_ROUTING PRIMARY_CONTACT_NOT_CONFIRMED CLAIM_NOT_PROPERTY_BASED ORGANIZATION_OUT_OF_SCOPE
		CLAIM_AMOUNT_OUT_OF_SCOPE PRODUCT_OUT_OF_SCOPE LIMITATION_PERIOD_NOT_CONFIRMED STOP_CBR_INDIVIDUAL_PROPERTY_DISPUTE
		STOP_PUNITIVE_ROUTE STOP_COURT_PRETRIAL_NOT_COMPLETED`))
}

// The case-status machine, row by row: state, entry condition, required
// evidence, applicable deadline, allowed next states, stop condition.
func TestCaseStatusMachine(t *testing.T) {
	m := consumer(t).Machine
	equal(t, "guideline", m.Guideline, "consumer-rights.case-status.001")
	equal(t, "stored by", m.StoredBy, "calling_ai_assistant")
	want := strings.Split(strings.TrimSpace(`
PREPARATION | all problem_identified | | none | INITIAL_CLAIM | none
INITIAL_CLAIM | all claim_ready | financial_org_claim_confirmation | financial_org_response | WAITING_FOR_RESPONSE | STOP_FURTHER_ROUTING
WAITING_FOR_RESPONSE | all initial_claim_registered | financial_org_claim_confirmation | financial_org_response | RESPONSE_RECEIVED OMBUDSMAN REGULATOR | none
RESPONSE_RECEIVED | all response_received | financial_org_response_or_expiry | none | OMBUDSMAN REGULATOR COURT DECISION_RECEIVED | none
OMBUDSMAN | all ombudsman_applicable | financial_org_claim_confirmation financial_org_response_or_expiry | none | OMBUDSMAN_DECISION COURT | PRIMARY_CONTACT_NOT_CONFIRMED
OMBUDSMAN_DECISION | all ombudsman_decision_received | decision_of_financial_ombudsman | court_after_ombudsman | COURT ENFORCEMENT CLOSED | none
COURT | all court_route_eligible | document_package | none | DECISION_RECEIVED | STOP_COURT_PRETRIAL_NOT_COMPLETED
DECISION_RECEIVED | all final_decision_received | decision_document | none | ENFORCEMENT CLOSED | none
ENFORCEMENT | all decision_not_voluntarily_executed | enforcement_document | none | ENFORCEMENT_NO_ACTION CLOSED | none
ENFORCEMENT_NO_ACTION | all enforcement_proceedings_started enforcement_no_action_reported | enforcement_proceedings_confirmation | none | ENFORCEMENT CLOSED | none
CLOSED | any problem_resolved decision_executed user_explicitly_ends_process | | none | | none`), "\n")
	var got []string
	for _, s := range m.States {
		row := []string{s.State, s.EntryCondition.Match + " " + strings.Join(s.EntryCondition.Facts, " "),
			strings.Join(s.RequiredEvidence, " "), s.Deadline, strings.Join(s.Next, " "), s.Stop}
		got = append(got, strings.ReplaceAll(strings.Join(row, " | "), "|  |", "| |"))
	}
	equal(t, "rows", got, want)
	equal(t, "next-only states", fmt.Sprint(m.NextOnly), "[{REGULATOR}]")
	equal(t, "output contract", codes(m.OutputContract, keyOf),
		words("current_state completed_steps missing_requirements next_action next_check_date"))
}

// Every state can be reached, and only a closed case has no way on; REGULATOR,
// which has no row, is the one other end that the specification has.
func TestCaseStatusMachineHasNoDeadEnd(t *testing.T) {
	next := map[string][]string{}
	for _, s := range consumer(t).Machine.States {
		next[s.State] = s.Next
	}
	reached, queue := map[string]bool{}, []string{"PREPARATION"}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		if !reached[state] {
			reached[state] = true
			queue = append(queue, next[state]...)
		}
	}
	for state := range next {
		if !reached[state] {
			t.Errorf("%s cannot be reached", state)
		}
		if len(next[state]) == 0 && state != "CLOSED" {
			t.Errorf("%s leads nowhere", state)
		}
	}
	for state := range reached {
		if _, ok := next[state]; !ok && state != "REGULATOR" {
			t.Errorf("%s has no row", state)
		}
	}
}

var journey = words(`PROBLEM_REPORTED INITIAL_ORIENTATION CASE_CLASSIFIED POSSIBLE_VIOLATION_CHECKED PRIMARY_CONTACT_REQUIRED
	PRIMARY_CONTACT_PREPARATION PRIMARY_CONTACT_SENT REGISTRATION_PROOF_MISSING WAITING_FOR_FINANCIAL_ORGANIZATION
	FINANCIAL_ORGANIZATION_NO_RESPONSE FINANCIAL_ORGANIZATION_RESPONSE_RECEIVED USER_GOAL_IDENTIFIED READY_EXPLANATION_CHECKED
	OMBUDSMAN_ELIGIBILITY_CHECKED AUTHORITY_ROUTE_CHECKED COURT_ROUTE_CHECKED DOCUMENT_PACKAGE_CHECKED READY_FOR_USER_ACTION
	HUMAN_REVIEW_REQUIRED PREPARATION INITIAL_CLAIM WAITING_FOR_RESPONSE RESPONSE_RECEIVED OMBUDSMAN REGULATOR COURT
	OMBUDSMAN_DECISION DECISION_RECEIVED ENFORCEMENT ENFORCEMENT_NO_ACTION CLOSED`)

func TestCaseJourney(t *testing.T) {
	j := consumer(t).Journey
	equal(t, "number of states", len(journey), 31)
	equal(t, "states", codes(j.States, func(s struct{ State, Description string }) string { return s.State }), journey)
	equal(t, "stored by", j.StoredBy, "calling_ai_assistant")
	each(t, "restored from", j.RestoredFrom, "сообщение", "диалог", "документы", "ответы организации",
		"подтверждения регистрации", "решение финансового уполномоченного")
	equal(t, "codes that stand for others", len(j.BranchCodes), 0)
	for _, s := range consumer(t).Machine.States {
		if !slices.Contains(journey, s.State) {
			t.Errorf("%s is no state of the journey", s.State)
		}
	}
}

func TestConsumerRightsReferences(t *testing.T) {
	c := consumer(t)
	equal(t, "guidelines", c.Guidelines, words(
		"consumer-rights.primary-contact.001 consumer-rights.goal-routing.001 "+
			"consumer-rights.ombudsman-eligibility.001 consumer-rights.osago-payout.001 "+
			"consumer-rights.imposed-services.001 consumer-rights.transfer-suspended.001 "+
			"consumer-rights.hardship.001 consumer-rights.collectors.001 consumer-rights.bankruptcy-out-of-court.001 "+
			"consumer-rights.inherited-debt.001 consumer-rights.wrong-transfer.001 "+
			"consumer-rights.dwelling-debt.001 consumer-rights.bonus-dispute.001 "+
			"consumer-rights.debt-limitation.001 consumer-rights.court-order.001 "+
			"consumer-rights.wage-deduction.001 consumer-rights.spouse-debt.001",
	))
	sameSet(t, "parameters", c.Parameters, append(words(`consumer-rights.ombudsman-claim-answer-electronic consumer-rights.ombudsman-claim-answer-other
		consumer-rights.ombudsman-electronic-claim-window consumer-rights.ombudsman-decision-execution
		consumer-rights.court-after-ombudsman-consumer consumer-rights.regulator-forwarding`), parameterIDs...))
}

var parameterIDs = words(`consumer-rights.ombudsman-amount-limit consumer-rights.ombudsman-limitation-period consumer-rights.ombudsman-product-exceptions
	consumer-rights.fo-response-standard-working-days consumer-rights.fo-response-extension-working-days`)
