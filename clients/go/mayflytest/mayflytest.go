// Package mayflytest creates inboxes for tests, and logs the mail of failed tests.
package mayflytest

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/mayfly-mail/mayfly/clients/go/mayfly"
)

// Inbox creates an inbox for the test on the service at MAYFLY_URL; it ends with the test.
func Inbox(t testing.TB) *mayfly.Inbox {
	t.Helper()
	inbox, err := client().CreateInbox(context.Background(), mayfly.InboxOptions{})
	if err != nil {
		t.Fatalf("mayflytest: %v", err)
	}
	t.Cleanup(func() { finish(t, inbox) })
	return inbox
}

// Capture creates an inbox for any recipient on the service at MAYFLY_URL; it ends with the test.
func Capture(t testing.TB) *mayfly.Capture {
	t.Helper()
	capture, err := client().CreateCapture(context.Background(), mayfly.CaptureOptions{})
	if err != nil {
		t.Fatalf("mayflytest: %v", err)
	}
	t.Cleanup(func() { finish(t, capture.Inbox) })
	return capture
}

// client returns one client for all tests of a service: its errors tell what came to their other inboxes.
func client() *mayfly.Client {
	asked := [2]string{os.Getenv("MAYFLY_URL"), os.Getenv("MAYFLY_API_KEY")}
	made, _ := clients.LoadOrStore(asked, mayfly.New(mayfly.Options{}))
	return made.(*mayfly.Client)
}

// clients are the clients by the environment.
var clients sync.Map

func finish(t testing.TB, inbox *mayfly.Inbox) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if t.Failed() {
		describe(ctx, t, inbox)
	}
	if err := inbox.End(ctx); err != nil {
		t.Errorf("mayflytest: %v", err)
	}
}

func describe(ctx context.Context, t testing.TB, inbox *mayfly.Inbox) {
	messages, err := inbox.Messages(ctx, mayfly.Match{})
	if err != nil {
		t.Logf("mayflytest: the mail of %s: %v", inbox.Email, err)
		return
	}
	t.Logf("%d messages came to %s", len(messages), inbox.Email)
	for _, message := range messages {
		t.Logf("  %s %q from %s", message.ReceivedAt.Format("15:04:05"), message.Subject, message.SenderEmail)
	}
	deliveries, err := inbox.DeliveryLog(ctx)
	if err != nil {
		t.Logf("mayflytest: the delivery log of %s: %v", inbox.Email, err)
		return
	}
	for _, delivery := range deliveries {
		t.Logf("  %s %s: %s", delivery.At.Format("15:04:05"), delivery.Outcome, delivery.Reply)
	}
}
