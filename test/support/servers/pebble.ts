// Pebble, the ACME server that Let's Encrypt publishes for tests, as a process of the test's own.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

import { onTestFinished } from 'vitest';

import { eventually } from '../eventually.ts';
import { makeAuthority } from './certificate.ts';
import { startDns } from './dns-zone.ts';
import { freePort } from './free-port.ts';

/** `npm run test:setup` installs it. */
const program = path.resolve('node_modules/.test-pebble/pebble');

export interface PebbleOptions {
  /** Percent of nonces that it rejects. */
  readonly badNonces?: number;
  /** HMAC keys by key id, in base64url; then accounts need one. */
  readonly externalAccounts?: Readonly<Record<string, string>>;
  /** Names that lead to this machine. */
  readonly names?: readonly string[];
}

export class Pebble {
  /** Where it looks for answers to challenges. */
  readonly httpPort: number;
  readonly tlsPort: number;
  /** The settings that make a service use it, and answer where it looks. */
  readonly settings: Readonly<Record<string, string>>;
  readonly #port: number;
  readonly #managementPort: number;
  readonly #folder: string;
  readonly #options: PebbleOptions;
  readonly #ca: string;
  #child: ChildProcess | undefined;

  private constructor(ports: readonly number[], folder: string, options: PebbleOptions) {
    const [port = 0, managementPort = 0, httpPort = 0, tlsPort = 0] = ports;
    this.#port = port;
    this.#managementPort = managementPort;
    this.httpPort = httpPort;
    this.tlsPort = tlsPort;
    this.#folder = folder;
    this.#options = options;
    const authority = makeAuthority();
    this.#ca = authority.cert;
    const { cert, key } = authority.issue('localhost');
    this.#write('cert.pem', cert);
    this.#write('key.pem', key);
    this.settings = {
      MAYFLY_HTTP_TLS: 'acme',
      MAYFLY_HTTP_PORT: String(tlsPort),
      MAYFLY_HTTP_REDIRECT_PORT: String(httpPort),
      MAYFLY_ACME_DIRECTORY: `https://localhost:${port}/dir`,
      MAYFLY_ACME_CA_FILE: this.#write('ca.pem', this.#ca),
    };
  }

  /** Runs until the test is over. */
  static async start(options: PebbleOptions = {}): Promise<Pebble> {
    const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-pebble-'));
    const ports: number[] = [];
    for (let at = 0; at < 4; at++) ports.push(await freePort());
    const pebble = new Pebble(ports, folder, options);
    onTestFinished(async () => {
      await pebble.stop();
      rmSync(folder, { recursive: true });
    });
    await pebble.run();
    return pebble;
  }

  /** Starts it again, with an empty memory. */
  async run(): Promise<void> {
    const { badNonces = 5, externalAccounts, names = [] } = this.#options;
    const config = this.#write('config.json', JSON.stringify({ pebble: this.#config(externalAccounts) }));
    const { server } = await startDns(Object.fromEntries(names.map((name) => [`A ${name}`, '127.0.0.1'])));
    const child = spawn(program, ['-config', config, '-dnsserver', server], {
      stdio: 'ignore',
      env: { PATH: process.env['PATH'], PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: String(badNonces) },
    });
    this.#child = child;
    const failed = once(child, 'error').then(([error]) => {
      throw new Error(`${program} does not run; npm run test:setup installs it.`, { cause: error });
    });
    await Promise.race([
      failed,
      eventually(() => this.#ask('/roots/0').catch((error: unknown) => void error), 'Pebble answers'),
    ]);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill();
    await exited;
  }

  /** The authority that clients trust, in PEM. It is another one after each start. */
  async root(): Promise<string> {
    return this.#ask('/roots/0');
  }

  #config(externalAccounts: PebbleOptions['externalAccounts']): object {
    return {
      listenAddress: `127.0.0.1:${this.#port}`,
      managementListenAddress: `127.0.0.1:${this.#managementPort}`,
      certificate: path.join(this.#folder, 'cert.pem'),
      privateKey: path.join(this.#folder, 'key.pem'),
      httpPort: this.httpPort,
      tlsPort: this.tlsPort,
      ocspResponderURL: '',
      externalAccountBindingRequired: externalAccounts !== undefined,
      externalAccountMACKeys: externalAccounts ?? {},
      retryAfter: { authz: 1, order: 1 },
      keyAlgorithm: 'ecdsa',
      profiles: {
        default: { description: 'ninety days', validityPeriod: 7_776_000 },
        shortlived: { description: 'six days', validityPeriod: 518_400 },
      },
    };
  }

  #write(name: string, content: string): string {
    const file = path.join(this.#folder, name);
    writeFileSync(file, content);
    return file;
  }

  #ask(target: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const options = { host: 'localhost', port: this.#managementPort, path: target, ca: this.#ca };
      get(options, (response) => {
        text(response).then(resolve, reject);
      }).on('error', reject);
    });
  }
}
