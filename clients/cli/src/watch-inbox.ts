// `mayfly inbox watch`: shows messages as they arrive. A terminal shows a list on its alternate screen, other outputs
// a line per event. The client's stream survives a restart of the service.

import type { Inbox, InboxEvent, MessageSummary } from 'mayfly-client';

import { isOver } from './find-inbox.ts';
import { formatSummary } from './format-message.ts';
import { cutToWidth, toJson, toLine } from './terminal-text.ts';

export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  on(event: 'resize', listener: () => void): unknown;
  removeListener(event: 'resize', listener: () => void): unknown;
}

export interface WatchOptions {
  readonly inbox: Inbox;
  readonly screen: Screen;
  readonly asJson: boolean;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

interface Viewer {
  begin(messages: readonly MessageSummary[]): void;
  show(event: InboxEvent): void;
  end(): void;
}

/** Returns true when the inbox has ended, and false when the reader stopped watching. @throws errors of the client */
export async function watchInbox({ inbox, screen, asJson, signal }: WatchOptions): Promise<boolean> {
  const viewer = asJson
    ? viewAsJson(screen)
    : screen.isTTY === true
      ? viewAsList(inbox, screen)
      : viewAsLines(screen);
  try {
    const messages = await inbox.messages();
    viewer.begin(messages);
    // Messages and events share their numbers, so everything after the newest message is new.
    const after = messages[0]?.id ?? 0;
    for await (const event of inbox.events({ after, signal })) {
      if (event.type === 'reset') viewer.begin(await inbox.messages());
      else viewer.show(event);
    }
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    if (isOver(error)) return true;
    throw error;
  } finally {
    viewer.end();
  }
}

function viewAsJson(screen: Screen): Viewer {
  const write = (value: object): void => void screen.write(`${toJson(value)}\n`);
  return {
    begin: (messages) => {
      for (const message of messages.toReversed()) write({ type: 'message.received', ...message });
    },
    show: ({ type, data }) => {
      write({ type, ...data });
    },
    end: () => undefined,
  };
}

function viewAsLines(screen: Screen): Viewer {
  const write = (line: string): void => void screen.write(`${line}\n`);
  return {
    begin: (messages) => {
      for (const message of messages.toReversed()) write(formatSummary(message));
    },
    show: ({ type, message, data }) => {
      if (message) write(formatSummary(message));
      else if (typeof data['id'] === 'number') write(`${toLine(type)}  ${data['id']}`);
    },
    end: () => undefined,
  };
}

/** The terminal's alternate screen, so that the former contents are restored afterwards. */
const enterScreen = '\x1b[?1049h\x1b[?25l';
const leaveScreen = '\x1b[?25h\x1b[?1049l';
const clearScreen = '\x1b[H\x1b[2J';

function viewAsList(inbox: Inbox, screen: Screen): Viewer {
  const messages = new Map<number, MessageSummary>();
  const draw = (): void => {
    // Some terminals report 0 columns.
    const columns = screen.columns || 80;
    const rows = screen.rows || 24;
    const newest = [...messages.values()].sort((one, other) => other.id - one.id);
    const head = `${inbox.email}  ${newest.length === 1 ? '1 message' : `${newest.length} messages`}  Ctrl-C ends`;
    const lines = newest
      .slice(0, Math.max(0, rows - 3))
      .map((message) => formatSummary(message, columns - 1));
    screen.write(`${clearScreen}${[cutToWidth(toLine(head), columns - 1), '', ...lines].join('\r\n')}`);
  };
  screen.write(enterScreen);
  screen.on('resize', draw);
  return {
    begin: (listed) => {
      messages.clear();
      for (const message of listed) messages.set(message.id, message);
      draw();
    },
    show: ({ type, message, data }) => {
      if (message) messages.set(message.id, message);
      else if (type === 'message.deleted' || type === 'message.dropped') messages.delete(Number(data['id']));
      draw();
    },
    end: () => {
      screen.removeListener('resize', draw);
      screen.write(leaveScreen);
    },
  };
}
