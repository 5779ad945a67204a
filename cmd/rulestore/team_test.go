package main

// The rules that the team writes.
const (
	fees     = "guidelines/bank.fees.001"
	cards    = "guidelines/bank.cards.001"
	savings  = "guidelines/bank.savings.001"
	deposits = "guidelines/bank.deposits.001"
)

func file(item string) string { return item + ".yaml" }
