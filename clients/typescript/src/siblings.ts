// The inboxes of one client object, so that a wait that ends with nothing can tell what came to the others.

/** Older ones are forgotten. */
const keptMax = 20;

export class Siblings<Inbox extends { readonly email: string }> {
  /** By address, oldest first. */
  readonly #inboxes = new Map<string, Inbox>();

  add(inbox: Inbox): void {
    this.remove(inbox);
    this.#inboxes.set(inbox.email, inbox);
    const [oldest] = this.#inboxes.values();
    if (oldest && this.#inboxes.size > keptMax) this.remove(oldest);
  }

  /** To be called when it has ended. */
  remove({ email }: Inbox): void {
    this.#inboxes.delete(email);
  }

  of({ email }: Inbox): readonly Inbox[] {
    return [...this.#inboxes.values()].filter((inbox) => inbox.email !== email);
  }
}
