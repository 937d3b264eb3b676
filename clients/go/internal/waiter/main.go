// Command waiter prints codes as they arrive, for the benchmark of their latency.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/mayfly-mail/mayfly/clients/go/mayfly"
)

func main() {
	ctx := context.Background()
	inbox, err := mayfly.New(mayfly.Options{}).CreateInbox(ctx, mayfly.InboxOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(inbox.Email)
	for {
		fmt.Println("waiting")
		code, err := inbox.WaitForCode(ctx, mayfly.Match{})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(code)
	}
}
