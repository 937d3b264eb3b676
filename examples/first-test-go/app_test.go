package shop

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/mayfly-mail/mayfly/clients/go/mayfly"
	"github.com/mayfly-mail/mayfly/clients/go/mayflytest"
)

func TestSignUpWithTheCodeFromTheMail(t *testing.T) {
	inbox, app := mayflytest.Inbox(t), httptest.NewServer(App())
	defer app.Close()
	if _, err := http.PostForm(app.URL+"/sign-up", url.Values{"email": {inbox.Email}}); err != nil {
		t.Fatal(err)
	}
	code, err := inbox.WaitForCode(t.Context(), mayfly.Match{})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.PostForm(app.URL+"/confirm", url.Values{"email": {inbox.Email}, "code": {code}})
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
}
