// Server-Sent Events out of text that comes in pieces (HTML Standard §9.2.6). Fed by live/read-event-stream.ts. Pure:
// no network, no clock.

export interface ServerEvent {
  readonly kind: string;
  /** Last id that the stream told, at this event or before; empty for none. */
  readonly id: string;
  readonly data: string;
}

export interface SseParser {
  /**
   * Events that the piece completes, in order.
   * @throws RangeError when a line or an event passes a million characters, which no event of ours does
   */
  push(piece: string): ServerEvent[];
  /** Milliseconds that the server asks clients to wait before they come back; undefined until it does. */
  readonly retryMs: number | undefined;
}

const maxChars = 1_000_000;

export function createSseParser(): SseParser {
  let rest = '';
  let kind = '';
  let id = '';
  let data: string[] = [];
  let dataChars = 0;
  let retryMs: number | undefined;

  function takeField(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (name === 'event') kind = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'retry' && /^\d{1,9}$/.test(value)) retryMs = Number(value);
    else if (name === 'data') {
      dataChars += value.length;
      if (dataChars > maxChars) throw new RangeError('event too long');
      data.push(value);
    }
  }

  function finishEvent(): ServerEvent | undefined {
    const event = data.length > 0 ? { kind: kind || 'message', id, data: data.join('\n') } : undefined;
    kind = '';
    data = [];
    dataChars = 0;
    return event;
  }

  function push(piece: string): ServerEvent[] {
    const events: ServerEvent[] = [];
    const text = rest + piece;
    // A CR at the very end may be half of a CRLF.
    const end = text.endsWith('\r') ? text.length - 1 : text.length;
    const lines = text.slice(0, end).split(/\r\n|\r|\n/);
    rest = (lines.pop() ?? '') + text.slice(end);
    if (rest.length > maxChars) throw new RangeError('line too long');
    for (const line of lines) {
      if (line === '') {
        const event = finishEvent();
        if (event) events.push(event);
      } else if (!line.startsWith(':')) takeField(line);
    }
    return events;
  }

  return {
    push,
    get retryMs() {
      return retryMs;
    },
  };
}
