// Pages with forms for the extension, each on a host of its own: `http://NAME.test:PORT` is the recorded form NAME.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { makeCertificate } from '../servers/certificate.ts';
import { listenLocally } from '../servers/local-server.ts';

const forms = fileURLToPath(new URL('../../../clients/extension/test/fixtures/forms/', import.meta.url));

export interface OwnPage {
  readonly body: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ExtensionPages {
  readonly port: number;
  /** Has the same pages by https, with a certificate that browsers only accept in tests. */
  readonly securePort: number;
  /** Requests since the start, as `HOST PATH`. */
  readonly requests: string[];
  /** Serves a page of the test's own. @returns its URL */
  add(host: string, path: string, page: OwnPage): string;
  /** Returns the URL of a recorded form, with the path that it had. */
  urlOf(name: string): string;
  close(): void;
}

export function listForms(): readonly string[] {
  return readdirSync(forms).map((file) => path.basename(file, '.html'));
}

export async function servePages(): Promise<ExtensionPages> {
  const own = new Map<string, OwnPage>();
  const requests: string[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    answer({ own, requests }, request, response);
  };
  const servers = [
    createServer(listener),
    createSecureServer(makeCertificate('pages.test'), listener),
  ] as const;
  const [port, securePort] = (await Promise.all(servers.map(listenLocally))) as [number, number];
  return {
    port,
    securePort,
    requests,
    add(host, at, page) {
      own.set(`${host} ${at}`, page);
      return `http://${host}:${port}${at}`;
    },
    urlOf: (name) => {
      const [, at = '/'] = /<!-- path: (\S+) -->/.exec(readFileSync(`${forms}${name}.html`, 'utf8')) ?? [];
      return `http://${name}.test:${port}${at}`;
    },
    close: () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

function answer(
  { own, requests }: { own: ReadonlyMap<string, OwnPage>; requests: string[] },
  { headers: { host = '' }, url = '' }: IncomingMessage,
  response: ServerResponse,
): void {
  const hostname = host.replace(/:\d+$/, '');
  requests.push(`${hostname} ${url}`);
  const given = own.get(`${hostname} ${url}`);
  if (given) {
    response.writeHead(200, { 'content-type': given.type ?? 'text/html; charset=utf-8', ...given.headers });
    response.end(given.body);
    return;
  }
  const name = hostname.replace(/\.test$/, '');
  if (!listForms().includes(name) || url === '/favicon.ico') {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(readFileSync(`${forms}${name}.html`));
}
