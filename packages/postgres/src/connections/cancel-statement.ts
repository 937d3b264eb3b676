// Asks the server to end the statement that a connection is running (PostgreSQL documentation, "Canceling Requests in
// Progress"), over a connection of its own, since the first one is busy. Poolers pass such requests on.

import pg from 'pg';

/** The part of pg's connection that its types lack. */
interface Backend {
  readonly processID: number | null;
  readonly secretKey: number | null;
  readonly host: string;
  readonly port: number;
  readonly ssl: pg.ConnectionConfig['ssl'];
  readonly sslNegotiation: string;
}

interface CancelConnection extends pg.Connection {
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
}

const patienceMs = 1000;

/**
 * Resolves when the request was sent or cannot be. The server does not answer it; whether it took effect shows only on
 * the connection itself, which must not be used for another statement, because the request may arrive late.
 */
export function cancelStatement(client: pg.ClientBase): Promise<void> {
  const { processID, secretKey, host, port, ssl, sslNegotiation } = client as unknown as Backend;
  if (processID === null || secretKey === null) return Promise.resolve();
  const how: object = { ssl, sslNegotiation };
  const request = new pg.Connection(how) as CancelConnection;
  return new Promise((resolve) => {
    const timer = setTimeout(finish, patienceMs).unref();
    function finish(): void {
      clearTimeout(timer);
      request.stream.destroy();
      resolve();
    }
    const send = (): void => {
      request.cancel(processID, secretKey);
    };
    request.once('connect', () => {
      if (!ssl) send();
      else if (sslNegotiation !== 'direct') request.requestSsl();
    });
    request.once('sslconnect', send);
    request.on('error', finish);
    // The server closes it once it has passed the request on.
    request.once('end', finish);
    if (host.startsWith('/')) request.connect(`${host}/.s.PGSQL.${port}`);
    else request.connect(port, host);
  });
}
