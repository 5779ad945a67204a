package api

import (
	"net/http"
	"strings"

	"rulestore/server/calc"
)

// calculating are the operations of the calculation engine.
func calculating() []*Operation {
	return []*Operation{{
		Name: "math", ID: "listCalculations", Path: MathPath, Action: ListCalculations,
		Params: []*Param{calculationFamily, calculationRelease, ListLimit, offset},
		Answer: newAnswer(
			"Реестр.", kept, newForm(JSONType, "CalculationList", "CalculationList"), titledForm, pageForm,
		),
	}, {
		Name: "math_tool", ID: "getCalculation", Path: ToolPattern,
		Params: []*Param{toolID}, Action: Calculate,
		Answer:  newAnswer("Инструмент.", kept, newForm(JSONType, "CalculationTool"), titledForm, pageForm),
		Missing: "UnknownTool",
	}, {
		ID: "calculate", Method: http.MethodPost, Path: ToolPattern,
		Params: []*Param{toolID}, Action: Calculate,
		Answer:  calculated("Link=Link-Calculation"),
		Missing: "UnknownTool",
		Body: &Body{
			About: calculationBody, Schema: "CalculationRequest", Examples: []string{"LoanRequest", "DeadlineRequest"},
		},
	}, {
		Name: "math_tool_input_schema", ID: "getCalculationInputSchema", Path: ToolPattern + "/input-schema",
		Params:  []*Param{toolID},
		Answer:  newAnswer("JSON Schema.", kept, newForm(SchemaType, "CalculationSchema")),
		Missing: "UnknownTool", Lenient: true, AnyAccept: true,
	}, {
		Name: "math_tool_output_schema", ID: "getCalculationOutputSchema", Path: ToolPattern + "/output-schema",
		Params:  []*Param{toolID},
		Answer:  newAnswer("JSON Schema.", kept, newForm(SchemaType, "CalculationSchema")),
		Missing: "UnknownTool", Lenient: true, AnyAccept: true,
	}, {
		Name: "legacy_math_loan_calculate", ID: "calculateLoan", Method: http.MethodPost,
		Path: LoanCalculatePath, Action: Calculate,
		Answer:     calculated("Deprecation", "Link=Link-Legacy-Calculation"),
		Deprecated: true,
		Body:       &Body{About: calculationBody, Schema: "CalculationRequest"},
	}, {
		Name: "legacy_math_loan_compare", ID: "compareLoans", Method: http.MethodPost, Path: LoanComparePath,
		Action:     Calculate,
		Answer:     calculated("Deprecation", "Link=Link-Legacy-Calculation"),
		Deprecated: true,
		Body:       &Body{About: calculationBody, Schema: "CalculationRequest"},
	}}
}

// calculationBody says what is posted to a tool.
const calculationBody = "Исходные данные, значения из договора, допуски и что включить в ответ. Состав `inputs` и " +
	"`contract_values` у каждого инструмента свой: его называет схема по адресу " +
	"`/api/v1/math/tools/{tool_id}/input-schema`. Числа лучше передавать строками; незнакомое поле — ошибка. " +
	"Не больше 64 КиБ."

// toolIDs are the calculations there are.
func toolIDs() (all []string) {
	for t := range calc.New().Tools() {
		all = append(all, t.ID)
	}
	return all
}

// families are what calculations are about.
func families() (all []string) {
	for _, f := range calc.Families {
		all = append(all, f.ID)
	}
	return all
}

// releases are the releases of the product that brought calculations.
func releases() []string { return calc.New().Releases() }

// calculated is the answer of a calculation.
func calculated(links ...string) Response {
	return newAnswer("Результат или причина, по которой его нет: `calculation_not_available` и `do_not_guess` — тоже "+
		"ответы.", with(unkept, links...), newForm(JSONType, "Calculation"), titledForm)
}

// Release returns the release without a trailing zero part: 1.5 for 1.5.0.
func Release(given string) string {
	if strings.Count(given, ".") == 2 {
		return strings.TrimSuffix(given, ".0")
	}
	return given
}
