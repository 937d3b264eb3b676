// Keeps recipients at our domains that were refused as unknown, and finds those spelled almost like a given address: a
// typing error is often why mail does not arrive. Made once by bind-services.ts. Kept in the memory of this process, a
// fixed number of them, so that each guess in a flood costs only a note; the comparison is made on request. An address
// that belongs or belonged to another session is never revealed: mail for it concerns only that session's holder.

import { type Address, toAddressKey } from '#mail-receiver/address';
import {
  captureLabel,
  isCapture,
  ownDomainOf,
  parseCaptureDomain,
  toCaptureAddress,
  toUntaggedKey,
} from '../../domain/addresses/capture.ts';
import { isWithinEdits } from '#values/near-name';
import { isReservedLocalPart } from '../../domain/addresses/prefix.ts';
import type { Session } from '../../domain/session.ts';
import type { DirectoryStore } from '../../store/directory-store.ts';
import type { SessionFinder } from '../../store/session-finder.ts';
import { Ring } from './ring.ts';
import type { LiveSession } from '../session/session-access.ts';

export interface RefusedRecipient {
  /** On the store's clock, ms since 1970. */
  readonly at: number;
  /** As the sender spelled it; printable ASCII. */
  readonly recipient: string;
  readonly reply: string;
}

export interface RefusedRecipients {
  /** @param isForeign the domain is none of ours; it may be a capture session's, misspelt */
  readonly note: (address: Address, reply: string, isForeign: boolean) => void;
  /** Newest first, those since the session began. */
  listLike(live: LiveSession): Promise<RefusedRecipient[]>;
}

export interface RefusedRecipientsOptions {
  readonly finder: Pick<SessionFinder, 'isKnownAddress'>;
  readonly directory: Pick<DirectoryStore, 'listDomains'>;
  /** Instant in ms since 1970. */
  readonly clock: () => number;
}

interface Noted {
  readonly at: number;
  readonly address: Address;
  readonly reply: string;
}

const keptMax = 1024;
/** Foreign domains are kept apart, so that attempts to relay displace no misspelt name. */
const foreignKeptMax = 256;
export const refusedKeptMs = 10 * 60 * 1000;
export const refusedShownMax = 10;
/** Limits the look-alikes, each of which costs a look-up or two in the store. */
const lookedUpMax = 30;
/** Clocks that differ by less count as one. */
const sameClockMs = 2000;
/** Excludes letters that look like others or are invisible, because the text is shown to users. */
const printable = /^[\x21-\x7e]+$/;

export function createRefusedRecipients(options: RefusedRecipientsOptions): RefusedRecipients {
  const { clock, directory } = options;
  const [unknown, foreign] = [new Ring<Noted>(keptMax), new Ring<Noted>(foreignKeptMax)];
  return {
    note(address, reply, isForeign) {
      if (isForeign && !mayHaveLabel(address.domain)) return;
      (isForeign ? foreign : unknown).push({ at: clock(), address, reply });
    },
    async listLike({ session, now }) {
      const wallNow = clock();
      // The notes use this machine's clock, the session the store's.
      const ahead = Math.abs(now - wallNow) < sameClockMs ? 0 : now - wallNow;
      const since = Math.max(session.createdAt - ahead, wallNow - refusedKeptMs);
      const isLike = isCapture(session)
        ? likeLabel(session, new Set((await directory.listDomains()).map(({ name }) => name)))
        : likeAddress(session);
      const noted = [...unknown.newestFirst(), ...(isCapture(session) ? foreign.newestFirst() : [])]
        .filter(({ at, address }) => at >= since && isLike(address) && printable.test(toText(address)))
        .sort((one, other) => other.at - one.at)
        .slice(0, lookedUpMax);
      const shown: RefusedRecipient[] = [];
      for (const { at, address, reply } of noted) {
        if (shown.length === refusedShownMax) break;
        if (await isOthers(options, address, session)) continue;
        shown.push({ at: at + ahead, recipient: toText(address), reply });
      }
      return shown;
    },
  };
}

/** Returns how many letters may differ; in a short word any two make a different word. */
function editsIn(word: string): number {
  if (word.length < 4) return 0;
  return word.length < 6 ? 1 : 2;
}

function likeAddress({ address: own }: Session): (address: Address) => boolean {
  const at = own.lastIndexOf('@');
  const [name, domain] = [own.slice(0, at).toLowerCase(), own.slice(at + 1)];
  const edits = editsIn(name);
  return (address) => {
    if (address.domain !== domain || isReservedLocalPart(address.localPart)) return false;
    const asked = address.localPart.toLowerCase();
    return asked !== name && isWithinEdits(asked.split('+', 1)[0] ?? '', name, edits);
  };
}

function likeLabel(session: Session, ownDomains: ReadonlySet<string>): (address: Address) => boolean {
  const [label, parent] = [captureLabel(session) ?? '', ownDomainOf(session.address)];
  return ({ domain }) => {
    if (!domain.endsWith(`.${parent}`) || ownDomains.has(domain)) return false;
    const asked = domain.slice(0, -parent.length - 1);
    return asked !== label && isWithinEdits(asked, label, editsIn(label));
  };
}

/** Reports whether a capture session's domain, whose label has eight letters, may be meant. */
function mayHaveLabel(domain: string): boolean {
  const end = domain.indexOf('.');
  return end >= 6 && end <= 10;
}

/** Reports whether the store has the address as in use, in quarantine or recently used. */
async function isOthers(
  { finder }: RefusedRecipientsOptions,
  address: Address,
  session: Session,
): Promise<boolean> {
  const capture = parseCaptureDomain(address);
  const keys = [
    toAddressKey(address),
    toUntaggedKey(address),
    capture && toCaptureAddress(capture.label, capture.parent),
  ];
  for (const key of keys) {
    // The session's own address with a tag, where tags are not accepted, belongs to no other session.
    if (key === undefined || key === session.address.toLowerCase()) continue;
    if (await finder.isKnownAddress(key)) return true;
  }
  return false;
}

function toText({ localPart, domain }: Address): string {
  return `${localPart}@${domain}`;
}
