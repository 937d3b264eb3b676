// The part of Docker's API that testcontainers uses for one container: records the requests, and maps the container's
// ports to those of a running program.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { listenLocally } from './local-server.ts';

/** The part of Docker's container description that tests examine. */
export interface AskedContainer {
  readonly Image: string;
  readonly Cmd: readonly string[];
  readonly Env: readonly string[];
  readonly ExposedPorts: Readonly<Record<string, object>>;
}

export interface FakeDocker {
  /** For DOCKER_HOST. */
  readonly host: string;
  readonly asked: AskedContainer[];
  /** Methods and paths without the version. */
  readonly calls: string[];
  readonly close: () => void;
}

const id = 'c0ffee'.repeat(10);

/** @param ports container port → the port that serves it */
export async function startFakeDocker(ports: Readonly<Record<string, number>>): Promise<FakeDocker> {
  const asked: AskedContainer[] = [];
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const call = `${request.method} ${(request.url ?? '').replace(/^\/v[\d.]+/, '').replace(/\?.*/, '')}`;
    calls.push(call);
    answer(call, { request, response, asked, ports }).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(JSON.stringify({ message: String(error) }));
    });
  });
  const port = await listenLocally(server);
  return {
    host: `tcp://127.0.0.1:${port}`,
    asked,
    calls,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly asked: AskedContainer[];
  readonly ports: Readonly<Record<string, number>>;
}

async function answer(call: string, { request, response, asked, ports }: Exchange): Promise<void> {
  const body = await text(request);
  const reply = (status: number, value?: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(value === undefined ? '' : JSON.stringify(value));
  };
  if (call === 'GET /info') {
    reply(200, { ServerVersion: '28.0.0', OperatingSystem: 'fake', OSType: 'linux', Architecture: 'x86_64' });
  } else if (call === 'GET /containers/json') {
    reply(200, []);
  } else if (/^GET \/images\/.+\/json$/.test(call)) {
    reply(200, { Id: 'sha256:0' });
  } else if (call === 'POST /containers/create') {
    asked.push(JSON.parse(body) as AskedContainer);
    reply(201, { Id: id, Warnings: [] });
  } else if (call === `POST /containers/${id}/start` || call === `POST /containers/${id}/stop`) {
    reply(204);
  } else if (call === `GET /containers/${id}/json`) {
    reply(200, describe(ports));
  } else if (call === `GET /containers/${id}/logs`) {
    // No output.
    response.writeHead(200, { 'content-type': 'application/vnd.docker.raw-stream' }).flushHeaders();
  } else if (call === `DELETE /containers/${id}`) {
    reply(204);
  } else {
    reply(404, { message: `This Docker knows no ${call}` });
  }
}

function describe(ports: Readonly<Record<string, number>>): object {
  const mapped = Object.entries(ports).map(([inside, outside]) => [
    `${inside}/tcp`,
    [{ HostIp: '0.0.0.0', HostPort: String(outside) }],
  ]);
  return {
    Id: id,
    Name: '/fake',
    Created: new Date().toISOString(),
    State: { Status: 'running', Running: true, StartedAt: new Date().toISOString() },
    Config: {
      Hostname: 'fake',
      Labels: {},
      ExposedPorts: Object.fromEntries(mapped.map(([name]) => [name, {}])),
    },
    HostConfig: { PortBindings: {}, NetworkMode: 'bridge' },
    NetworkSettings: { Ports: Object.fromEntries(mapped), Networks: {} },
  };
}
