// The browser's answer, as JSON from the network: only its shape is checked here, and only what is used is kept.

export interface Response {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  /** By name; base64url without padding. */
  readonly response: Readonly<Record<string, string>>;
  readonly transports: readonly string[];
  readonly clientExtensionResults: Readonly<Record<string, never>>;
}

const fieldMaxLength = 12_000;
const base64url = /^[A-Za-z0-9_-]+$/;

/** Returns undefined unless all `fields` are there, and the page was not in a frame of another. */
export function readResponse(text: string, fields: readonly string[]): Response | undefined {
  const given = parse(text);
  if (!isRecord(given) || !isRecord(given['response']) || given['type'] !== 'public-key') return undefined;
  const { id, response } = given;
  const taken = fields.map((name) => [name, response[name]] as const);
  if (!isBytes(id) || given['rawId'] !== id || !taken.every(isField)) return undefined;
  const values = Object.fromEntries(taken);
  if (isFramed(values['clientDataJSON'] ?? '')) return undefined;
  const { transports } = response;
  const listed = Array.isArray(transports) ? transports.filter((one) => typeof one === 'string') : [];
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: values,
    transports: listed,
    clientExtensionResults: {},
  };
}

function isFramed(clientData: string): boolean {
  const parsed = parse(Buffer.from(clientData, 'base64url').toString());
  return !isRecord(parsed) || parsed['crossOrigin'] === true || parsed['topOrigin'] !== undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isBytes(value: unknown): value is string {
  return typeof value === 'string' && value.length <= fieldMaxLength && base64url.test(value);
}

function isField(field: readonly [name: string, value: unknown]): field is readonly [string, string] {
  return isBytes(field[1]);
}
