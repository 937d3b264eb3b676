package shop

import (
	"fmt"
	"math/rand"
	"net"
	"net/http"
	"net/smtp"
	"os"
	"sync"
)

var codes sync.Map

// App has POST /sign-up, which takes email and mails a code, and POST /confirm, which takes both.
func App() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /sign-up", func(w http.ResponseWriter, r *http.Request) {
		email, code := r.FormValue("email"), fmt.Sprintf("%06d", 100_000+rand.Intn(900_000))
		codes.Store(email, code)
		if err := send(email, "Confirm your address", "Your code is "+code+"."); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
		}
	})
	mux.HandleFunc("POST /confirm", func(w http.ResponseWriter, r *http.Request) {
		if code, _ := codes.Load(r.FormValue("email")); code != r.FormValue("code") {
			w.WriteHeader(http.StatusForbidden)
		}
	})
	return mux
}

func send(to, subject, text string) error {
	server := net.JoinHostPort(os.Getenv("SMTP_HOST"), os.Getenv("SMTP_PORT"))
	mail := fmt.Sprintf("From: Shop <hello@shop.example>\r\nTo: %s\r\nSubject: %s\r\n\r\n%s\r\n", to, subject, text)
	return smtp.SendMail(server, nil, "hello@shop.example", []string{to}, []byte(mail))
}
