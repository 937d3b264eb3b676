// Attachments for the report of a failed test: its mail, raw and as pictures, and the replies to senders.

import type { TestInfo } from '@playwright/test';
import type { Delivery, Inbox, MessageSummary } from 'mayfly-client';

import type { Camera } from './camera.ts';
import { imageLoader, withoutTickets } from './inline-images.ts';
import { type Note, writeLog } from './write-log.ts';
import { within } from './within.ts';

/** The newest messages, which are attached; older ones are only listed. */
const messagesMax = 10;
const rawMax = 5_000_000;
const rawTotalMax = 20_000_000;
/** Milliseconds for one answer of the service, for one picture, and in all. */
const [answerTimeout, pictureTimeout, totalTimeout] = [10_000, 20_000, 40_000];

export interface Evidence {
  /** Prefix of the attachments' names. */
  readonly name: string;
  readonly inbox: Inbox;
  readonly camera: Camera;
}

/** Never fails: problems are reported in the attached log. */
export async function attachMail(testInfo: TestInfo, evidence: Evidence): Promise<void> {
  const collection = new Collection(testInfo, evidence);
  try {
    await within(totalTimeout, collection.collect());
  } catch (error) {
    collection.isOver = true;
    collection.addProblem(`Not all could be read: ${toLine(error)}`);
  }
  await collection.attachLog();
}

class Collection {
  /** The report is being written, so nothing may be attached any more. */
  isOver = false;
  readonly #testInfo: TestInfo;
  readonly #evidence: Evidence;
  #messages: readonly MessageSummary[] | undefined;
  #deliveries: readonly Delivery[] | undefined;
  readonly #notes = new Map<number, Note>();
  readonly #problems: string[] = [];
  #rawTotal = 0;

  constructor(testInfo: TestInfo, evidence: Evidence) {
    this.#testInfo = testInfo;
    this.#evidence = evidence;
  }

  addProblem(problem: string): void {
    this.#problems.push(problem);
  }

  async collect(): Promise<void> {
    const { inbox } = this.#evidence;
    const [messages, deliveries] = await within(
      answerTimeout,
      Promise.all([inbox.messages(), inbox.deliveryLog()]),
    );
    this.#messages = messages;
    this.#deliveries = deliveries;
    for (const message of messages.slice(0, messagesMax)) {
      const files = [await this.#attachRaw(message), await this.#attachPicture(message)];
      this.#notes.set(message.id, files);
    }
  }

  async attachLog(): Promise<void> {
    const { name, inbox } = this.#evidence;
    const text = writeLog({
      email: inbox.email,
      messages: this.#messages,
      deliveries: this.#deliveries,
      notes: this.#notes,
      problems: this.#problems,
    });
    const [deliveries, messages] = [this.#deliveries ?? null, this.#messages ?? null];
    const json = { email: inbox.email, deliveries, messages };
    await this.#attach(`${name}-delivery-log.txt`, text, 'text/plain');
    await this.#attach(`${name}-delivery-log.json`, JSON.stringify(json, null, 2), 'application/json');
  }

  async #attachRaw(message: MessageSummary): Promise<string> {
    const { name, inbox } = this.#evidence;
    if (message.size > rawMax || this.#rawTotal + message.size > rawTotalMax) {
      return `not attached, of ${message.size} bytes`;
    }
    this.#rawTotal += message.size;
    const file = `${name}-mail-${message.id}.eml`;
    return this.#try(file, async () => {
      const raw = await within(answerTimeout, inbox.raw(message));
      if (!this.isOver) await this.#attach(file, Buffer.from(raw), 'message/rfc822');
    });
  }

  async #attachPicture(message: MessageSummary): Promise<string> {
    const { name, inbox, camera } = this.#evidence;
    const file = `${name}-mail-${message.id}.png`;
    const loadImage = imageLoader((part) => inbox.attachment(message, part));
    let hasHtml = true;
    const result = await this.#try(file, async () => {
      const { html } = await within(answerTimeout, inbox.read(message));
      hasHtml = html !== null;
      if (html === null) return;
      const picture = await within(pictureTimeout, camera.take(withoutTickets(html), loadImage));
      if (!this.isOver) await this.#attach(file, picture, 'image/png');
    });
    return hasHtml ? result : 'no HTML to take a picture of';
  }

  /** Returns the file's name, or the reason why it is missing. */
  async #try(file: string, work: () => Promise<void>): Promise<string> {
    try {
      await work();
      return file;
    } catch (error) {
      return `no ${file}: ${toLine(error)}`;
    }
  }

  async #attach(name: string, body: string | Buffer, contentType: string): Promise<void> {
    await this.#testInfo.attach(name, { body, contentType });
  }
}

/** Returns the first line without colours: Playwright's errors continue with a log of calls. */
function toLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [line = ''] = text.replaceAll(/\u001b\[[0-9;]*m/g, '').split('\n');
  return line.slice(0, 300);
}
