package mayfly

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
)

const missesShownMax = 10

// An endedWait holds the data for explaining a wait that timed out; its lists are newest first.
type endedWait struct {
	email      string
	service    string // which service was asked: a sentence
	match      Match
	what       string
	returned   map[int64]bool
	waited     time.Duration
	now        time.Time
	messages   []MessageSummary
	deliveries []Delivery
	refused    []RefusedRecipient
	otherMail  []OtherMail
}

func (w endedWait) explain() *TimeoutError {
	made := &TimeoutError{Email: w.email, RefusedRecipients: w.refused}
	lines := []string{fmt.Sprintf("No %s came to %s within %s.", w.match.describe(w.what), w.email, seconds(w.waited))}
	for _, message := range w.messages[:min(len(w.messages), missesShownMax)] {
		reason := w.match.whyNot(message)
		if w.returned[message.ID] {
			reason = "returned by an earlier call"
		}
		made.NearMisses = append(made.NearMisses, NearMiss{message, reason})
	}
	since := w.now.Add(-w.waited - time.Second)
	for _, delivery := range w.deliveries {
		if !delivery.At.Before(since) {
			made.Deliveries = append([]Delivery{delivery}, made.Deliveries...)
		}
	}
	if len(made.NearMisses) > 0 {
		lines = append(lines, "What is there:")
	}
	for _, miss := range made.NearMisses {
		lines = append(lines, "  "+describeMiss(miss, w.now))
	}
	if older := len(w.messages) - len(made.NearMisses); older > 0 {
		lines = append(lines, fmt.Sprintf("  and %d older messages", older))
	}
	if len(made.Deliveries) > 0 {
		lines = append(lines, "What the service answered senders meanwhile:")
	}
	for _, delivery := range made.Deliveries[max(0, len(made.Deliveries)-missesShownMax):] {
		lines = append(lines, "  "+describeDelivery(delivery))
	}
	if len(w.messages) == 0 && len(made.Deliveries) == 0 {
		lines = append(lines, fmt.Sprintf("Nothing was sent to %s that the service knows of.", w.email))
	}
	made.OtherMail = w.otherMail[:min(len(w.otherMail), missesShownMax)]
	if len(made.OtherMail) > 0 {
		lines = append(lines, "What came for others since the inbox was made:")
	}
	for _, mail := range made.OtherMail {
		lines = append(lines, "  "+describeOther(mail, w.now))
	}
	if len(w.refused) > 0 {
		lines = append(lines, "Addresses like it that mail was refused for:")
	}
	for _, refused := range w.refused {
		lines = append(lines, "  "+describeRefused(refused, w.now))
	}
	lines = append(lines, w.service)
	made.text = strings.Join(lines, "\n")
	return made
}

func describeOther(mail OtherMail, now time.Time) string {
	return fmt.Sprintf(
		"%s ago, %q from %s to %s",
		age(mail.ReceivedAt, now), mail.Subject, senderOf(mail.SenderEmail), strings.Join(mail.Recipients, ", "),
	)
}

func senderOf(email string) string { return cmp.Or(email, "an unknown sender") }

func describeMiss(miss NearMiss, now time.Time) string {
	return fmt.Sprintf("%s ago, %q from %s: %s", age(miss.Message.ReceivedAt, now), miss.Message.Subject, senderOf(miss.Message.SenderEmail), miss.Reason)
}

func describeDelivery(delivery Delivery) string {
	sender := "<>"
	if delivery.MailFrom != nil {
		sender = *delivery.MailFrom
	}
	return fmt.Sprintf("%s %s mail from %s: %s", delivery.At.Format("15:04:05"), delivery.Outcome, sender, delivery.Reply)
}

func describeRefused(refused RefusedRecipient, now time.Time) string {
	return fmt.Sprintf("%s ago, one RCPT to %s was refused: unknown (%s)", age(refused.At, now), refused.Recipient, refused.Reply)
}

func age(at Time, now time.Time) string { return seconds(max(0, now.Sub(at.Time))) }

func seconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Round(100*time.Millisecond))/float64(time.Second), 'f', -1, 64) + " s"
}
