// The ids of messages that calls give.

/** Returns the id in the value of Message-ID, without its angle brackets. */
export function readMessageId(value: string): string {
  return value.replace(/^[<\s]+|[>\s]+$/g, '');
}
