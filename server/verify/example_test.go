package verify_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"rulestore/content/log"
	"rulestore/server/verify"
)

// A program that reads rules from a server checks first that its log is the one that two
// parties have signed within two days, and goes on from what was there the last time.
func Example() {
	const state = "rules.state"
	policy, err := log.NewPolicy(
		"rules.example.org/log+1ab7ede7+ARe6e8aA5i+deutY9FV+Ds7Ib3/MD2vqiO1IzxFHewJa",
		[]string{"audit.example.org+553b5dc9+BIJ53si1BAswQQReOOAAgBTYNyCYgyclH5HTUMHAsRFc"}, 1, 48*time.Hour,
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	l := verify.Log{Policy: policy, Remember: func(signed []byte) error { return os.WriteFile(state, signed, 0o600) }}
	switch seen, err := os.ReadFile(state); {
	case err == nil:
		if l.Last, err = policy.Seen(seen); err != nil {
			fmt.Println(err)
			return
		}
	case !errors.Is(err, fs.ErrNotExist):
		fmt.Println(err)
		return
	}
	r, err := verify.Run(context.Background(), verify.Config{URL: "https://rules.example.org", Log: &l})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range r.Differences {
		fmt.Println(d.What, d.Problem, d.Expected, d.Found)
	}
}
