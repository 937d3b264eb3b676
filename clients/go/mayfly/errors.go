package mayfly

import "context"

// An Error is what the service answered a call with.
type Error struct {
	// Status is that of the HTTP answer.
	Status int
	// Code is stable, such as "session_expired".
	Code string
	// Parameter is the one at fault, or empty.
	Parameter string
	// RequestID is that under which the operator finds the request in the log.
	RequestID string
	Message   string
}

func (e *Error) Error() string { return e.Message }

// An UnreachableError says that the service did not answer for as long as the call might take.
type UnreachableError struct {
	Path  string
	Cause error
}

func (e *UnreachableError) Error() string { return "no answer to " + e.Path + ": " + e.Cause.Error() }

func (e *UnreachableError) Unwrap() error { return e.Cause }

// A NearMiss is a message that came, and why it is not the one that was waited for.
type NearMiss struct {
	Message MessageSummary
	Reason  string
}

// A TimeoutError says that nothing that matches came in time, what came instead, and what the service refused.
type TimeoutError struct {
	Email      string
	NearMisses []NearMiss
	// Deliveries are the attempts to deliver to the address since the wait began, oldest first.
	Deliveries []Delivery
	// RefusedRecipients are misspelt addresses that mail was refused for lately, newest first.
	RefusedRecipients []RefusedRecipient
	text              string
}

func (e *TimeoutError) Error() string { return e.text }

// Unwrap returns context.DeadlineExceeded.
func (e *TimeoutError) Unwrap() error { return context.DeadlineExceeded }
