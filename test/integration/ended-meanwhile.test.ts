// A session that ends while one of its requests is being answered: whatever the operation or the dialect's route, and
// wherever in it the session ends, the answer is a whole one or says that the session is gone.

import { describe, expect, it } from 'vitest';

import { codeOf } from '../../packages/system-errors/src/error-code.ts';
import { dialects } from '../../src/compat/dialects.ts';
import { sessionExpired } from '../../src/domain/gone.ts';
import type { Operation } from '../../src/http/operation.ts';
import type { MailStore } from '../../src/store/mail-store.ts';
import { bearer, startCompat } from './compat-harness.ts';
import { type Route, routesOf, targetsOf } from './compat-routes.ts';
import { allOperations, ask, type Harness, type HttpAnswer, startHttp } from './http-harness.ts';

const word = 'zebrafish';
const messages = 3;
const text = [
  'From: Fox <fox@example.org>',
  `Subject: ${word}`,
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html',
  '',
  `<p>${word}: your code is 482913 <img src="cid:pic"><a href="https://example.org/verify">in</a></p>`,
  '--b',
  'Content-Type: image/png; name=pic.png',
  'Content-ID: <pic>',
  'Content-Disposition: attachment; filename=pic.png',
  'Content-Transfer-Encoding: base64',
  '',
  'iVBORw0KGgo=',
  '--b--',
  '',
].join('\r\n');

/** Calls of the store at whose beginning a session may end. */
const calls = [
  ...['findSession', 'findSessionByKey', 'listMessages', 'findMessage', 'readRaw', 'setRead', 'markRead'],
  ...['deleteMessage', 'listEvents', 'findAuthentication', 'extendSession', 'renameSession', 'endSession'],
] as const satisfies readonly (keyof MailStore)[];
/** More calls than any request makes. */
const callsMax = 200;

interface Request {
  readonly method: string;
  readonly target: string;
  readonly body?: string;
}

/** Ends the session at a call of the store, counted from 1. */
function createEnding({ store: { mail } }: Harness) {
  const state = { left: Infinity, end: (): Promise<unknown> => Promise.resolve() };
  const { endSession } = mail;
  const step = async (): Promise<void> => {
    state.left -= 1;
    if (state.left === 0) await state.end();
  };
  for (const name of calls) {
    const original = (mail[name] as (...given: unknown[]) => unknown).bind(mail);
    const replacement =
      name === 'readRaw'
        ? async function* (...given: unknown[]) {
            await step();
            for await (const chunk of original(...given) as AsyncIterable<Uint8Array>) {
              yield chunk;
              await step();
            }
          }
        : async (...given: unknown[]) => {
            await step();
            return original(...given);
          };
    Object.assign(mail, { [name]: replacement });
  }
  return {
    /** Resolves with the answer, and whether the session had ended before it was complete. */
    run: async (
      harness: Harness,
      number: number,
      toRequest: (lent: { ids: number[]; email: string }) => Request,
    ): Promise<{ answer: HttpAnswer; hasEnded: boolean }> => {
      state.left = Infinity;
      const { token, session } = await harness.lend();
      const ids: number[] = [];
      for (let count = 0; count < messages; count++) ids.push(await harness.deliver(text, [session]));
      const { method, target, body } = toRequest({ ids, email: session.address });
      state.end = () => endSession.call(mail, session.key);
      state.left = number;
      const answer = await ask(harness, target, {
        method,
        headers: {
          ...bearer(token),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
      }).catch((error: unknown) => {
        // A body that had begun can only break off.
        if (codeOf(error) === 'ECONNRESET') return undefined;
        throw error;
      });
      const hasEnded = state.left <= 0;
      state.left = Infinity;
      return { answer: answer ?? brokenOff, hasEnded };
    },
  };
}

const brokenOff: HttpAnswer = {
  status: 200,
  headers: { 'x-broken-off': 'yes' },
  text: '',
  bytes: Buffer.alloc(0),
  json: undefined,
};

interface Expected {
  /** The answer while the session lives. */
  readonly whole: HttpAnswer;
  readonly gone: { readonly status: number; readonly text: string };
}

function expectWholeOrGone(answer: HttpAnswer, { whole, gone }: Expected, context: string): void {
  const shown = `${context} → ${answer.status} ${answer.text.slice(0, 300)}`;
  if (answer === brokenOff) return;
  if (answer.status === gone.status && simplify(answer.text) === simplify(gone.text)) return;
  expect(answer.status, shown).toBe(whole.status);
  const occurrences = (one: HttpAnswer): number => one.text.split(word).length;
  expect(occurrences(answer), shown).toBe(occurrences(whole));
}

/** Without what differs between two equal answers. */
function simplify(text: string): string {
  return text.replace(/"request_id":"[^"]*"|<RequestId>[^<]*/g, '');
}

function expectNoFault({ logged }: Harness, context: string): void {
  expect(
    logged.filter(({ level, fields }) => level === 'error' || /\n\s+at /.test(JSON.stringify(fields))),
    context,
  ).toEqual([]);
}

describe('a session that ends meanwhile', () => {
  const queries: Record<string, string[]> = {
    '/check-mail': ['', `q=${word}`, 'has_code=1', 'link=verify', 'wait=1', `wait=1&q=${word}&after=0`],
    '/wait-mail': ['', `contains=${word}`, `q=${word}`, 'has_code=1', 'link=verify'].map(
      (query) => `timeout=1&${query}`,
    ),
    '/delete-mail': ['id=ID', 'ids=ID', 'all=1', `q=${word}`],
    '/mark-mail': ['id=ID&read=1', 'ids=ID&read=0', 'all=1&read=1', `q=${word}&read=1`],
    '/attachment': ['id=ID&part=PART'],
    '/inline-image': ['id=ID&part=PART'],
    '/html-mail': ['id=ID', 'id=ID&remote=1'],
    '/events': ['after=0', `after=0&q=${word}`],
    '/extend-session': ['lifetime=7200'],
    '/create-share': ['', 'id=ID'],
    '/smtp-faults': ['stage=rcpt&code=451'],
  };

  function requestsOf({ method, path, parameters }: Operation) {
    const all = queries[path] ?? ['id' in parameters ? 'id=ID' : ''];
    return all.map((query) => ({ method, target: query === '' ? path : `${path}?${query}` }));
  }

  it.each(allOperations.filter(({ access }) => access === 'session'))(
    'has its request to $path answered whole or with 410',
    { timeout: 300_000 },
    async (operation) => {
      const harness = await startHttp();
      const ending = createEnding(harness);
      const part = await findPart(harness);
      const toRequest =
        ({ method, target }: Request) =>
        ({ ids }: { ids: number[] }): Request => ({
          method,
          target: target.replaceAll('ID', String(ids[1])).replaceAll('PART', part),
        });
      for (const request of requestsOf(operation)) {
        const { answer: whole } = await ending.run(harness, Infinity, toRequest(request));
        for (let number = 1; number <= callsMax; number++) {
          const { answer, hasEnded } = await ending.run(harness, number, toRequest(request));
          if (!hasEnded) break;
          const context = `${request.method} ${request.target} at call ${number}`;
          const gone = { status: 410, text: answer.text };
          if (answer.status === 410) expect(answer.json, context).toMatchObject({ code: 'session_expired' });
          expectWholeOrGone(answer, { whole, gone }, context);
          expectNoFault(harness, context);
          expect(number, context).toBeLessThan(callsMax);
        }
      }
    },
  );

  async function findPart(harness: Harness): Promise<string> {
    const { token, session } = await harness.lend();
    const id = await harness.deliver(text, [session]);
    const { json } = await ask(harness, `/read-mail?id=${id}`, { headers: bearer(token) });
    return (json as { message: { attachments: { id: string }[] } }).message.attachments[0]!.id;
  }

  it.each(dialects)(
    'has its request to any route of $name answered whole or as gone',
    { timeout: 240_000 },
    async (dialect) => {
      const harness = await startCompat();
      const ending = createEnding(harness);
      for (const route of routesOf(dialect)) {
        for (const [at] of targetsOf(route, 'x').entries()) {
          await runRoute({ harness, ending }, route, at);
        }
      }
    },
  );

  async function runRoute(
    { harness, ending }: { readonly harness: Harness; readonly ending: ReturnType<typeof createEnding> },
    route: Route,
    at: number,
  ): Promise<void> {
    const toRequest = ({ ids, email }: { ids: number[]; email: string }): Request => {
      const id = String(ids[1]);
      const target = targetsOf(route, id)[at] ?? '';
      const query = `query=${word}&server=x&start=0&limit=10&kind=containing`;
      return {
        method: route.method,
        target: target.includes('?') ? target : `${target}?${query}`,
        ...(route.method === 'GET'
          ? {}
          : {
              body: JSON.stringify({
                IDs: [id],
                Read: true,
                seen: true,
                sentTo: email,
                body: word,
                From: { Email: 'me@example.org' },
                To: [{ Email: 'you@example.org' }],
                Text: word,
              }),
            }),
      };
    };
    const { answer: whole } = await ending.run(harness, Infinity, toRequest);
    const path = route.path.split('?', 1)[0] ?? '';
    const like = route.dialect.toError(sessionExpired(), path, {});
    for (let number = 1; number <= callsMax; number++) {
      const { answer, hasEnded } = await ending.run(harness, number, toRequest);
      if (!hasEnded) break;
      const context = `${route.method} ${route.path} (${at}) at call ${number}`;
      const gone = { status: like.status, text: like.body };
      // Guerrilla Mail's interface opens another address in place of one that has ended.
      if (route.dialect.name === 'guerrilla') expect(answer.status, context).toBeLessThan(500);
      else expectWholeOrGone(answer, { whole, gone }, context);
      expectNoFault(harness, context);
      expect(number, context).toBeLessThan(callsMax);
    }
  }
});
