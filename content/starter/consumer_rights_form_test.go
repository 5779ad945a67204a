package starter_test

// What the tests read of the instruction on consumer rights.
type (
	consumerRights struct {
		InstructionID   string `json:"instruction_id"`
		Language        string
		AcceptsData     *bool  `json:"resource_accepts_user_data"`
		AcceptsFiles    *bool  `json:"resource_accepts_documents"`
		StoresState     *bool  `json:"resource_stores_case_state"`
		Generates       *bool  `json:"resource_generates_user_documents"`
		Submits         *bool  `json:"resource_submits_appeals"`
		PerformedBy     string `json:"performed_by"`
		Applicability   struct{ Triggers []string }
		RoutingPriority []string `json:"routing_priority"`
		RoutingRules    struct {
			PrimaryRoutesPerCase int `json:"primary_routes_per_case"`
			Rules                []textRule
		} `json:"routing_rules"`
		Dialogue struct {
			MaxClarifyingQuestions int                            `json:"max_clarifying_questions"`
			QuestionPriority       []struct{ Code, Title string } `json:"question_priority"`
			AskOnlyIf              []string                       `json:"ask_only_if"`
			QuestionMustAffect     []string                       `json:"question_must_affect"`
			Rules                  []textRule
		}
		Classification struct {
			LocalOnly             bool `json:"local_only"`
			Sector                []coded
			EventType             []coded `json:"event_type"`
			UserGoal              []coded `json:"user_goal"`
			Product               string
			OrganizationType      string   `json:"organization_type"`
			OrganizationLegalName []string `json:"organization_legal_name"`
			Directory             string   `json:"organization_directory_url"`
		}
		Violation struct {
			Results []struct{ Code, Phrasing string }
			Never   []string `json:"prohibited_statements"`
			Missing []string `json:"insufficient_data_answer"`
		} `json:"violation_assessment"`
		GoalRouting struct {
			Guideline string
			Goals     []goal
		} `json:"goal_routing"`
		PrimaryContact struct {
			Guideline      string
			StopCode       string   `json:"stop_code"`
			NextStep       string   `json:"next_step"`
			MinimumContent []string `json:"minimum_content"`
			NotRequired    []string `json:"not_required"`
		} `json:"primary_contact"`
		RegistrationProof struct {
			Forms          []string `json:"acceptable_forms"`
			StateIfMissing string   `json:"state_if_missing"`
			IfMissing      []string `json:"if_missing"`
		} `json:"registration_proof"`
		ResponseDeadline struct {
			Standard  string   `json:"standard_period_parameter"`
			Extension string   `json:"extension_period_parameter"`
			ReadFrom  string   `json:"read_from"`
			HardCoded *bool    `json:"hard_coded_values_allowed"`
			Tracked   []keyed  `json:"tracked_locally"`
			Rules     []string `json:"answer_rules"`
			Branches  []struct {
				Code, State string
				Actions     []string
			}
		} `json:"response_deadline"`
		Timeline struct {
			Guideline     string
			Tool          string
			IfUnconfirmed string `json:"if_unconfirmed"`
			Rules         []struct {
				RuleID     string `json:"rule_id"`
				StartEvent string `json:"start_event"`
				Period     string `json:"period_parameter"`
				DayType    string `json:"day_type"`
				Extension  struct {
					Allowed  bool
					Period   string `json:"period_parameter"`
					Notified bool   `json:"requires_notification"`
				}
				NextAction string `json:"next_action_if_expired"`
				Automatic  *bool  `json:"automatic_escalation"`
				ValidFrom  string `json:"valid_from"`
				Status     string
			}
			OutputContract []keyed `json:"output_contract"`
		}
		Evidence struct {
			Guideline             string
			LocalOnly             bool  `json:"local_only"`
			SentToService         *bool `json:"sent_to_service"`
			ReuseExisting         bool  `json:"reuse_existing"`
			Required, Recommended []evidence
			MissingCheck          struct{ Keys []keyed } `json:"missing_check"`
		}
		Eligibility struct {
			Guideline  string
			Parameters []string
			Checks     []string `json:"minimum_checks"`
			StopCodes  []struct {
				StopCode    string `json:"stop_code"`
				Explanation string
				NextRoute   string `json:"next_route"`
			} `json:"stop_codes"`
			OnStop []string `json:"on_stop"`
		} `json:"ombudsman_eligibility"`
		CentralBank struct {
			For      []string `json:"applicable_for"`
			NotFor   []string `json:"not_applicable_for"`
			StopCode string   `json:"stop_code"`
			Rule     string
			URL      string `json:"official_url"`
		} `json:"central_bank_routing"`
		Others struct {
			Authorities []struct {
				Subject, Body string
				URL           string `json:"official_url"`
			}
			Verify []string
		} `json:"other_authorities"`
		Administrative struct {
			Goals     []string `json:"applicable_goals"`
			NotGoals  []string `json:"not_applicable_goals"`
			Facts     []string `json:"prerequisite_facts"`
			StopCode  string   `json:"stop_code"`
			Never     []string `json:"prohibited_phrasing"`
			Permitted []string `json:"permitted_phrasing"`
			Limits    []string
		} `json:"administrative_branch"`
		Court struct {
			When         []string `json:"applicable_when"`
			NotWhen      []string `json:"not_applicable_when"`
			StopCode     string   `json:"stop_code"`
			DisputeTypes []coded  `json:"dispute_types"`
			Checks       []string `json:"prerequisite_checks"`
			Limits       []string
		} `json:"court_branch"`
		Appeal struct {
			Guideline    string
			Entry        []string `json:"entry_conditions"`
			Route        string
			DistinctFrom string   `json:"distinct_from"`
			Deadline     string   `json:"deadline_rule"`
			Documents    []string `json:"required_documents"`
			Reuse        bool     `json:"reuse_existing"`
		} `json:"ombudsman_appeal"`
		Enforcement struct {
			Guideline string
			Check     string
			Voluntary []struct {
				Executed bool
				State    string
			} `json:"voluntary_execution"`
			Inputs []struct {
				InputID string `json:"input_id"`
			}
			Routes   []coded
			NoAction struct {
				CurrentState string `json:"current_state"`
				Facts        []string
				NextState    string `json:"next_state"`
				Automatic    *bool  `json:"automatic_statement_generation"`
			} `json:"no_action"`
			Closure []string
		}
		Explanations struct {
			SearchBy string `json:"search_performed_by"`
			State    string
			Criteria []string `json:"match_criteria"`
			IfFound  []string `json:"if_found"`
			Dispute  string   `json:"property_dispute"`
		} `json:"official_explanations"`
		Package struct {
			LocalOnly bool     `json:"local_only"`
			Send      *bool    `json:"send_to_finkult_resource"`
			Reuse     bool     `json:"reuse_existing"`
			Tasks     []string `json:"agent_tasks"`
			Documents []string `json:"base_documents"`
			Never     []string `json:"prohibited_phrases"`
		} `json:"document_package"`
		Readiness struct {
			Statuses  []coded
			IfMissing []string `json:"if_missing"`
		} `json:"readiness_check"`
		Result struct {
			LocalOnly bool `json:"local_only"`
			Fields    []resultField
		} `json:"local_result_contract"`
		Prohibited []string `json:"prohibited_actions"`
		Trace      struct {
			LocalOnly bool          `json:"local_only"`
			Fields    []resultField `json:"required_fields"`
		} `json:"usage_trace"`
		StopCodes []struct {
			StopCode  string `json:"stop_code"`
			Condition string
			Action    string
		} `json:"stop_codes"`
		Machine struct {
			Guideline      string
			StoredBy       string `json:"stored_by"`
			States         []caseState
			NextOnly       []struct{ State string } `json:"next_only_states"`
			OutputContract []keyed                  `json:"output_contract"`
		} `json:"case_status_machine"`
		Journey struct {
			StoredBy     string   `json:"stored_by"`
			RestoredFrom []string `json:"restored_from"`
			States       []struct{ State, Description string }
			BranchCodes  []struct {
				BranchCode string `json:"branch_code"`
				State      string
			} `json:"branch_codes"`
		}
		Guidelines []string `json:"referenced_guidelines"`
		Parameters []string `json:"external_parameters"`
	}

	textRule struct {
		RuleID string `json:"rule_id"`
		Text   string
	}
	coded struct{ Code, Description string }
	keyed struct{ Key, Description string }
	goal  struct {
		Goal     string
		Sequence []string
		Excluded []string
		Rule     string
		StopCode string `json:"stop_code"`
	}
	evidence struct {
		EvidenceID string `json:"evidence_id"`
		Route      string
		Forms      []string `json:"accepted_forms"`
	}
	resultField struct {
		Key, Type string
		Nullable  bool
		Allowed   []string `json:"allowed_values"`
		Fields    []resultField
	}
	caseState struct {
		State          string
		EntryCondition struct {
			Match string
			Facts []string
		} `json:"entry_condition"`
		RequiredEvidence []string `json:"required_evidence"`
		Deadline         string   `json:"applicable_deadline"`
		Next             []string `json:"allowed_next_states"`
		Stop             string   `json:"stop_condition"`
	}
)
