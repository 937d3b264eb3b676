package mayfly

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// silenceMax is the silence after which a connection counts as lost; the service sends something every 25 s.
	silenceMax = time.Minute
	// eventsPatience is how long an unreachable service is retried.
	eventsPatience = 5 * time.Minute
	// eventMax is the largest size of an event in bytes.
	eventMax = 1 << 20
)

// An Event is an entry of an inbox's log.
type Event struct {
	// Type is "message.received", "message.deleted", "message.read", "message.unread", "session.extended",
	// "session.expired", or "reset": the log no longer reaches back to the requested place; list the messages again.
	// Others may be added.
	Type string
	// ID is the place in the log, usable with EventsAfter; 0 for "reset".
	ID int64
	// Message is set for "message.received".
	Message *MessageSummary
	Data    json.RawMessage
}

// Events yields events from now on until the inbox ends, and resumes by itself after a broken connection. After an error it
// yields nothing more.
func (i *Inbox) Events(ctx context.Context) iter.Seq2[Event, error] {
	return i.events(ctx, "")
}

// EventsAfter yields the events after a place in the log, 0 for all, and then continues like Events.
func (i *Inbox) EventsAfter(ctx context.Context, id int64) iter.Seq2[Event, error] {
	return i.events(ctx, strconv.FormatInt(id, 10))
}

var errStopped = errors.New("mayfly: the reader has left")

func (i *Inbox) events(ctx context.Context, last string) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		stream := eventStream{inbox: i, last: last, retry: 2 * time.Second, receivedAt: time.Now()}
		for {
			err := stream.read(ctx, func(event Event) bool { return yield(event, nil) })
			var answered *Error
			switch {
			case errors.Is(err, errStopped) || stream.isEnded:
				return
			case ctx.Err() != nil:
				yield(Event{}, context.Cause(ctx))
				return
			case errors.As(err, &answered), err != nil && time.Since(stream.receivedAt) > eventsPatience:
				yield(Event{}, err)
				return
			}
			if err := sleep(ctx, stream.retry); err != nil {
				yield(Event{}, err)
				return
			}
		}
	}
}

type eventStream struct {
	inbox      *Inbox
	last       string
	retry      time.Duration
	receivedAt time.Time
	isEnded    bool
}

// read reads one connection to its end; the error is nil when the service closed it.
func (s *eventStream) read(ctx context.Context, yield func(Event) bool) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	made, err := s.inbox.transport.newRequest(ctx, request{method: http.MethodGet, path: "/events", token: s.inbox.Token})
	if err != nil {
		return err
	}
	made.Header.Set("Accept", "text/event-stream")
	if s.last != "" {
		made.Header.Set("Last-Event-ID", s.last)
	}
	silence := time.AfterFunc(silenceMax, cancel)
	defer silence.Stop()
	response, err := s.inbox.transport.http.Do(made)
	if err != nil {
		return &UnreachableError{Path: "/events", Cause: err}
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return refusal(response)
	}
	if last := response.Header.Get("Last-Event-ID"); last != "" {
		s.last = last
	}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, eventMax)
	block := map[string]string{}
	for lines.Scan() {
		silence.Reset(silenceMax)
		s.receivedAt = time.Now()
		if line := lines.Text(); line != "" {
			name, value, _ := strings.Cut(line, ":")
			block[name] = strings.TrimPrefix(value, " ")
			if ms, err := strconv.Atoi(block["retry"]); err == nil {
				s.retry = time.Duration(ms) * time.Millisecond
			}
			continue
		}
		event, ok := s.take(block)
		clear(block)
		if ok && !yield(event) {
			return errStopped
		}
	}
	return lines.Err()
}

// refusal returns nil for an answer that asks for a later retry.
func refusal(response *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(response.Body, eventMax))
	if err != nil {
		return &UnreachableError{Path: "/events", Cause: err}
	}
	refused := readError(response, body)
	var later *laterError
	if errors.As(refused, &later) {
		return nil
	}
	return refused
}

func (s *eventStream) take(block map[string]string) (Event, bool) {
	kind := block["event"]
	if kind == "" {
		return Event{}, false
	}
	id, hasID := block["id"]
	if hasID {
		s.last = id
	}
	s.isEnded = kind == "session.expired"
	event := Event{Type: kind, Data: json.RawMessage(block["data"])}
	event.ID, _ = strconv.ParseInt(id, 10, 64)
	if kind == "message.received" {
		event.Message = new(MessageSummary)
		if err := json.Unmarshal(event.Data, event.Message); err != nil {
			event.Message = nil
		}
	}
	return event, true
}
