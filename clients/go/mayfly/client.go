// Package mayfly creates temporary e-mail inboxes on a Mayfly service, for tests and scripts, and waits for the codes, links
// and messages that arrive in them.
package mayfly

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

const defaultURL = "http://127.0.0.1:8080"

// A Client creates inboxes on one service. Its methods may be called from several goroutines.
type Client struct {
	// URL of the service, with its base path.
	URL string

	apiKey    string
	transport *transport
	siblings  *siblings
}

// Options are the options of New; all are optional.
type Options struct {
	// URL of the service with its base path; by default MAYFLY_URL, else http://127.0.0.1:8080.
	URL string
	// APIKey is required where the operator has created keys; MAYFLY_API_KEY by default.
	APIKey string
	// HTTP replaces the package's own client. It must have no time-out, since the service holds back answers to waits.
	// Redirects are never followed, whatever its CheckRedirect says.
	HTTP *http.Client
}

// New returns a client for a service, without connecting to it.
func New(options Options) *Client {
	base := strings.TrimRight(cmp.Or(options.URL, os.Getenv("MAYFLY_URL"), defaultURL), "/")
	client := http.Client{}
	if options.HTTP != nil {
		client = *options.HTTP
	}
	// Another origin would be handed the API key.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{
		URL:       base,
		apiKey:    cmp.Or(options.APIKey, os.Getenv("MAYFLY_API_KEY")),
		transport: &transport{base, &client},
		siblings:  &siblings{},
	}
}

// InboxOptions are the options of CreateInbox; all are optional.
type InboxOptions struct {
	// Prefix is the local part; random by default.
	Prefix string
	// Style is the form of a random local part: "words" that can be spoken, the default, or "random" characters.
	Style string
	// Domain is the name of a domain; by default the service chooses.
	Domain string
	// Gmail creates an alias of one of the operator's Gmail accounts.
	Gmail bool
	// Alias is the kind of Gmail alias, "dot" or "plus"; by default the service chooses.
	Alias    string
	Lifetime time.Duration
}

// CaptureOptions are the options of CreateCapture; all are optional.
type CaptureOptions struct {
	Domain   string
	Lifetime time.Duration
	// OnFull is "refuse" to refuse mail when the inbox is full, or "drop_oldest" to drop the oldest message.
	OnFull string
}

type lent struct {
	Email     string    `json:"email"`
	Token     string    `json:"token"`
	ExpiresAt Time      `json:"expires_at"`
	SMTP      SMTPLogin `json:"smtp"`
}

// CreateInbox creates an inbox. Its errors are *Error, with code "address_taken" among others, and *UnreachableError.
func (c *Client) CreateInbox(ctx context.Context, options InboxOptions) (*Inbox, error) {
	form, err := c.commonForm(ctx, options.Domain, options.Lifetime)
	if err != nil {
		return nil, err
	}
	if options.Prefix != "" {
		form.Set("prefix", options.Prefix)
	}
	if options.Style != "" {
		form.Set("style", options.Style)
	}
	if options.Gmail {
		form.Set("use_gmail", "1")
	}
	if options.Alias != "" {
		form.Set("alias", options.Alias)
	}
	made, err := c.create(ctx, form)
	if err != nil {
		return nil, err
	}
	return c.inbox(made), nil
}

// CreateCapture creates an inbox for any recipient.
func (c *Client) CreateCapture(ctx context.Context, options CaptureOptions) (*Capture, error) {
	form, err := c.commonForm(ctx, options.Domain, options.Lifetime)
	if err != nil {
		return nil, err
	}
	form.Set("capture", "1")
	if options.OnFull != "" {
		form.Set("on_full", options.OnFull)
	}
	made, err := c.create(ctx, form)
	if err != nil {
		return nil, err
	}
	return &Capture{c.inbox(made), made.SMTP}, nil
}

// Reopen returns the inbox of a token. It fails with an *Error when the token is unknown or the inbox has ended.
func (c *Client) Reopen(ctx context.Context, token string) (*Inbox, error) {
	var made lent
	if err := c.transport.getJSON(ctx, request{method: http.MethodGet, path: "/session", token: token}, &made); err != nil {
		return nil, err
	}
	made.Token = token
	return c.inbox(made), nil
}

// Domains returns the domains available for inboxes.
func (c *Client) Domains(ctx context.Context) ([]Domain, error) {
	var answer struct{ Domains []Domain }
	err := c.transport.getJSON(ctx, request{method: http.MethodGet, path: "/domains"}, &answer)
	return answer.Domains, err
}

func (c *Client) inbox(made lent) *Inbox {
	c.siblings.add(made.Email, made.Token)
	return &Inbox{
		Email: made.Email, Token: made.Token, expiresAt: made.ExpiresAt,
		transport: c.transport, siblings: c.siblings, returned: map[string]map[int64]bool{}, seen: map[sought]int64{},
	}
}

func (c *Client) create(ctx context.Context, form url.Values) (lent, error) {
	var made lent
	asked := request{method: http.MethodPost, path: "/create-session", form: form, apiKey: c.apiKey}
	err := c.transport.getJSON(ctx, asked, &made)
	return made, err
}

func (c *Client) commonForm(ctx context.Context, domain string, lifetime time.Duration) (url.Values, error) {
	form := url.Values{}
	if lifetime > 0 {
		form.Set("lifetime", strconv.Itoa(int(lifetime.Seconds())))
	}
	if domain == "" {
		return form, nil
	}
	domains, err := c.Domains(ctx)
	if err != nil {
		return nil, err
	}
	for _, each := range domains {
		if each.Domain == strings.ToLower(domain) {
			form.Set("domain_id", strconv.FormatInt(each.ID, 10))
			return form, nil
		}
	}
	return nil, &Error{
		Status: http.StatusNotFound, Code: "unknown_domain", Parameter: "domain_id",
		Message: fmt.Sprintf("The service has no active domain %q.", domain),
	}
}
