// An application whose sign-up the examples of docs/clients test: it mails a code and accepts it back.

import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

import { listenLocally } from './local-server.ts';
import type { ScenarioService } from '../clients/scenario-service.ts';

export interface SignUpApp {
  readonly url: string;
  /** Addresses confirmed with their code. */
  readonly confirmed: readonly string[];
  readonly close: () => void;
}

/**
 * Sends mail through the service's SMTP. Its paths are /sign-up (`email`) and /confirm (`email`, `code`), both POST.
 */
export async function startSignUpApp({ control }: Pick<ScenarioService, 'control'>): Promise<SignUpApp> {
  const codes = new Map<string, string>();
  const confirmed: string[] = [];
  const paths: Readonly<Record<string, (form: URLSearchParams) => Promise<number>>> = {
    '/sign-up': async (form) => {
      const email = form.get('email') ?? '';
      const code = String(randomInt(100_000, 1_000_000));
      codes.set(email, code);
      const mail = {
        subject: 'Confirm your address',
        text: `Your code is ${code}.\nOr follow https://shop.example/confirm?email=${encodeURIComponent(email)}&token=${code}\n`,
      };
      const sent = await fetch(`${control}/send`, {
        method: 'POST',
        body: JSON.stringify({ to: email, mail }),
      });
      const { reply } = (await sent.json()) as { reply: string };
      return reply.startsWith('250') ? 202 : 502;
    },
    '/confirm': async (form) => {
      const email = form.get('email') ?? '';
      if (codes.get(email) !== form.get('code')) return 403;
      confirmed.push(email);
      return 200;
    },
  };
  const server = createServer((request, response) => {
    const answer = paths[request.url ?? ''] ?? (async () => 404);
    text(request)
      .then((body) => answer(new URLSearchParams(body)))
      .then(
        (status) => response.writeHead(status).end(),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  const url = `http://127.0.0.1:${await listenLocally(server)}`;
  return { url, confirmed, close: () => server.close() };
}
