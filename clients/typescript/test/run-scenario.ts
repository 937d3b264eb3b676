// Runs one scenario of clients/scenarios with this client. README.md there defines the format.

import { expect } from 'vitest';

import type { Scenario, Step } from '../../../test/support/clients/scenarios.ts';
import type { ScenarioService } from '../../../test/support/clients/scenario-service.ts';
import { type Capture, type Inbox, type InboxEvent, Mayfly } from '../src/index.ts';

type Values = Record<string, unknown>;

/** A page needs a key for captures; a program on the machine does not. */
export type Place = Pick<ScenarioService, 'url' | 'control'> & { readonly captureKey?: string };

export async function runScenario({ steps }: Scenario, service: Place): Promise<void> {
  const player = new Player(service);
  for (const step of steps) await player.play(step);
  await player.finishAll();
}

class Player {
  readonly #service: Place;
  readonly #mayfly: Mayfly;
  readonly #capturer: Mayfly;
  readonly #inboxes = new Map<string, Inbox>();
  readonly #tasks = new Map<string, Promise<unknown>>();
  /** The error of a background task, until it is finished. */
  #failure: unknown;
  readonly #values: Values = { unique: Math.random().toString(36).slice(2, 10) };

  constructor(service: Place) {
    const { url, captureKey } = service;
    this.#service = service;
    this.#mayfly = new Mayfly({ url });
    this.#capturer = captureKey === undefined ? this.#mayfly : new Mayfly({ url, apiKey: captureKey });
  }

  async play(step: Step): Promise<unknown> {
    const given = fill(step, this.#values) as Step;
    if (!given.fails) {
      const result = await this.#do(given);
      if (given.as !== undefined) this.#values[given.as] = result;
      if ('gives' in given) expectLike(result, given.gives, given.do);
      return result;
    }
    const error = await this.#do(given).then(
      () => new Error(`${given.do} did not fail`),
      (reason: unknown) => reason as Error,
    );
    const { type, says = [], ...fields } = given.fails;
    expect({ ...error, type: error.name, text: error.message }).toMatchObject({ type, ...fields });
    for (const part of says) expect(error.message).toContain(part);
    return undefined;
  }

  async finishAll(): Promise<void> {
    await Promise.all(this.#tasks.values());
    expect(this.#failure).toBeUndefined();
    await Promise.all([...this.#inboxes.values()].map((inbox) => inbox.end()));
  }

  async #do(step: Step): Promise<unknown> {
    const keep = (inbox: Inbox): unknown => {
      this.#inboxes.set(step.as ?? '', inbox);
      const { email, token, expiresAt } = inbox;
      expect(expiresAt).toBeInstanceOf(Date);
      return toSnakeCase({ email, token, expiresAt });
    };
    switch (step.do) {
      case 'createInbox':
        return keep(await this.#mayfly.createInbox(step['options'] as object));
      case 'createCapture':
        return keep(await this.#capturer.createCapture());
      case 'reopen':
        return keep(await this.#mayfly.reopen(String(step['token'])));
      case 'send':
        return this.#send(step);
      case 'restart':
        return this.#control('/restart', { signal: step['signal'] });
      case 'pause':
        return new Promise((resolve) => setTimeout(resolve, Number(step['ms'])));
      case 'start': {
        const task = this.play(step['step'] as Step);
        task.catch((error: unknown) => (this.#failure ??= error));
        this.#tasks.set(String(step['task']), task);
        return undefined;
      }
      case 'finish':
        return this.#tasks.get(String(step['task']));
      case 'repeat':
        for (let at = 0; at < Number(step['times']); at++) await this.play(step['step'] as Step);
        return undefined;
      case 'later':
        expect(Date.parse(String(step['value']))).toBeGreaterThan(Date.parse(String(step['than'])));
        return undefined;
      default:
        return toSnakeCase(await this.#call(step));
    }
  }

  async #call(step: Step): Promise<unknown> {
    const inbox = this.#inbox(step.in);
    const message = Number(step['message']);
    const { after, ...match } = (step['match'] ?? {}) as { readonly after?: string };
    const options = {
      timeout: Number(step['timeout'] ?? 30) * 1000,
      ...(after === undefined ? {} : { after: Number(after) }),
    };
    switch (step.do) {
      case 'waitForMessage':
        return inbox.waitForMessage(match, options);
      case 'waitForCode':
        return inbox.waitForCode({ ...match, ...options, ...pick(step, 'codeKind') });
      case 'waitForLink':
        return inbox.waitForLink({ ...match, ...options, ...pick(step, 'kind', 'host') });
      case 'messages':
        return inbox.messages(match);
      case 'read':
        return inbox.read(message);
      case 'raw':
        return new TextDecoder().decode(await inbox.raw(message));
      case 'report':
        return inbox.report(message);
      case 'importMail':
        return inbox.importMail(String(step['file']));
      case 'exportMail':
        return new Response(await inbox.exportMail()).text();
      case 'attachment':
        return new TextDecoder().decode(await inbox.attachment(message, String(step['attachment'])));
      case 'delete':
        return inbox.delete(message);
      case 'deleteAll':
        return inbox.deleteAll();
      case 'deliveryLog':
        return inbox.deliveryLog();
      case 'extend':
        return inbox.extend(Number(step['lifetime']));
      case 'end':
        return inbox.end();
      case 'address':
        return inbox.address(String(step['tag']));
      case 'events':
        return collectEvents(inbox, Number(step['after']), Number(step['count'] ?? Infinity));
      default:
        throw new Error(`No such step: ${step.do}`);
    }
  }

  async #send(step: Step): Promise<void> {
    const login = step['login'] === undefined ? {} : { login: (this.#inbox(step['login']) as Capture).smtp };
    const { reply } = (await this.#control('/send', { to: step['to'], mail: step['mail'], ...login })) as {
      reply: string;
    };
    expect(reply).toMatch(new RegExp(`^${(step['refused'] as string | undefined) ?? '250'}`));
  }

  async #control(path: string, body: object): Promise<unknown> {
    const response = await fetch(this.#service.control + path, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  }

  #inbox(name: unknown): Inbox {
    const inbox = this.#inboxes.get(String(name));
    if (!inbox) throw new Error(`No inbox ${String(name)}`);
    return inbox;
  }
}

/** Returns the first `count` events; with Infinity, the type of the last event before the stream ended. */
async function collectEvents(inbox: Inbox, after: number, count: number): Promise<unknown> {
  const events: InboxEvent[] = [];
  for await (const event of inbox.events({ after })) {
    events.push(event);
    if (events.length >= count) break;
  }
  return count === Infinity ? { lastType: events.at(-1)?.type } : events;
}

function pick(step: Step, ...names: readonly string[]): object {
  return Object.fromEntries(names.filter((name) => name in step).map((name) => [name, step[name]]));
}

/** Returns a copy with `${name.field}` replaced by the values stored under these names. */
function fill(value: unknown, values: Values): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{([\w.]+)\}/g, (whole, path: string) => {
      const found = path.split('.').reduce<unknown>((at, name) => (at as Values | undefined)?.[name], values);
      return typeof found === 'string' || typeof found === 'number' ? String(found) : whole;
    });
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, values)]));
}

/** Converts to the interface's names of fields. */
function toSnakeCase(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name === 'lastType' ? name : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      toSnakeCase(item),
    ]),
  );
}

/** Objects may have more fields than expected; `matches` and `includes` apply to texts. */
function expectLike(result: unknown, expected: unknown, at: string): void {
  if (Array.isArray(expected)) {
    expect(result, at).toHaveLength(expected.length);
    expected.forEach((item, place) => {
      expectLike((result as unknown[])[place], item, `${at}.${place}`);
    });
  } else if (typeof expected === 'object' && expected !== null) {
    if ('matches' in expected) {
      expect(result, at).toMatch(new RegExp(String(expected.matches), 'u'));
    } else if ('includes' in expected) {
      expect(result, at).toContain(expected.includes);
    } else {
      for (const [name, item] of Object.entries(expected)) {
        expectLike((result as Values | undefined)?.[name], item, `${at}.${name}`);
      }
    }
  } else {
    expect(result, at).toEqual(expected);
  }
}
