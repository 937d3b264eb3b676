// Tells the threads that read whole messages that somebody may open one soon. Called where an unread message is shown;
// receiving mail and webhooks must not, since nobody looks then.

/** Who is faster at reading a message when told before that somebody may open one. Cheap. */
interface ReadExpecter {
  expectReads(): void;
}

export interface ReadThreads {
  readonly parser: ReadExpecter;
  readonly sanitiser: ReadExpecter;
}

export function expectReads({ parser, sanitiser }: ReadThreads): void {
  parser.expectReads();
  sanitiser.expectReads();
}
