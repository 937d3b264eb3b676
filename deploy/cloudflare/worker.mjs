// Hands over the mail of Cloudflare's Email Routing to Mayfly while its sender is still connected, so that an unknown
// recipient is refused there and then. If Mayfly does not answer, the mail is parked in R2 and handed over later, in
// order; an exception here would refuse it for good. docs/inbound.md says how to set it up.

/**
 * @typedef {{
 *   readonly from: string,
 *   readonly to: string,
 *   readonly raw: ReadableStream<Uint8Array>,
 *   setReject(reason: string): void | Promise<void>,
 * }} IncomingMail
 * @typedef {{ readonly key: string, readonly customMetadata?: Record<string, string> }} ParkedObject
 * @typedef {{
 *   put(key: string, value: Uint8Array, options: { customMetadata: Record<string, string> }): Promise<unknown>,
 *   get(key: string): Promise<(ParkedObject & { arrayBuffer(): Promise<ArrayBuffer> }) | null>,
 *   list(options: { prefix: string, limit: number, cursor?: string }):
 *     Promise<{ readonly objects: readonly ParkedObject[], readonly truncated: boolean, readonly cursor?: string }>,
 *   delete(key: string): Promise<void>,
 * }} Bucket
 * @typedef {{
 *   readonly MAYFLY_URL: string,
 *   readonly MAYFLY_SECRET: string,
 *   readonly PARKED: Bucket,
 * }} Env
 * @typedef {{ readonly id: string, readonly from: string, readonly to: string }} Envelope
 * @typedef {{ readonly kind: 'taken' | 'away' | 'failed' } | { readonly kind: 'refused', readonly reply: string }} Outcome
 */

/** Before the first, the second and the third try; the sender waits meanwhile. */
const waitsMs = [0, 1000, 4000];
const timeoutMs = 20_000;
const prefix = 'mail/';
/** How many parked messages one run hands over, and how long it goes on. */
const listedMax = 200;
const runMs = 50_000;

const worker = {
  /**
   * @param {IncomingMail} message
   * @param {Env} env
   */
  async email(message, env) {
    const raw = new Uint8Array(await new Response(message.raw).arrayBuffer());
    const envelope = { id: await toId(message, raw), from: message.from, to: message.to };
    const outcome = await handOver(env, envelope, raw);
    if (outcome.kind === 'taken') return;
    // Awaited for workerd outside Cloudflare, where it is a call to another worker.
    if (outcome.kind === 'refused') await message.setReject(outcome.reply);
    else if (!(await park(env, envelope, raw))) await message.setReject('451 4.3.0 Try again later');
  },

  /**
   * @param {unknown} _controller
   * @param {Env} env
   */
  async scheduled(_controller, env) {
    const until = Date.now() + runMs;
    /** @type {string | undefined} */
    let cursor;
    do {
      const listed = await env.PARKED.list({ prefix, limit: listedMax, ...(cursor ? { cursor } : {}) });
      for (const { key } of listed.objects) {
        if (Date.now() > until || !(await handOverParked(env, key))) return;
      }
      cursor = listed.truncated ? listed.cursor : undefined;
    } while (cursor !== undefined);
  },
};

export default worker;

/**
 * Tries several times; what Mayfly refuses is not tried again.
 * @param {Env} env
 * @param {Envelope} envelope
 * @param {Uint8Array} raw
 * @returns {Promise<Outcome>}
 */
async function handOver(env, envelope, raw) {
  /** @type {Outcome} */
  let outcome = { kind: 'away' };
  for (const waitMs of waitsMs) {
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    outcome = await post(env, envelope, raw);
    if (outcome.kind === 'taken' || outcome.kind === 'refused') return outcome;
  }
  return outcome;
}

/**
 * @param {Env} env
 * @param {Envelope} envelope
 * @param {Uint8Array} raw
 * @returns {Promise<Outcome>}
 */
async function post(env, envelope, raw) {
  const { id, from, to } = envelope;
  const line = new TextEncoder().encode(`${JSON.stringify({ from, to: [to] })}\n`);
  const body = new Uint8Array(line.length + raw.length);
  body.set(line);
  body.set(raw, line.length);
  try {
    const answer = await fetch(env.MAYFLY_URL, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream', ...(await sign(env, id, body)) },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await readOutcome(answer);
  } catch (error) {
    console.warn(`Mayfly cannot be reached: ${error instanceof Error ? error.name : 'unknown'}`);
    return { kind: 'away' };
  }
}

/**
 * Only an answer of Mayfly itself refuses a message: a proxy in front of it may say anything while it is away.
 * @param {Response} answer
 * @returns {Promise<Outcome>}
 */
async function readOutcome(answer) {
  const text = await answer.text();
  const { status, reply } = readJson(text);
  if (answer.ok && status === 'success') return { kind: 'taken' };
  if (answer.status === 422 && typeof reply === 'string') return { kind: 'refused', reply };
  console.warn(`Mayfly answered ${answer.status}`);
  return { kind: answer.status === 500 ? 'failed' : 'away' };
}

/**
 * @param {string} text
 * @returns {{ readonly status?: unknown, readonly reply?: unknown }}
 */
function readJson(text) {
  try {
    return Object(JSON.parse(text));
  } catch (error) {
    console.warn(`The answer is not Mayfly’s: ${error instanceof Error ? error.name : 'unknown'}`);
    return {};
  }
}

/**
 * By the Standard Webhooks specification.
 * @param {Env} env
 * @param {string} id
 * @param {Uint8Array} body
 */
async function sign(env, id, body) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  const bytes = Uint8Array.from(atob(env.MAYFLY_SECRET.replace(/^whsec_/, '')), (one) => one.charCodeAt(0));
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
  };
}

/**
 * The same for every try to hand the message over, so that it is stored once.
 * @param {Pick<IncomingMail, 'from' | 'to'>} envelope
 * @param {Uint8Array} raw
 */
async function toId({ from, to }, raw) {
  const head = new TextEncoder().encode(`${JSON.stringify([from, to])}\n`);
  const whole = new Uint8Array(head.length + raw.length);
  whole.set(head);
  whole.set(raw, head.length);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', whole));
  return [...digest.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * @param {Env} env
 * @param {Envelope} envelope
 * @param {Uint8Array} raw
 * @returns {Promise<boolean>} whether it is safe there
 */
async function park(env, { id, from, to }, raw) {
  // Sorted by time.
  const key = `${prefix}${String(Date.now()).padStart(15, '0')}-${id}`;
  const envelope = encodeURIComponent(JSON.stringify({ id, from, to }));
  for (const waitMs of waitsMs) {
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    try {
      await env.PARKED.put(key, raw, { customMetadata: { envelope } });
      return true;
    } catch (error) {
      console.error(`The mail cannot be parked: ${error instanceof Error ? error.name : 'unknown'}`);
    }
  }
  return false;
}

/**
 * @param {Env} env
 * @param {string} key
 * @returns {Promise<boolean>} whether to go on: not while Mayfly is away
 */
async function handOverParked(env, key) {
  const parked = await env.PARKED.get(key);
  // Another run may have handed it over.
  if (!parked) return true;
  const raw = new Uint8Array(await parked.arrayBuffer());
  const envelope = /** @type {Envelope} */ (
    JSON.parse(decodeURIComponent(parked.customMetadata?.envelope ?? ''))
  );
  const outcome = await post(env, envelope, raw);
  if (outcome.kind === 'away') return false;
  // A message that Mayfly fails at stays, and does not hold up the others.
  if (outcome.kind === 'failed') return true;
  if (outcome.kind === 'refused') console.warn(`A parked message was refused: ${outcome.reply}`);
  await env.PARKED.delete(key);
  return true;
}
