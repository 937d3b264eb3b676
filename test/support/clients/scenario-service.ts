// The environment of a scenario of clients/scenarios: the built service on fixed ports, real SMTP, and a small HTTP
// server through which a runner in any language sends mail and restarts the service.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { createTransport, type SendMailOptions } from 'nodemailer';

import { freePort } from '../servers/free-port.ts';
import { listenLocally } from '../servers/local-server.ts';
import { spawnDev } from '../service/dev-process.ts';
import { createDataFolder, type MayflyProcess, runMayfly, startMayfly } from '../service/mayfly-process.ts';
import type { Scenario } from './scenarios.ts';

export interface ScenarioService {
  /** The service's. */
  readonly url: string;
  /** Where runners POST: /send, /restart; JSON in and out. */
  readonly control: string;
  /** Makes an API key with the scope `capture`. */
  readonly addCaptureKey: () => Promise<string>;
  readonly close: () => Promise<void>;
}

interface Sending {
  readonly to: string | string[];
  readonly mail: SendMailOptions;
  readonly login?: { readonly username: string; readonly password: string };
}

interface Sent {
  readonly reply: string;
}

interface Restart {
  readonly signal?: NodeJS.Signals;
}

export async function startScenarioService({
  settings = {},
  dev = false,
}: Pick<Scenario, 'settings' | 'dev'> = {}): Promise<ScenarioService> {
  const folder = await createDataFolder();
  const [httpPort, smtpPort] = [await freePort(), await freePort()];
  const environment = {
    MAYFLY_HTTP_PORT: String(httpPort),
    MAYFLY_SMTP_PORT: String(smtpPort),
    MAYFLY_LIMITS_RATE: 'off',
    MAYFLY_SESSION_LIFETIME_MIN_SECONDS: '1',
    ...settings,
  };
  const start = (): Promise<MayflyProcess> =>
    dev
      ? spawnDev({
          words: ['--smtp-port', String(smtpPort), '--http-port', String(httpPort), '--data', folder.path],
          environment: settings,
          temp: folder.path,
        })
      : startMayfly(folder.path, environment);
  let mayfly = await start();
  const operations: Readonly<Record<string, (given: never) => Promise<object>>> = {
    '/send': (given: Sending) => sendPatiently(smtpPort, given),
    '/restart': async ({ signal = 'SIGTERM' }: Restart) => {
      await mayfly.stop(signal);
      mayfly = await start();
      return {};
    },
  };
  const control = await serve(operations);
  return {
    url: mayfly.origin,
    control: control.url,
    addCaptureKey: async () => {
      const made = await runMayfly(folder.path, ['key', 'add', 'capturer', '--scope', 'capture']);
      const [key] = /mfk_[\w-]+/.exec(made.stdout) ?? [];
      if (key === undefined) throw new Error(`No key: ${made.stdout}${made.stderr}`);
      return key;
    },
    close: async () => {
      control.server.close();
      await mayfly.stop('SIGKILL');
      await folder.remove();
    },
  };
}

/** Retries, as mail servers do, when a busy machine refuses it. */
async function sendPatiently(port: number, given: Sending): Promise<Sent> {
  for (const until = performance.now() + 30_000; ; await delay(100)) {
    const sent = await send(port, given);
    if (!sent.reply.startsWith('421') || performance.now() > until) return sent;
  }
}

async function send(port: number, { to, mail, login }: Sending): Promise<Sent> {
  const auth = login ? { auth: { user: login.username, pass: login.password } } : {};
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true, ...auth });
  const from = mail.from ?? 'Shop <noreply@shop.example>';
  try {
    const { response } = await transport.sendMail({ ...mail, from, to });
    return { reply: response };
  } catch (error) {
    if (error instanceof Error && 'response' in error) return { reply: String(error.response) };
    throw error;
  } finally {
    transport.close();
  }
}

interface Control {
  readonly server: Server;
  readonly url: string;
}

async function serve(
  operations: Readonly<Record<string, (given: never) => Promise<object>>>,
): Promise<Control> {
  const server = createServer((request, response) => {
    answer(operations, request).then(
      (body) => response.end(JSON.stringify(body)),
      (error: unknown) => fail(response, error),
    );
  });
  return { server, url: `http://127.0.0.1:${await listenLocally(server)}` };
}

async function answer(
  operations: Readonly<Record<string, (given: never) => Promise<object>>>,
  request: IncomingMessage,
): Promise<object> {
  const operation = operations[request.url ?? ''];
  if (!operation) throw new Error(`No such operation: ${request.url}`);
  return operation(JSON.parse(await text(request)) as never);
}

function fail(response: ServerResponse, error: unknown): void {
  response.statusCode = 500;
  response.end(String(error));
}
