package calc

// mortgageSchedule1 refuses a loan whose payment does not cover the interest of some period.
var mortgageSchedule1 = &Tool{
	ID:       "mortgage_schedule",
	Version:  "1.0.0",
	Inputs:   datedInputs(),
	Outputs:  datedOutputs("Проценты в первом платеже"),
	Schedule: datedColumns[:7],
	PSK:      true,
	Check:    checkMortgageSchedule,
	Compute:  computeMortgageSchedule1,
}

func computeMortgageSchedule1(in In, out *Out) error {
	at := 0
	l, ds, err := scheduledLoan(in, out, func(l *loan, accrue accrual) (*plan, error) {
		return amortize(l.principal, l.months, l.level, 0, func(k int, s Money) Money {
			at = k
			return accrue(k, s)
		})
	})
	if err == PaymentDoesNotAmortize {
		warnRow(in, out, at, ds[at])
	}
	if err != nil {
		return err
	}
	l.datedResults(in, out, ds)
	l.warnRounding(out)
	l.datedSchedule(out, ds)
	return nil
}

func warnRow(in In, out *Out, row int, due Date) {
	pointer := ""
	if row == 1 && in.Has("first_due_date") {
		pointer = "/inputs/first_due_date"
	}
	out.Warn("payment_does_not_amortize: row", pointer, row, due)
}
