package main

import (
	"strings"
	"testing"
)

func TestTabulate(t *testing.T) {
	var out strings.Builder
	failed, err := tabulate(strings.NewReader(`{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestFaultKill"}
{"Action":"output","Package":"p","Test":"TestFaultKill","Output":"    faults_test.go:71: killed 6 times | all are served\n"}
{"Action":"run","Package":"p","Test":"TestHeals/a"}
{"Action":"pass","Package":"p","Test":"TestHeals/a","Elapsed":1}
{"Action":"output","Package":"p","Test":"TestHeals/b","Output":"    heal_test.go:7: not healed\n"}
{"Action":"fail","Package":"p","Test":"TestHeals/b","Elapsed":1}
{"Action":"fail","Package":"p","Test":"TestHeals","Elapsed":2}
{"Action":"pass","Package":"p","Test":"TestFaultKill","Elapsed":3.25}
{"Action":"skip","Package":"p","Test":"TestOther","Elapsed":0}
{"Action":"pass","Package":"p","Elapsed":9}
`), &out)
	if !failed || err != nil {
		t.Errorf("%v, %v", failed, err)
	}
	const want = `| fault | result | seconds | seen |
|---|---|---|---|
| Heals | fail | 2.0 | 1 of 2 cases |
| Kill | pass | 3.2 | killed 6 times \| all are served |
| Other | skip | 0.0 |  |

TestHeals
    heal_test.go:7: not healed
`
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}

func TestTabulateWhatDoesNotBuild(t *testing.T) {
	var out strings.Builder
	failed, err := tabulate(strings.NewReader(`{"ImportPath":"p.test","Action":"build-output","Output":"a_test.go:1:1: expected 'package'\n"}
{"ImportPath":"p.test","Action":"build-fail"}
{"Action":"fail","Package":"p","Elapsed":0}
`), &out)
	if !failed || err != nil || !strings.Contains(out.String(), "expected 'package'") {
		t.Errorf("%v, %v\n%s", failed, err, &out)
	}
}

func TestTabulateWhatIsNoJSON(t *testing.T) {
	if failed, err := tabulate(strings.NewReader("panic\n"), &strings.Builder{}); !failed || err == nil {
		t.Errorf("%v, %v", failed, err)
	}
}
