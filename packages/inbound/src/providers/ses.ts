// Amazon SES, whose receipt rule publishes the whole message to a topic of SNS: JSON with JSON in it with the message in
// it. SNS signs; the topic is pinned, because anyone may have one.

import {
  type InboundMail,
  InboundRefusal,
  type InboundRequest,
  type Intake,
  malformed,
  type Taken,
  unauthorized,
} from '../intake.ts';
import { Base64Decoder } from '../parse/base64-decoder.ts';
import { JsonReader, ShortText, ShortTexts, type TextTaker } from '../parse/json-reader.ts';
import { checkCertificateUrl, parseSnsUrl, readCertificate, SnsSignature } from '../signatures/sns.ts';
import { checkAge, toleranceMs } from '../signatures/timestamp.ts';

/** SNS tries for an hour. */
const windowMs = 2 * 60 * 60_000;
/** SNS carries 256 KB. */
const heldMaxBytes = 512 * 1024;

const memberNames = [
  ...['Type', 'MessageId', 'TopicArn', 'Subject', 'Timestamp', 'Token', 'SubscribeURL'],
  ...['SignatureVersion', 'Signature', 'SigningCertURL'],
];

export class SesIntake implements Intake {
  readonly #request: InboundRequest;
  readonly #topicArn: string;
  readonly #outer = new JsonReader((path) => this.#find(path));
  readonly #members = new Map(memberNames.map((name) => [name, new ShortText(4096)]));
  readonly #signature = new SnsSignature();
  readonly #notification: SesNotification;
  #hasMessage = false;

  constructor(request: InboundRequest, topicArn: string) {
    this.#request = request;
    this.#topicArn = topicArn;
    this.#notification = new SesNotification(request.take);
  }

  push(bytes: Buffer): void {
    this.#outer.push(bytes);
  }

  async end(): Promise<Taken> {
    this.#outer.end();
    if (!this.#hasMessage) throw malformed('There is no Message of SNS.');
    await this.#checkSignature();
    return this.#value('Type') === 'Notification'
      ? this.#notification.end(this.#value('MessageId'))
      : this.#toConfirmation();
  }

  #find(path: string): TextTaker | undefined {
    if (path !== 'Message') return this.#members.get(path);
    if (this.#hasMessage) throw malformed('The body has two Messages.');
    this.#hasMessage = true;
    return {
      take: (piece) => {
        this.#signature.pushMessage(piece);
        this.#notification.push(piece);
      },
      end: () => undefined,
    };
  }

  #value(name: string): string {
    return this.#members.get(name)?.value ?? '';
  }

  /** Rejects with InboundRefusal. */
  async #checkSignature(): Promise<void> {
    const { now, fetchCertificate } = this.#request;
    if (this.#value('TopicArn') !== this.#topicArn) {
      throw unauthorized('This is another topic’s notification.');
    }
    checkAge(Date.parse(this.#value('Timestamp')), now, windowMs);
    const url = checkCertificateUrl(this.#value('SigningCertURL'));
    const certificate = readCertificate(await fetchCertificate(url), url, now);
    const type = this.#value('Type');
    const names =
      type === 'Notification'
        ? ['MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
        : ['MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
    this.#signature.check(
      names.map((name) => [name, this.#members.get(name)?.value] as const),
      { version: this.#value('SignatureVersion'), signature: this.#value('Signature'), certificate },
    );
  }

  /** @throws InboundRefusal */
  #toConfirmation(): Taken {
    const url = parseSnsUrl(this.#value('SubscribeURL'));
    const isConfirmation =
      this.#value('Type') === 'SubscriptionConfirmation' &&
      url?.searchParams.get('Action') === 'ConfirmSubscription' &&
      url.searchParams.get('TopicArn') === this.#topicArn;
    if (!isConfirmation) throw malformed('This is neither a notification nor a confirmation of SNS.');
    return { kind: 'confirmation', url: url.href };
  }
}

/** The notification of SES, in the Message of SNS. A confirmation has a sentence there instead. */
class SesNotification {
  readonly #take: (piece: Buffer) => void;
  readonly #json = new JsonReader((path) => this.#find(path));
  readonly #members = new Map(
    ['notificationType', 'mail.source', 'mail.messageId', 'receipt.action.encoding'].map((path) => [
      path,
      new ShortText(),
    ]),
  );
  readonly #recipients = new ShortTexts(1000);
  #hasContent = false;
  /** A content that came before its encoding. */
  readonly #held: Buffer[] = [];
  #heldBytes = 0;
  #fault: InboundRefusal | undefined;

  constructor(take: (piece: Buffer) => void) {
    this.#take = take;
  }

  push(piece: Buffer): void {
    if (this.#fault) return;
    try {
      this.#json.push(piece);
    } catch (error) {
      // Thrown at the end, when it is known to be a notification; a message too large is refused at once.
      if (this.#hasContent || !(error instanceof InboundRefusal)) throw error;
      this.#fault = error;
    }
  }

  /** @throws InboundRefusal */
  end(proofId: string): InboundMail {
    if (this.#fault) throw this.#fault;
    this.#json.end();
    const [id = '', type = ''] = [this.#value('mail.messageId'), this.#value('notificationType')];
    if (type !== 'Received' || id === '') {
      throw malformed('This is no notification of SES about a message received.');
    }
    if (!this.#hasContent) {
      throw malformed(
        'There is no content: the receipt rule needs an SNS action, and mail of at most 150 KB.',
      );
    }
    this.#takeHeld();
    return {
      kind: 'mail',
      mailFrom: this.#value('mail.source') ?? '',
      rcptTo: this.#recipients.values,
      id,
      proof: { id: proofId, keptMs: windowMs + toleranceMs, binds: '' },
    };
  }

  #value(path: string): string | undefined {
    return this.#members.get(path)?.value;
  }

  #find(path: string): TextTaker | undefined {
    if (path === 'content') return this.#takeContent();
    return path === 'receipt.recipients[]' ? this.#recipients : this.#members.get(path);
  }

  #takeContent(): TextTaker {
    if (this.#hasContent) throw malformed('The notification has two contents.');
    this.#hasContent = true;
    const encoding = this.#value('receipt.action.encoding');
    return encoding === undefined ? this.#hold() : this.#decode(encoding);
  }

  /** JSON has no order. */
  #hold(): TextTaker {
    return {
      take: (piece) => {
        this.#heldBytes += piece.length;
        if (this.#heldBytes > heldMaxBytes) throw malformed('The notification is larger than any of SNS.');
        this.#held.push(piece);
      },
      end: () => undefined,
    };
  }

  /** @throws InboundRefusal */
  #takeHeld(): void {
    if (this.#held.length === 0) return;
    const encoding = this.#value('receipt.action.encoding');
    if (encoding === undefined) throw malformed('The notification does not tell how its content is encoded.');
    const taker = this.#decode(encoding);
    for (const piece of this.#held.splice(0)) taker.take(piece);
    taker.end();
  }

  #decode(encoding: string): TextTaker {
    if (encoding.toUpperCase() !== 'BASE64') return { take: this.#take, end: () => undefined };
    const decoder = new Base64Decoder(this.#take);
    return {
      take: (piece) => {
        decoder.push(piece);
      },
      end: () => {
        decoder.end();
      },
    };
  }
}
