package mayfly

import (
	"slices"
	"sync"
)

// siblingsMax is the number of inboxes remembered; older ones are forgotten.
const siblingsMax = 20

// A siblings remembers the inboxes of one client, so that a wait that ends with nothing can tell what came to the others.
type siblings struct {
	mu      sync.Mutex
	inboxes []sibling // oldest first
}

type sibling struct{ email, token string }

func (s *siblings) add(email, token string) {
	s.remove(email)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inboxes = append(s.inboxes, sibling{email, token})
	if len(s.inboxes) > siblingsMax {
		s.inboxes = slices.Delete(s.inboxes, 0, 1)
	}
}

// remove is called when an inbox has ended.
func (s *siblings) remove(email string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inboxes = slices.DeleteFunc(s.inboxes, func(each sibling) bool { return each.email == email })
}

// tokensBesides returns the tokens of the other inboxes.
func (s *siblings) tokensBesides(email string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var tokens []string
	for _, each := range s.inboxes {
		if each.email != email {
			tokens = append(tokens, each.token)
		}
	}
	return tokens
}
