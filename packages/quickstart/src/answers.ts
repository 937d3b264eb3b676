// The facts about the server that have to be known: from the options, else from what is there already, else asked for, in at most
// three questions.

import { isIP } from 'node:net';
import { createInterface } from 'node:readline/promises';

import { listOwnAddresses } from '../../doctor/src/collect-machine.ts';
import { parseWrittenDomain } from '../../mail-receiver/src/ascii-domain.ts';
import { reachOf } from '../../networks/src/public-address.ts';
import { readSettings, type Settings } from './settings-file.ts';
import { codeOf } from '../../system-errors/src/error-code.ts';
import { UsageError } from '../../command-line/src/usage-error.ts';

/** The options of the command. */
export type Options = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Answers {
  readonly domain: string;
  /** The server's name: exchange and page. */
  readonly host: string;
  readonly addresses: readonly string[];
  readonly settings: Settings;
}

/** @param settingsNow the file of settings as it is; undefined when there is none of the operator's. @throws UsageError */
export async function findAnswers(
  given: Options,
  settingsNow: string | undefined,
  signal: AbortSignal,
): Promise<Answers> {
  const domain = parseName(String(given['domain']), 'the domain');
  const now = readSettings(settingsNow ?? '');
  const asker = createAsker(given['yes'] === true, signal);
  try {
    const host = parseName(
      given['host']?.toString() ??
        hostOf(now) ??
        (await asker.ask('Name of this server, for mail and the page', `mail.${domain}`)),
      '--host',
    );
    const found = listOwnAddresses((address) => reachOf(address) === 'anyone');
    const addresses = parseAddresses(
      given['address']?.toString() ?? (await asker.ask('Its public addresses', found.join(','))),
    );
    const more = readMore(given['set']?.toString());
    const directory = more['MAYFLY_ACME_DIRECTORY'] ?? now['MAYFLY_ACME_DIRECTORY'];
    const authority = directory === undefined ? 'Let’s Encrypt' : hostOfUrl(directory);
    const agreed = await asker.ask(
      `Do you agree to the terms of ${authority}, which gives the certificate?`,
      'yes',
    );
    if (!/^y(?:es)?$/i.test(agreed)) {
      throw new UsageError(
        'Without a certificate there is no public page; see docs/operations.md for other ways.',
      );
    }
    return { domain, host, addresses, settings: { ...plannedSettings({ domain, host, now }), ...more } };
  } finally {
    asker.close();
  }
}

function plannedSettings(given: { domain: string; host: string; now: Settings }): Settings {
  const { domain, host, now } = given;
  const domains = (now['MAYFLY_DOMAINS'] ?? '').split(',').filter(Boolean);
  return {
    MAYFLY_DOMAINS: [...new Set([...domains, domain])].join(','),
    MAYFLY_SMTP_HOSTNAME: host,
    MAYFLY_HTTP_PUBLIC_URL: `https://${host}`,
    MAYFLY_HTTP_TLS: 'acme',
    // Changes by the operator stay.
    MAYFLY_SMTP_MTA_STS: now['MAYFLY_SMTP_MTA_STS'] ?? 'testing',
    MAYFLY_ADMIN_PORT: now['MAYFLY_ADMIN_PORT'] ?? '8081',
  };
}

function hostOf({ MAYFLY_SMTP_HOSTNAME: name }: Settings): string | undefined {
  return name === '' ? undefined : name;
}

function hostOfUrl(directory: string): string {
  if (URL.canParse(directory)) return new URL(directory).host;
  throw new UsageError(`MAYFLY_ACME_DIRECTORY is not a URL: ${JSON.stringify(directory.slice(0, 80))}.`);
}

function parseName(text: string, what: string): string {
  const name = parseWrittenDomain(text);
  if (name?.includes('.') === true) return name;
  throw new UsageError(
    `${JSON.stringify(text.slice(0, 80))} is not a name of the Internet, as ${what} must be.`,
  );
}

function parseAddresses(text: string): string[] {
  const addresses = text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
  const wrong = addresses.find((one) => !isPublic(one));
  if (wrong !== undefined) throw new UsageError(`${JSON.stringify(wrong)} is not a public address.`);
  if (addresses.length > 0) return addresses;
  throw new UsageError(
    'This server has no public address of its own: give the one that leads to it with --address.',
  );
}

function isPublic(text: string): boolean {
  // A zone has no place for the scope of an address.
  return isIP(text) !== 0 && !text.includes('%') && reachOf(text) === 'anyone';
}

/** NAME=VALUE, separated by commas that a name follows, since values have commas too. */
function readMore(text = ''): Settings {
  const pairs = text.split(/,(?=[A-Z][A-Z0-9_]*=)/).filter(Boolean);
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value = ''] = /^([A-Z][A-Z0-9_]*)=([^\n\r']*)$/.exec(pair) ?? [];
      if (name === undefined) {
        throw new UsageError('--set takes NAME=VALUE, as in docs/configuration.md, without an apostrophe.');
      }
      return [name, value];
    }),
  );
}

function createAsker(takesDefaults: boolean, signal: AbortSignal) {
  const lines =
    takesDefaults || !process.stdin.isTTY
      ? undefined
      : createInterface({ input: process.stdin, output: process.stderr });
  return {
    async ask(question: string, usual: string): Promise<string> {
      if (takesDefaults) return usual;
      if (!lines) {
        throw new UsageError(
          'There is no terminal to ask in: give --yes, and --host and --address if needed.',
        );
      }
      try {
        const answer = (await lines.question(`${question} [${usual}]: `, { signal })).trim();
        return answer === '' ? usual : answer;
      } catch (error) {
        // Ctrl-C and Ctrl-D.
        if (codeOf(error) !== 'ABORT_ERR') throw error;
        throw new UsageError('Nothing was done: a question has no answer.', { cause: error });
      }
    },
    close: () => lines?.close(),
  };
}
