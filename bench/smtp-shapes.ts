// The shapes of SMTP traffic, and the two drivers for each: Postfix's smtp-source, which costs almost nothing but
// sends every message of a run to another session, and our own, which spreads them over 1,000 sessions at random but
// can be the bottleneck.
import { formatCount } from './figure.ts';
import { runSmtpDriver, runSmtpSource } from './run-driver.ts';
import { mixedSizes } from './sample-message.ts';
import { domain } from './service-process.ts';

export interface Shape {
  /** The figure's id without its driver. */
  readonly id: string;
  readonly title: string;
  readonly connections: number;
  /** Uses a new connection for every message. */
  readonly reconnect: boolean;
  readonly bodyBytes: readonly number[];
  /** In a run of full length. */
  readonly messages: number;
}

const kb4 = { title: 'SMTP ingest, 4 KB', reconnect: false, bodyBytes: [4096], messages: 15_000 };
const kb75 = { title: 'SMTP ingest, 75 KB', reconnect: false, bodyBytes: [76_800], messages: 3000 };
const mb35 = { title: 'SMTP ingest, 35 MiB', reconnect: false, bodyBytes: [35 * 1024 * 1024] };
const kb2To200 = {
  title: 'SMTP ingest, 2–200 KB',
  reconnect: false,
  bodyBytes: mixedSizes(200),
  messages: 6000,
};

export const smallShapes: readonly Shape[] = [
  { ...kb4, id: 'smtp-4k-100', connections: 100 },
  { ...kb4, id: 'smtp-4k-20', connections: 20 },
  // Fewer, since each leaves a closed connection that the kernel keeps for a minute.
  { ...kb4, id: 'smtp-4k-new', connections: 100, reconnect: true, messages: 5000 },
];
/** One test, or a few at once, as most people send. */
export const fewSenders: readonly Shape[] = [
  { ...kb4, id: 'smtp-4k-1-new', connections: 1, reconnect: true, messages: 1000 },
  { ...kb4, id: 'smtp-4k-5-new', connections: 5, reconnect: true, messages: 2500 },
  { ...kb4, id: 'smtp-4k-1', connections: 1, messages: 3000 },
  { ...kb4, id: 'smtp-4k-5', connections: 5, messages: 6000 },
];
/** Near the largest message taken by default; other catchers of mail may refuse it. */
export const hugeShapes: readonly Shape[] = [
  { ...mb35, id: 'smtp-35m-1', connections: 1, messages: 6 },
  { ...mb35, id: 'smtp-35m-10', connections: 10, messages: 20 },
];
export const largeShape: Shape = { ...kb75, id: 'smtp-75k-20', connections: 20 };
export const mixedShape: Shape = { ...kb2To200, id: 'smtp-mixed-20', connections: 20 };

export function toShapeText({ connections, reconnect }: Shape): string {
  if (connections === 1) return reconnect ? 'one sender, a new connection each' : 'one kept connection';
  return reconnect ? `a new connection each, ${connections} at once` : `${connections} kept connections`;
}

export interface DriverRun {
  readonly perSecond: number;
  /** Share of a core, if the driver reports it. */
  readonly driverLoad?: number;
}

export interface SmtpTraffic {
  readonly name: string;
  /** Returns the number of sessions needed for a run of so many messages. */
  readonly countSessions: (messages: number) => number;
  /** Describes how the messages are spread over the sessions. */
  readonly describeSpread: (messages: number) => string;
  readonly toPrefix: (index: number) => string;
  /** Sends the messages and waits for their 250s. @throws Error on any other reply */
  readonly send: (shape: Shape, port: number, messages: number) => Promise<DriverRun>;
}

export const smtpSourceTraffic: SmtpTraffic = {
  name: 'smtp-source',
  countSessions: (messages) => messages,
  describeSpread: (messages) => `each to the next of ${formatCount(messages)} sessions`,
  toPrefix: (index) => `${index + 1}a`,
  async send({ connections, reconnect, bodyBytes }, port, messages) {
    const size = { messages, bodyBytes: bodyBytes[0] ?? 0 };
    return {
      perSecond: await runSmtpSource({ port, connections, reconnect, ...size, recipient: `a@${domain}` }),
    };
  },
};

const ownSessions = 1000;
const recipients = Array.from({ length: ownSessions }, (_, index) => `s${index}@${domain}`);

export const ownTraffic: SmtpTraffic = {
  name: 'own driver',
  countSessions: () => ownSessions,
  describeSpread: () => `at random over ${formatCount(ownSessions)} sessions`,
  toPrefix: (index) => `s${index}`,
  send: ({ connections, reconnect, bodyBytes }, port, messages) =>
    runSmtpDriver({ port, connections, reconnect, messages, recipients, bodyBytes }),
};
