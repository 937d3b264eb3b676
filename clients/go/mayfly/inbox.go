package mayfly

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// defaultTimeout applies to waits whose context has no deadline.
	defaultTimeout = 30 * time.Second
	// longestPoll is how long the service is asked to hold back one answer.
	longestPoll = 30 * time.Second
	// lastAnswer is how long after the end of a wait the service may still answer.
	lastAnswer = 5 * time.Second
	// hintPatience is how long a request for the mail of another inbox is retried.
	hintPatience = 2 * time.Second
	// exportTime is how long all messages of an inbox may take to arrive.
	exportTime = 5 * time.Minute
	// otherMailMax is the number of newest messages of each other inbox that an error may list.
	otherMailMax = 10
)

// An Inbox is an address and its mail, until it ends. Its methods may be called from several goroutines.
type Inbox struct {
	Email string
	// Token is the only key to the inbox.
	Token string

	transport *transport
	siblings  *siblings
	mu        sync.Mutex
	expiresAt Time
	returned  map[string]map[int64]bool
	seen      map[sought]int64
}

// A Capture is an inbox that takes mail for any recipient: for every address at its own domain, and for any address at
// all on an SMTP connection that logs in as it.
type Capture struct {
	*Inbox
	SMTP SMTPLogin
}

// An SMTPLogin is the SMTP server and login for sending mail to a capture.
type SMTPLogin struct {
	Host     string `json:"host"`
	Port     int    `json:"port"`
	Username string `json:"username"`
	Password string `json:"password"`
}

// ExpiresAt returns when the inbox ends.
func (i *Inbox) ExpiresAt() time.Time {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.expiresAt.Time
}

var (
	tagForm   = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
	localForm = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$")
	gmailForm = regexp.MustCompile(`(?i)^(gmail|googlemail)\.com$`)
)

// Address returns the address with a plus tag, whose mail comes here too. It fails for an invalid tag, and for an alias of a
// Gmail account, which takes none.
func (i *Inbox) Address(tag string) (string, error) {
	local, domain, _ := strings.Cut(i.Email, "@")
	if !tagForm.MatchString(tag) {
		return "", fmt.Errorf("mayfly: not a tag: %q", tag)
	}
	if gmailForm.MatchString(domain) {
		return "", errors.New("mayfly: an alias of a Gmail account takes no further tag")
	}
	return local + "+" + tag + "@" + domain, nil
}

// Address returns the address at the capture's domain with this local part.
func (c *Capture) Address(localPart string) (string, error) {
	if !localForm.MatchString(localPart) {
		return "", fmt.Errorf("mayfly: not a local part: %q", localPart)
	}
	return localPart + c.Email[strings.LastIndexByte(c.Email, '@'):], nil
}

// WaitForMessage waits for the oldest matching message that no earlier call returned, and returns it. Messages already there
// count. It fails with a *TimeoutError at the deadline of ctx, or after 30 seconds if ctx has none.
func (i *Inbox) WaitForMessage(ctx context.Context, match Match) (*Message, error) {
	return wait(ctx, i, wanted[*Message]{
		kind: "message", what: "message", match: match,
		pick: func(message *Message) (*Message, bool) { return message, true },
	})
}

// WaitForCode waits for the oldest message with a code that no earlier call used, and returns the code; otherwise like
// WaitForMessage.
func (i *Inbox) WaitForCode(ctx context.Context, match Match) (string, error) {
	what := "code"
	if match.CodeKind != "" {
		what = match.CodeKind + " code"
	} else {
		match.HasCode = true
	}
	pick := func(message *Message) (string, bool) { return findCode(message, match.CodeKind) }
	return wait(ctx, i, wanted[string]{kind: what, what: "message", match: match, pick: pick})
}

// WaitForLink waits for the oldest message with a matching link that no earlier such call used, and returns the first;
// otherwise like WaitForMessage.
func (i *Inbox) WaitForLink(ctx context.Context, match LinkMatch) (MessageLink, error) {
	what, values := "link", url.Values{}
	if match.Kind != "" {
		what = match.Kind + " link"
	}
	// The service can filter by these kinds of links; others are filtered here.
	if slices.Contains([]string{"verify", "login", "reset"}, match.Kind) {
		values.Set("link", match.Kind)
	}
	if match.Host != "" {
		what += " to " + match.Host
	}
	return wait(ctx, i, wanted[MessageLink]{
		kind: what, what: "message with a " + what, match: match.Match, values: values, pick: match.find,
	})
}

// Messages returns the matching messages, newest first.
func (i *Inbox) Messages(ctx context.Context, match Match) ([]MessageSummary, error) {
	var answer struct{ Messages []MessageSummary }
	err := i.call(ctx, http.MethodGet, "/check-mail", match.values(), &answer)
	return answer.Messages, err
}

// Read returns a whole message, and marks it as read.
func (i *Inbox) Read(ctx context.Context, id int64) (*Message, error) {
	var answer struct{ Message *Message }
	err := i.call(ctx, http.MethodGet, "/read-mail", idValues(id), &answer)
	return answer.Message, err
}

// Report returns what the sender of a message would like to know before sending it. The message stays unread.
func (i *Inbox) Report(ctx context.Context, id int64) (*MailReport, error) {
	var answer struct{ Report *MailReport }
	err := i.call(ctx, http.MethodGet, "/report", idValues(id), &answer)
	return answer.Report, err
}

// Raw returns the raw bytes, preceded by two header fields of the service.
func (i *Inbox) Raw(ctx context.Context, id int64) ([]byte, error) {
	return i.transport.getBytes(ctx, request{method: http.MethodGet, path: "/raw-mail", form: idValues(id), token: i.Token})
}

// Import stores the message of an .eml file as if it had just arrived. It returns its ID.
func (i *Inbox) Import(ctx context.Context, file []byte) (int64, error) {
	var answer struct{ ID int64 }
	err := i.transport.getJSON(ctx, request{method: http.MethodPost, path: "/import", file: file, token: i.Token}, &answer)
	return answer.ID, err
}

// Export returns all messages as one mbox file (mboxrd), oldest first.
func (i *Inbox) Export(ctx context.Context) ([]byte, error) {
	return i.transport.getBytes(ctx, request{method: http.MethodGet, path: "/export", token: i.Token, held: exportTime})
}

// Attachment returns the decoded bytes of the attachment with the ID part.
func (i *Inbox) Attachment(ctx context.Context, id int64, part string) ([]byte, error) {
	form := idValues(id)
	form.Set("part", part)
	return i.transport.getBytes(ctx, request{method: http.MethodGet, path: "/attachment", form: form, token: i.Token})
}

// Delete deletes one message.
func (i *Inbox) Delete(ctx context.Context, id int64) error {
	return i.call(ctx, http.MethodPost, "/delete-mail", idValues(id), nil)
}

// DeleteAll deletes every message.
func (i *Inbox) DeleteAll(ctx context.Context) error {
	return i.call(ctx, http.MethodPost, "/delete-mail", url.Values{"all": {"1"}}, nil)
}

// DeliveryLog returns the last attempts to deliver here, newest first, including refused ones.
func (i *Inbox) DeliveryLog(ctx context.Context) ([]Delivery, error) {
	session, err := i.session(ctx)
	return session.Deliveries, err
}

// Extend moves the end to lifetime from now, zero for the service's usual lifetime, but never to an earlier time. It returns
// the end.
func (i *Inbox) Extend(ctx context.Context, lifetime time.Duration) (time.Time, error) {
	form := url.Values{}
	if lifetime > 0 {
		form.Set("lifetime", strconv.Itoa(int(lifetime.Seconds())))
	}
	var answer struct {
		ExpiresAt Time `json:"expires_at"`
	}
	if err := i.call(ctx, http.MethodPost, "/extend-session", form, &answer); err != nil {
		return time.Time{}, err
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.expiresAt = answer.ExpiresAt
	return answer.ExpiresAt.Time, nil
}

// End ends the inbox and deletes its mail. It does nothing if the inbox has ended already.
func (i *Inbox) End(ctx context.Context) error {
	err := i.call(ctx, http.MethodPost, "/end-session", nil, nil)
	var answered *Error
	if errors.As(err, &answered) && (answered.Status == http.StatusGone || answered.Code == "unknown_token") {
		err = nil
	}
	if err == nil {
		i.siblings.remove(i.Email)
	}
	return err
}

// Close ends the inbox, for defer.
func (i *Inbox) Close() error { return i.End(context.Background()) }

type session struct {
	Deliveries []Delivery
	NearMisses []RefusedRecipient `json:"near_misses"`
	OtherMail  []OtherMail        `json:"other_mail"`
	CreatedAt  Time               `json:"created_at"`
	ExpiresAt  Time               `json:"expires_at"`
	ExpiresIn  int64              `json:"expires_in"`
}

// now returns the current time by the service's clock.
func (s session) now() time.Time { return s.ExpiresAt.Add(-time.Duration(s.ExpiresIn) * time.Second) }

func (i *Inbox) session(ctx context.Context) (session, error) {
	var answer session
	err := i.call(ctx, http.MethodGet, "/session", nil, &answer)
	return answer, err
}

func (i *Inbox) call(ctx context.Context, method, path string, form url.Values, result any) error {
	if result == nil {
		result = &struct{}{}
	}
	return i.transport.getJSON(ctx, request{method: method, path: path, form: form, token: i.Token}, result)
}

func idValues(id int64) url.Values { return url.Values{"id": {strconv.FormatInt(id, 10)}} }

// findCode returns the code of a message: the one that lists show, or the first of a kind.
func findCode(message *Message, kind string) (string, bool) {
	if kind == "" && message.Code != nil {
		return *message.Code, true
	}
	for _, code := range message.Codes {
		if code.Kind == kind || (kind == "" && code.Kind != "quoted") {
			return code.Value, true
		}
	}
	return "", false
}

// A sought is what one call waits for, as a key: LinkMatch's kind and host are part of the kind.
type sought struct {
	kind  string
	match Match
}

// A wanted describes what to wait for. Calls of the same kind never return a message twice.
type wanted[T any] struct {
	kind   string
	what   string
	match  Match
	values url.Values
	pick   func(*Message) (T, bool)
}

func wait[T any](ctx context.Context, i *Inbox, want wanted[T]) (T, error) {
	var none T
	started := time.Now()
	until, ok := ctx.Deadline()
	if !ok {
		until = started.Add(defaultTimeout)
	}
	// The last answer may come after the deadline; an earlier cancellation takes effect at once.
	asking, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	defer context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel(context.Cause(ctx))
		}
	})()
	for after := i.seenUntil(want.kind, want.match); ; {
		left := max(0, time.Until(until))
		message, err := i.poll(asking, want.match, want.values, after, left)
		if err != nil {
			return none, err
		}
		if message != nil {
			after = message.ID
			i.markSeen(want.kind, want.match, after)
			if picked, ok := want.pick(message); ok && i.markReturned(want.kind, message.ID) {
				return picked, nil
			}
			continue
		}
		if !time.Now().Before(until) {
			return none, i.explain(asking, want.kind, want.match, want.what, time.Since(started))
		}
	}
}

// poll returns the oldest matching message after the id, or nil when none came in time.
func (i *Inbox) poll(ctx context.Context, match Match, values url.Values, after int64, left time.Duration) (*Message, error) {
	held := min(left, longestPoll)
	form := match.values()
	maps.Copy(form, values)
	form.Set("after", strconv.FormatInt(after, 10))
	form.Set("timeout", strconv.Itoa(int((held+time.Second-1)/time.Second)))
	asked := request{
		method: http.MethodGet, path: "/wait-mail", form: form, token: i.Token,
		held: held + time.Second, patience: left + lastAnswer,
	}
	var answer struct{ Message *Message }
	err := i.transport.getJSON(ctx, asked, &answer)
	return answer.Message, err
}

// seenUntil returns the newest message that calls for the same thing have looked at: the next one begins there.
func (i *Inbox) seenUntil(kind string, match Match) int64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return max(match.After, i.seen[sought{kind, match}])
}

func (i *Inbox) markSeen(kind string, match Match, id int64) {
	i.mu.Lock()
	defer i.mu.Unlock()
	same := sought{kind, match}
	i.seen[same] = max(id, i.seen[same])
}

// markReturned reports whether no call of this kind had returned the message before.
func (i *Inbox) markReturned(kind string, id int64) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.returned[kind] == nil {
		i.returned[kind] = map[int64]bool{}
	}
	isNew := !i.returned[kind][id]
	i.returned[kind][id] = true
	return isNew
}

func (i *Inbox) explain(ctx context.Context, kind string, match Match, what string, waited time.Duration) error {
	messages, err := i.Messages(ctx, Match{})
	if err != nil {
		return err
	}
	session, err := i.session(ctx)
	if err != nil {
		return err
	}
	otherMail := append(session.OtherMail, i.mailOfSiblings(ctx, session.CreatedAt)...)
	slices.SortStableFunc(otherMail, func(one, other OtherMail) int { return other.ReceivedAt.Compare(one.ReceivedAt.Time) })
	i.mu.Lock()
	returned := maps.Clone(i.returned[kind])
	i.mu.Unlock()
	ended := endedWait{
		email: i.Email, service: i.transport.service(), match: match, what: what, returned: returned, waited: waited, now: session.now(),
		messages: messages, deliveries: session.Deliveries, refused: session.NearMisses, otherMail: otherMail,
	}
	return ended.explain()
}

// mailOfSiblings leaves out what cannot be read: its errors must not replace the one that the list is for.
func (i *Inbox) mailOfSiblings(ctx context.Context, since Time) []OtherMail {
	var found []OtherMail
	for _, token := range i.siblings.tokensBesides(i.Email) {
		var answer struct{ Messages []OtherMail }
		err := i.transport.getJSON(ctx, request{
			method: http.MethodGet, path: "/check-mail", form: url.Values{"limit": {strconv.Itoa(otherMailMax)}}, token: token,
			patience: hintPatience,
		}, &answer)
		var answered *Error
		if err != nil && !errors.As(err, &answered) {
			break
		}
		for _, mail := range answer.Messages {
			if !mail.ReceivedAt.Before(since.Time) {
				found = append(found, mail)
			}
		}
	}
	return found
}
