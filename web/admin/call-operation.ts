// Calls operations of the admin interface with the admin key, which is kept in the tab alone.

const keyName = 'mayfly-admin-key';

export type Answer = Readonly<Record<string, unknown>>;
export type Parameters = Readonly<Record<string, unknown>>;

export function hasKey(): boolean {
  return sessionStorage.getItem(keyName) !== null;
}

export function keepKey(key: string): void {
  sessionStorage.setItem(keyName, key);
}

export function forgetKey(): void {
  sessionStorage.removeItem(keyName);
}

/** `path`: after `/admin/`; POST where there is a body. @throws Error with the message of the refusal */
export async function callOperation(path: string, body?: Parameters): Promise<Answer> {
  const headers: Record<string, string> = { authorization: `Bearer ${sessionStorage.getItem(keyName)}` };
  const options: RequestInit = { headers };
  if (body) {
    options.method = 'POST';
    options.body = JSON.stringify(body);
    headers['content-type'] = 'application/json';
  }
  const response = await fetch(`/admin/${path}`, options);
  const answer = (await response.json()) as Answer;
  if (!response.ok) throw new Error(show(answer['message']));
  return answer;
}

/** A value of an answer as text. */
export function show(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(show).join(', ');
  if (typeof value === 'object') return Object.values(value).map(show).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
