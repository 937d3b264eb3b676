// A small IMAP server for behaviour no real one can be made to show: Gmail's attributes, refusals, malicious
// responses, connections that break at a given byte or hang. It serves one folder, INBOX; tests intervene through
// `onCommand`.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

import { readSet, type ScriptedMessage, toFetch } from './scripted-imap-messages.ts';

export interface ScriptedCommand {
  readonly tag: string;
  /** Upper case, `UID FETCH` and the like as one. */
  readonly name: string;
  readonly words: string;
  readonly connection: ScriptedConnection;
}

/** Returns a response to send instead of the usual one; undefined for the usual one, null for none. */
export type OnCommand = (command: ScriptedCommand) => string | Buffer | null | undefined;

export interface ScriptedImapOptions {
  readonly capabilities?: string;
  readonly greeting?: string;
  readonly onCommand?: OnCommand;
}

export class ScriptedImap {
  readonly messages: ScriptedMessage[] = [];
  readonly connections = new Set<ScriptedConnection>();
  /** Every command of every connection, without its tag. */
  readonly commands: string[] = [];
  uidValidity = 1;
  uidNext = 1;
  opened = 0;
  mostAtOnce = 0;
  onCommand: OnCommand | undefined;
  readonly capabilities: string;
  readonly greeting: string;
  readonly #server: Server;

  private constructor({ capabilities, greeting, onCommand }: ScriptedImapOptions) {
    this.capabilities =
      capabilities ?? 'IMAP4rev1 IDLE MOVE UIDPLUS NAMESPACE AUTH=PLAIN AUTH=XOAUTH2 X-GM-EXT-1';
    this.greeting = greeting ?? '* OK ready\r\n';
    this.onCommand = onCommand;
    this.#server = createServer((socket) => {
      this.opened += 1;
      const connection = new ScriptedConnection(this, socket);
      this.connections.add(connection);
      // A connection that a test has paused is half open: the client gave it up without the server noticing.
      const open = [...this.connections].filter((one) => !one.socket.isPaused());
      this.mostAtOnce = Math.max(this.mostAtOnce, open.length);
      socket.once('close', () => this.connections.delete(connection));
    });
  }

  static async start(options: ScriptedImapOptions = {}): Promise<ScriptedImap> {
    const scripted = new ScriptedImap(options);
    scripted.#server.listen(0, '127.0.0.1');
    await once(scripted.#server, 'listening');
    return scripted;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Adds a message and notifies idling connections. */
  arrive(raw: Buffer, given: Partial<ScriptedMessage> = {}): ScriptedMessage {
    const message = { uid: this.uidNext, raw, arrivedAt: new Date(), ...given };
    this.messages.push(message);
    this.uidNext = Math.max(this.uidNext, message.uid) + 1;
    for (const connection of this.connections) if (connection.isIdling) connection.sendCount();
    return message;
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const { socket } of this.connections) socket.destroy();
    await once(this.#server, 'close');
  }
}

export class ScriptedConnection {
  readonly server: ScriptedImap;
  readonly socket: Socket;
  isIdling = false;
  /** Bytes of FETCH responses sent before the connection is reset. */
  fetchBytesLeft = Infinity;
  #input = '';
  #idleTag = '';
  #wants: ((line: string) => void) | undefined;
  #sentCount = 0;

  constructor(server: ScriptedImap, socket: Socket) {
    this.server = server;
    this.socket = socket;
    socket.setEncoding('latin1');
    socket.on('error', () => socket.destroy());
    socket.on('data', (text) => {
      this.#read(String(text));
    });
    socket.write(server.greeting);
  }

  sendCount(): void {
    this.socket.write(this.#count());
  }

  #count(): string {
    this.#sentCount = this.server.messages.length;
    return `* ${this.#sentCount} EXISTS\r\n`;
  }

  #read(text: string): void {
    this.#input += text;
    for (let end = this.#input.indexOf('\r\n'); end >= 0; end = this.#input.indexOf('\r\n')) {
      const line = this.#input.slice(0, end);
      this.#input = this.#input.slice(end + 2);
      this.#receive(line);
    }
  }

  #receive(line: string): void {
    const want = this.#wants;
    if (want) {
      this.#wants = undefined;
      want(line);
      return;
    }
    if (line === 'DONE') {
      this.isIdling = false;
      this.socket.write(`${this.#idleTag} OK done\r\n`);
      return;
    }
    const [, tag = '', name = '', words = ''] = /^(\S+) (UID \S+|\S+) ?(.*)$/.exec(line) ?? [];
    const command = { tag, name: name.toUpperCase(), words, connection: this };
    this.server.commands.push(`${command.name} ${words}`.trim());
    const scripted = this.server.onCommand?.(command);
    if (scripted === null) return;
    if (scripted === undefined) this.#answer(command);
    else this.socket.write(scripted);
  }

  #answer({ tag, name, words }: ScriptedCommand): void {
    const untagged = this.#untagged(name, words);
    if (untagged === undefined) return;
    if (name === 'IDLE') {
      this.isIdling = true;
      this.#idleTag = tag;
      this.socket.write('+ idling\r\n');
      // Like every server, reports mail that arrived since the last command.
      if (this.server.messages.length !== this.#sentCount) this.sendCount();
      return;
    }
    if (name === 'AUTHENTICATE' && words === 'PLAIN') {
      this.socket.write('+ \r\n');
      this.#wants = () => this.socket.write(`${tag} OK logged in\r\n`);
      return;
    }
    this.socket.write(`${untagged}${tag} OK done\r\n`, 'latin1');
    if (name === 'LOGOUT') this.socket.end();
  }

  /** Returns undefined when the connection was reset in the middle. */
  #untagged(name: string, words: string): string | undefined {
    const { capabilities, uidNext, uidValidity } = this.server;
    switch (name) {
      case 'CAPABILITY':
        return `* CAPABILITY ${capabilities}\r\n`;
      case 'NAMESPACE':
        return '* NAMESPACE (("" "/")) NIL NIL\r\n';
      case 'LIST':
        return '* LIST () "/" "INBOX"\r\n* LIST (\\Trash) "/" "Bin"\r\n';
      case 'SELECT':
      case 'EXAMINE':
        return `${this.#count()}* OK [UIDVALIDITY ${uidValidity}] x\r\n* OK [UIDNEXT ${uidNext}] x\r\n`;
      case 'NOOP':
        return this.#count();
      case 'UID SEARCH':
        return `* SEARCH ${this.#search(words)}\r\n`;
      case 'UID FETCH':
        return this.#fetch(words);
      default:
        return '';
    }
  }

  #search(words: string): string {
    const { messages } = this.server;
    const set = /UID (\S+)/.exec(words)?.[1] ?? '1:*';
    const since = Date.parse(`${/SINCE (\S+)/.exec(words)?.[1] ?? '1-Jan-1970'} UTC`);
    const last = messages.at(-1)?.uid ?? 0;
    const isInSet = readSet(set, last);
    return messages
      .filter(({ uid, arrivedAt }) => isInSet(uid) && arrivedAt.getTime() >= since)
      .map(({ uid }) => uid)
      .join(' ');
  }

  #fetch(words: string): string | undefined {
    const { messages } = this.server;
    const [, set = '', items = ''] = /^(\S+) (.*)$/.exec(words) ?? [];
    const isInSet = readSet(set, messages.at(-1)?.uid ?? 0);
    const wanted = messages.filter(({ uid }) => isInSet(uid));
    const answer = Buffer.concat(
      wanted.map((message) => toFetch(message, messages.indexOf(message) + 1, items)),
    );
    if (answer.length <= this.fetchBytesLeft) {
      this.fetchBytesLeft -= answer.length;
      return answer.toString('latin1');
    }
    this.socket.write(answer.subarray(0, this.fetchBytesLeft), () => this.socket.resetAndDestroy());
    return undefined;
  }
}
