// The tasks, which run in Node, talk to the service and keep the tokens.

import { randomUUID } from 'node:crypto';

import {
  type Delivery,
  type Inbox,
  type LinkMatch,
  Mayfly,
  type Message,
  type MessageLink,
  type MessageMatch,
  type MessageSummary,
} from 'mayfly-client';

import type {
  InboxHandle,
  InboxOptions,
  MailboxHandle,
  MailboxOptions,
  Plain,
  PlainMessage,
} from './handles.ts';

export interface MayflyTasksOptions {
  /** URL of the service; by default Cypress's `env.MAYFLY_URL`, else MAYFLY_URL, else http://127.0.0.1:8080. */
  readonly url?: string;
  /** MAYFLY_API_KEY by default. Never read from Cypress's `env`, which every page's specs can read. */
  readonly apiKey?: string;
}

/** The part of Cypress's `on` used here. */
export type OnTask = (event: 'task', tasks: Record<string, Task>) => void;

type Task = (given: unknown) => unknown;

/** The part of Cypress's `config` used here. */
export interface WithEnvironment {
  readonly env: Readonly<Record<string, unknown>>;
}

interface Asked<Options> {
  readonly inbox: InboxHandle;
  readonly options: Options;
}

type Waiting<Match> = Asked<Match & { readonly timeout?: number }>;

/** Registers the tasks behind the commands; for `setupNodeEvents(on, config)`. */
export function mayflyTasks(on: OnTask, config: WithEnvironment, options: MayflyTasksOptions = {}): void {
  const { MAYFLY_URL: named } = config.env;
  const url = options.url ?? (typeof named === 'string' && named !== '' ? named : undefined);
  const tasks = new Tasks(new Mayfly({ ...options, ...(url === undefined ? {} : { url }) }));
  on('task', {
    'mayfly:inbox': task((given: InboxOptions) => tasks.createInbox(given)),
    'mayfly:mailbox': task((given: MailboxOptions) => tasks.createMailbox(given)),
    'mayfly:code': task((given: Waiting<MessageMatch>) => tasks.waitForCode(given)),
    'mayfly:link': task((given: Waiting<LinkMatch>) => tasks.waitForLink(given)),
    'mayfly:message': task((given: Waiting<MessageMatch>) => tasks.waitForMessage(given)),
    'mayfly:messages': task((given: Asked<MessageMatch>) => tasks.messages(given)),
    'mayfly:delivery-log': task((given: Pick<Asked<never>, 'inbox'>) => tasks.deliveryLog(given)),
    'mayfly:end-all': () => tasks.endAll(),
  });
}

/** Only commands of this package run the tasks, so their arguments have the right type. */
function task<Given>(run: (given: Given) => unknown): Task {
  return (given) => run(given as Given);
}

class Tasks {
  readonly #mayfly: Mayfly;
  readonly #inboxes = new Map<string, Inbox>();

  constructor(mayfly: Mayfly) {
    this.#mayfly = mayfly;
  }

  async createInbox(options: InboxOptions): Promise<InboxHandle> {
    return this.#keep(await this.#mayfly.createInbox(options));
  }

  async createMailbox(options: MailboxOptions): Promise<MailboxHandle> {
    const mailbox = await this.#mayfly.createCapture(options);
    return { ...this.#keep(mailbox), domain: mailbox.email.slice(mailbox.email.lastIndexOf('@') + 1) };
  }

  waitForCode({ inbox, options }: Waiting<MessageMatch>): Promise<string> {
    return this.#inbox(inbox).waitForCode(options);
  }

  waitForLink({ inbox, options }: Waiting<LinkMatch>): Promise<MessageLink> {
    return this.#inbox(inbox).waitForLink(options);
  }

  async waitForMessage({ inbox, options }: Waiting<MessageMatch>): Promise<PlainMessage> {
    const { timeout, ...match } = options;
    const waiting = timeout === undefined ? {} : { timeout };
    return withoutTickets(await this.#inbox(inbox).waitForMessage(match, waiting));
  }

  async messages({ inbox, options }: Asked<MessageMatch>): Promise<readonly Plain<MessageSummary>[]> {
    return toPlain(await this.#inbox(inbox).messages(options));
  }

  async deliveryLog({ inbox }: Pick<Asked<never>, 'inbox'>): Promise<readonly Plain<Delivery>[]> {
    return toPlain(await this.#inbox(inbox).deliveryLog());
  }

  /** Cypress treats undefined as a missing task. */
  async endAll(): Promise<null> {
    const inboxes = [...this.#inboxes.values()];
    this.#inboxes.clear();
    await Promise.all(inboxes.map((inbox) => inbox.end()));
    return null;
  }

  #keep(inbox: Inbox): InboxHandle {
    const id = randomUUID();
    this.#inboxes.set(id, inbox);
    return { id, email: inbox.email };
  }

  #inbox(handle: InboxHandle): Inbox {
    const inbox = this.#inboxes.get(handle.id);
    if (inbox) return inbox;
    throw new Error(`No inbox ${handle.email}: it ended with the spec that made it.`);
  }
}

function withoutTickets(message: Message): PlainMessage {
  const { htmlUrl: _htmlUrl, rawUrl: _rawUrl, attachments, ...rest } = toPlain(message);
  return { ...rest, attachments: attachments.map(({ url: _url, ...attachment }) => attachment) };
}

function toPlain<T>(value: T): Plain<T> {
  return JSON.parse(JSON.stringify(value)) as Plain<T>;
}
