package mayfly

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	defaultPatience = 30 * time.Second
	// answerTimeout is the time for an answer, in addition to the time that the service holds it back.
	answerTimeout = 15 * time.Second
	firstPause    = 50 * time.Millisecond
	longestPause  = 2 * time.Second
)

type request struct {
	method string
	path   string
	form   url.Values
	// file is a message, in place of form.
	file   []byte
	token  string
	apiKey string
	// held is how long the service may deliberately hold back the answer.
	held time.Duration
	// patience is how long the request is retried; zero for defaultPatience.
	patience time.Duration
}

type transport struct {
	base string
	http *http.Client
}

// service says which service is asked, and whether MAYFLY_URL was set, for errors.
func (t *transport) service() string {
	shown := t.base
	if parsed, err := url.Parse(t.base); err == nil {
		parsed.User = nil
		shown = parsed.String()
	}
	set := "set"
	if os.Getenv("MAYFLY_URL") == "" {
		set = "not set"
	}
	return fmt.Sprintf("The service asked is %s; MAYFLY_URL is %s.", shown, set)
}

// getJSON retries until there is an answer or the time is up, and decodes it into result.
func (t *transport) getJSON(ctx context.Context, asked request, result any) error {
	body, err := t.getBytes(ctx, asked)
	if err != nil {
		return err
	}
	return json.Unmarshal(body, result)
}

func (t *transport) getBytes(ctx context.Context, asked request) ([]byte, error) {
	patience := asked.patience
	if patience == 0 {
		patience = defaultPatience
	}
	until := time.Now().Add(patience)
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		body, err := t.ask(ctx, asked)
		if err == nil {
			return body, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		wait, mayAgain := judge(err, asked.method)
		if wait == 0 {
			wait = pause
		}
		if !mayAgain || time.Now().Add(wait).After(until) {
			return nil, unwrapLater(err)
		}
		if err := sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

func (t *transport) ask(ctx context.Context, asked request) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, asked.held+answerTimeout)
	defer cancel()
	made, err := t.newRequest(ctx, asked)
	if err != nil {
		return nil, err
	}
	response, err := t.http.Do(made)
	if err != nil {
		return nil, &UnreachableError{Path: asked.path, Cause: err}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, &UnreachableError{Path: asked.path, Cause: err}
	}
	if response.StatusCode < 300 {
		return body, nil
	}
	return nil, readError(response, body)
}

func (t *transport) newRequest(ctx context.Context, asked request) (*http.Request, error) {
	target, body := t.base+asked.path, ""
	if asked.file != nil {
		body = string(asked.file)
	} else if asked.method == http.MethodPost {
		body = asked.form.Encode()
	} else if len(asked.form) > 0 {
		target += "?" + asked.form.Encode()
	}
	made, err := http.NewRequestWithContext(ctx, asked.method, target, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if asked.file != nil {
		made.Header.Set("Content-Type", "message/rfc822")
	} else if asked.method == http.MethodPost {
		made.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if asked.token != "" {
		made.Header.Set("Authorization", "Bearer "+asked.token)
	}
	if asked.apiKey != "" {
		made.Header.Set("X-Api-Key", asked.apiKey)
	}
	return made, nil
}

// laterError is an answer that tells when to retry.
type laterError struct {
	err   *Error
	after time.Duration
}

func (e *laterError) Error() string { return e.err.Message }

// redirected names the origin alone, since the rest of the address may repeat a token.
func redirected(response *http.Response) *Error {
	asked, to := response.Request.URL, ""
	if location, err := response.Location(); err == nil {
		to = " to " + location.Scheme + "://" + location.Host
	}
	message := asked.Scheme + "://" + asked.Host + " redirects" + to +
		", which is not followed: give the address of the service itself"
	return &Error{Status: response.StatusCode, Code: "redirected", Message: message}
}

func readError(response *http.Response, body []byte) error {
	if response.StatusCode < 400 {
		return redirected(response)
	}
	var answer struct {
		Code      string `json:"code"`
		Message   string `json:"message"`
		Parameter string `json:"parameter"`
		RequestID string `json:"request_id"`
	}
	// An answer that is not JSON comes from something in between rather than the service.
	_ = json.Unmarshal(body, &answer)
	status := response.StatusCode
	made := &Error{status, answer.Code, answer.Parameter, answer.RequestID, answer.Message}
	if made.Code == "" {
		made.Code = "http_" + strconv.Itoa(status)
	}
	if made.Message == "" {
		made.Message = "HTTP " + strconv.Itoa(status)
	}
	if status != http.StatusTooManyRequests && status < 502 {
		return made
	}
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return &laterError{made, 0}
	}
	return &laterError{made, max(time.Duration(seconds)*time.Second, firstPause)}
}

func unwrapLater(err error) error {
	var later *laterError
	if errors.As(err, &later) {
		return later.err
	}
	return err
}

// judge returns how long to wait before a retry, zero if unknown, and whether to retry.
func judge(err error, method string) (time.Duration, bool) {
	isGet := method == http.MethodGet
	var later *laterError
	if errors.As(err, &later) {
		isRefused := later.err.Status == http.StatusTooManyRequests || later.err.Status == http.StatusServiceUnavailable
		return later.after, isRefused || isGet
	}
	var lost *UnreachableError
	if errors.As(err, &lost) {
		// An interrupted POST may have been carried out.
		return 0, isGet || errors.Is(err, syscall.ECONNREFUSED)
	}
	return 0, false
}

func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
