package mayfly

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// A Match is a set of conditions on a message, all of which must hold. Texts match anywhere, ignoring case.
type Match struct {
	// From is text in the sender's address or name.
	From string
	// To is text in a recipient's address.
	To      string
	Subject string
	// Contains is text in the subject, the readable text or the name of an attachment.
	Contains string
	// HasCode requires a message with a code of kind "otp", "pin" or "pickup".
	HasCode bool
	// CodeKind requires a code of this kind: "otp", "pin", "pickup", "password", "backup" or "quoted".
	CodeKind string
	// Q is a search as a person types it: words, "phrases", from:ann, subject:order, has:attachment, is:unread.
	Q string
	// After is the ID of a message; only later ones match.
	After int64
}

// A LinkMatch is a set of conditions on a link and its message.
type LinkMatch struct {
	Match
	// Kind is the link's apparent purpose, such as "verify", "login" or "reset".
	Kind string
	// Host is the link's host or a parent domain of it.
	Host string
}

func (m Match) values() url.Values {
	values := url.Values{}
	for name, value := range map[string]string{"from": m.From, "to": m.To, "subject": m.Subject, "contains": m.Contains, "code_kind": m.CodeKind, "q": m.Q} {
		if value != "" {
			values.Set(name, value)
		}
	}
	if m.HasCode {
		values.Set("has_code", "1")
	}
	if m.After > 0 {
		values.Set("after", strconv.FormatInt(m.After, 10))
	}
	return values
}

func (m Match) describe(what string) string {
	parts := []string{what}
	if m.CodeKind != "" {
		parts = append(parts, "with a code of kind "+m.CodeKind)
	} else if m.HasCode {
		parts = append(parts, "with a code")
	}
	for _, part := range []struct{ word, value string }{
		{"from", m.From}, {"to", m.To}, {"with subject", m.Subject}, {"containing", m.Contains}, {"found by", m.Q},
	} {
		if part.value != "" {
			parts = append(parts, fmt.Sprintf("%s %q", part.word, part.value))
		}
	}
	return strings.Join(parts, " ")
}

// whyNot returns the reason why a message did not match, as far as the list shows it.
func (m Match) whyNot(message MessageSummary) string {
	switch {
	case !holds(message.SenderName+" <"+message.SenderEmail+">", m.From):
		return fmt.Sprintf("not from %q", m.From)
	case !holds(strings.Join(message.Recipients, "\n"), m.To):
		return fmt.Sprintf("not to %q, but to %s", m.To, strings.Join(message.Recipients, ", "))
	case !holds(message.Subject, m.Subject):
		return "another subject"
	case m.HasCode && message.Code == nil:
		return "no code in it"
	case message.ID <= m.After:
		return fmt.Sprintf("not after message %d", m.After)
	}
	return "no match in its text or links"
}

func (m LinkMatch) find(message *Message) (MessageLink, bool) {
	for _, link := range message.Links {
		if (m.Kind == "" || link.Kind == m.Kind) && (m.Host == "" || isHostOf(link.URL, m.Host)) {
			return link, true
		}
	}
	return MessageLink{}, false
}

func isHostOf(link, host string) bool {
	parsed, err := url.Parse(link)
	if err != nil {
		return false
	}
	found, host := strings.ToLower(parsed.Hostname()), strings.ToLower(host)
	return found == host || strings.HasSuffix(found, "."+host)
}

func holds(text, part string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(part))
}
