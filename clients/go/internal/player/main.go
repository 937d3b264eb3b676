// Command player runs scenarios of clients/scenarios with this client. It reads one line of JSON per scenario from standard
// input, and writes one line with its result.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/mayfly-mail/mayfly/clients/go/mayfly"
)

type object = map[string]any

type order struct {
	Scenario struct{ Steps []object }
	URL      string
	Control  string
}

type player struct {
	client   *mayfly.Client
	control  string
	inboxes  map[string]*mayfly.Inbox
	captures map[string]*mayfly.Capture
	tasks    map[string]chan result
	values   object
}

type result struct {
	value any
	err   error
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		answer := object{"ok": true}
		if err := play(lines.Bytes()); err != nil {
			answer = object{"ok": false, "error": err.Error()}
		}
		if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
			os.Exit(1)
		}
	}
}

func play(line []byte) error {
	var given order
	if err := json.Unmarshal(line, &given); err != nil {
		return err
	}
	p := &player{
		client: mayfly.New(mayfly.Options{URL: given.URL}), control: given.Control,
		inboxes: map[string]*mayfly.Inbox{}, captures: map[string]*mayfly.Capture{}, tasks: map[string]chan result{},
		values: object{"unique": strconv.FormatInt(time.Now().UnixNano(), 36)},
	}
	for _, step := range given.Scenario.Steps {
		if _, err := p.play(step); err != nil {
			return fmt.Errorf("%v: %w", step["do"], err)
		}
	}
	for _, inbox := range p.inboxes {
		if err := inbox.Close(); err != nil {
			return err
		}
	}
	return nil
}

func (p *player) play(step object) (any, error) {
	step = fill(step, p.values).(object)
	value, err := p.do(step)
	if fails, ok := step["fails"].(object); ok {
		return nil, expectFailure(err, fails)
	}
	if err != nil {
		return nil, err
	}
	if name, ok := step["as"].(string); ok {
		p.values[name] = value
	}
	if gives, ok := step["gives"]; ok {
		return value, expectLike(value, gives, step["do"].(string))
	}
	return value, nil
}

func (p *player) do(step object) (any, error) {
	ctx := context.Background()
	switch step["do"] {
	case "createInbox":
		options, _ := step["options"].(object)
		inbox, err := p.client.CreateInbox(ctx, mayfly.InboxOptions{
			Prefix: text(options, "prefix"), Style: text(options, "style"), Domain: text(options, "domain"),
			Lifetime: seconds(options, "lifetime"),
		})
		return p.keep(step, inbox, err)
	case "createCapture":
		capture, err := p.client.CreateCapture(ctx, mayfly.CaptureOptions{})
		if err != nil {
			return nil, err
		}
		p.captures[text(step, "as")] = capture
		return p.keep(step, capture.Inbox, nil)
	case "reopen":
		inbox, err := p.client.Reopen(ctx, text(step, "token"))
		return p.keep(step, inbox, err)
	case "send":
		return nil, p.send(step)
	case "restart":
		signal := text(step, "signal")
		if signal == "" {
			signal = "SIGTERM"
		}
		return nil, p.order("/restart", object{"signal": signal}, &object{})
	case "pause":
		time.Sleep(time.Duration(number(step, "ms")) * time.Millisecond)
		return nil, nil
	case "start":
		task := make(chan result, 1)
		p.tasks[text(step, "task")] = task
		// A copy of the current values, because the following steps write to the map.
		alone := *p
		alone.values = fill(p.values, nil).(object)
		go func() {
			value, err := alone.play(step["step"].(object))
			task <- result{value, err}
		}()
		return nil, nil
	case "finish":
		done := <-p.tasks[text(step, "task")]
		return done.value, done.err
	case "repeat":
		for range int(number(step, "times")) {
			if _, err := p.play(step["step"].(object)); err != nil {
				return nil, err
			}
		}
		return nil, nil
	case "later":
		if text(step, "value") <= text(step, "than") {
			return nil, fmt.Errorf("%v is not later than %v", step["value"], step["than"])
		}
		return nil, nil
	}
	value, err := p.call(ctx, step)
	if err != nil {
		return nil, err
	}
	return toJSON(value)
}

func (p *player) call(ctx context.Context, step object) (any, error) {
	inbox := p.inboxes[text(step, "in")]
	id, _ := strconv.ParseInt(text(step, "message"), 10, 64)
	given, _ := step["match"].(object)
	match := mayfly.Match{
		From: text(given, "from"), To: text(given, "to"), Subject: text(given, "subject"), Contains: text(given, "contains"), Q: text(given, "q"),
	}
	match.After, _ = strconv.ParseInt(text(given, "after"), 10, 64)
	waiting, cancel := context.WithTimeout(ctx, seconds(step, "timeout"))
	defer cancel()
	switch step["do"] {
	case "waitForMessage":
		return inbox.WaitForMessage(waiting, match)
	case "waitForCode":
		match.CodeKind = text(step, "codeKind")
		return inbox.WaitForCode(waiting, match)
	case "waitForLink":
		return inbox.WaitForLink(waiting, mayfly.LinkMatch{Match: match, Kind: text(step, "kind"), Host: text(step, "host")})
	case "messages":
		return inbox.Messages(ctx, match)
	case "read":
		return inbox.Read(ctx, id)
	case "raw":
		raw, err := inbox.Raw(ctx, id)
		return string(raw), err
	case "report":
		return inbox.Report(ctx, id)
	case "importMail":
		return inbox.Import(ctx, []byte(text(step, "file")))
	case "exportMail":
		file, err := inbox.Export(ctx)
		return string(file), err
	case "attachment":
		content, err := inbox.Attachment(ctx, id, text(step, "attachment"))
		return string(content), err
	case "delete":
		return nil, inbox.Delete(ctx, id)
	case "deleteAll":
		return nil, inbox.DeleteAll(ctx)
	case "deliveryLog":
		return inbox.DeliveryLog(ctx)
	case "extend":
		end, err := inbox.Extend(ctx, seconds(step, "lifetime"))
		return mayfly.Time{Time: end}, err
	case "end":
		return nil, inbox.End(ctx)
	case "address":
		if capture, ok := p.captures[text(step, "in")]; ok {
			return capture.Address(text(step, "tag"))
		}
		return inbox.Address(text(step, "tag"))
	case "events":
		return collectEvents(ctx, inbox, step)
	}
	return nil, fmt.Errorf("no such step: %v", step["do"])
}

func collectEvents(ctx context.Context, inbox *mayfly.Inbox, step object) (any, error) {
	after, err := strconv.ParseInt(text(step, "after"), 10, 64)
	if err != nil {
		return nil, err
	}
	events, count := []object{}, number(step, "count")
	for event, err := range inbox.EventsAfter(ctx, after) {
		if err != nil {
			return nil, err
		}
		events = append(events, object{"type": event.Type, "id": event.ID, "message": event.Message})
		if count > 0 && len(events) == int(count) {
			return events, nil
		}
	}
	return object{"lastType": events[len(events)-1]["type"]}, nil
}

func (p *player) keep(step object, inbox *mayfly.Inbox, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	p.inboxes[text(step, "as")] = inbox
	return toJSON(object{"email": inbox.Email, "token": inbox.Token, "expires_at": mayfly.Time{Time: inbox.ExpiresAt()}})
}

func (p *player) send(step object) error {
	body := object{"to": step["to"], "mail": step["mail"]}
	if login := text(step, "login"); login != "" {
		body["login"] = p.captures[login].SMTP
	}
	wanted := text(step, "refused")
	if wanted == "" {
		wanted = "250"
	}
	var answer struct{ Reply string }
	if err := p.order("/send", body, &answer); err != nil {
		return err
	}
	if !strings.HasPrefix(answer.Reply, wanted) {
		return fmt.Errorf("the reply is %s", answer.Reply)
	}
	return nil
}

func (p *player) order(path string, body object, answer any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	response, err := http.Post(p.control+path, "application/json", bytes.NewReader(data))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, response.Status)
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

var reference = regexp.MustCompile(`\$\{([\w.]+)\}`)

func fill(value any, values object) any {
	switch value := value.(type) {
	case string:
		return reference.ReplaceAllStringFunc(value, func(found string) string {
			var at any = values
			for _, name := range strings.Split(found[2:len(found)-1], ".") {
				at = member(at, name)
			}
			if at == nil {
				return found
			}
			return format(at)
		})
	case []any:
		filled := make([]any, len(value))
		for i, item := range value {
			filled[i] = fill(item, values)
		}
		return filled
	case object:
		filled := object{}
		for name, item := range value {
			filled[name] = fill(item, values)
		}
		return filled
	}
	return value
}

func member(at any, name string) any {
	switch at := at.(type) {
	case object:
		return at[name]
	case []any:
		if place, err := strconv.Atoi(name); err == nil && place < len(at) {
			return at[place]
		}
	}
	return nil
}

func format(value any) string {
	if number, ok := value.(float64); ok {
		return strconv.FormatFloat(number, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

func text(given object, name string) string {
	if value, ok := given[name]; ok && value != nil {
		return format(value)
	}
	return ""
}

func number(given object, name string) float64 {
	value, _ := given[name].(float64)
	return value
}

func seconds(given object, name string) time.Duration {
	return time.Duration(number(given, name) * float64(time.Second))
}

func toJSON(value any) (any, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var copied any
	err = json.Unmarshal(data, &copied)
	return copied, err
}

func expectLike(got, want any, at string) error {
	switch want := want.(type) {
	case []any:
		list, _ := got.([]any)
		if len(list) != len(want) {
			return fmt.Errorf("%s: %v has not %d items", at, got, len(want))
		}
		for i, item := range want {
			if err := expectLike(list[i], item, fmt.Sprintf("%s.%d", at, i)); err != nil {
				return err
			}
		}
		return nil
	case object:
		if form, ok := want["matches"].(string); ok {
			if !regexp.MustCompile(form).MatchString(fmt.Sprint(got)) {
				return fmt.Errorf("%s: %v does not match %s", at, got, form)
			}
			return nil
		}
		if part, ok := want["includes"].(string); ok {
			if !strings.Contains(fmt.Sprint(got), part) {
				return fmt.Errorf("%s: %v does not include %s", at, got, part)
			}
			return nil
		}
		for name, item := range want {
			if err := expectLike(member(got, name), item, at+"."+name); err != nil {
				return err
			}
		}
		return nil
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("%s: %v is not %v", at, got, want)
	}
	return nil
}

func expectFailure(err error, want object) error {
	if err == nil {
		return errors.New("did not fail")
	}
	got := object{"type": fmt.Sprintf("%T", err)}
	var answered *mayfly.Error
	var late *mayfly.TimeoutError
	switch {
	case errors.As(err, &late):
		got["type"] = "MailTimeout"
	case errors.As(err, &answered):
		got = object{"type": "MayflyError", "status": float64(answered.Status), "code": answered.Code}
	}
	for _, name := range []string{"type", "status", "code"} {
		if value, ok := want[name]; ok && got[name] != value {
			return fmt.Errorf("%v has %s %v, not %v", err, name, got[name], value)
		}
	}
	says, _ := want["says"].([]any)
	for _, part := range says {
		if !strings.Contains(err.Error(), fmt.Sprint(part)) {
			return fmt.Errorf("%v does not say %v", err, part)
		}
	}
	return nil
}
