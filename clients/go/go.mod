module github.com/mayfly-mail/mayfly/clients/go

go 1.23
