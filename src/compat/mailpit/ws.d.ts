// The part of `ws` that events.ts uses.

declare module 'ws' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage } from 'node:http';
  import type { Duplex } from 'node:stream';

  export class WebSocket extends EventEmitter {
    constructor(url: string, options: { readonly headers: Readonly<Record<string, string>> });
    readonly bufferedAmount: number;
    send(text: string): void;
    ping(): void;
    close(code?: number): void;
    terminate(): void;
  }

  export class WebSocketServer {
    constructor(options: {
      readonly noServer: true;
      readonly clientTracking: false;
      readonly maxPayload: number;
      readonly perMessageDeflate: false;
    });
    handleUpgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      done: (client: WebSocket) => void,
    ): void;
  }
}
