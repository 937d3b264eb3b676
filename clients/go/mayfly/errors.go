package mayfly

import "context"

// An Error is an error answered by the service.
type Error struct {
	// Status is the HTTP status of the answer.
	Status int
	// Code is stable, such as "session_expired".
	Code string
	// Parameter is the parameter at fault, or empty.
	Parameter string
	// RequestID identifies the request in the operator's log.
	RequestID string
	Message   string
}

func (e *Error) Error() string { return e.Message }

// An UnreachableError means that the service could not be reached or did not answer within the time allowed.
type UnreachableError struct {
	Path  string
	Cause error
}

func (e *UnreachableError) Error() string { return "no answer to " + e.Path + ": " + e.Cause.Error() }

func (e *UnreachableError) Unwrap() error { return e.Cause }

// A NearMiss is a message that arrived during a wait, and the reason why it did not match.
type NearMiss struct {
	Message MessageSummary
	Reason  string
}

// A TimeoutError means that no matching message arrived in time. Its text describes what arrived instead, what came for
// others, and what the service refused.
type TimeoutError struct {
	Email      string
	NearMisses []NearMiss
	// Deliveries are the attempts to deliver to the address since the wait began, oldest first.
	Deliveries []Delivery
	// RefusedRecipients are misspelt addresses for which mail was refused recently, newest first.
	RefusedRecipients []RefusedRecipient
	// OtherMail is mail that came, since the inbox was made, to other inboxes of the same client, or, with `mayfly dev`, for
	// recipients that no inbox has; newest first.
	OtherMail []OtherMail
	text      string
}

func (e *TimeoutError) Error() string { return e.text }

// Unwrap returns context.DeadlineExceeded.
func (e *TimeoutError) Unwrap() error { return context.DeadlineExceeded }
