// Obtains one certificate from one ACME server: account, order, answers to its challenges, and the check of the result.
// Called by certificate-keeper.ts, which decides when, and what follows from a failure.

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { isIP } from 'node:net';

import { AcmeClient, type AcmeTransport } from '../../../acme/src/acme-client.ts';
import { driveOrder } from '../../../acme/src/drive-order.ts';
import { type ExternalAccount, toThumbprint } from '../../../acme/src/json-web-signature.ts';
import { AcmeProblem } from '../../../acme/src/problem.ts';
import type { Directory } from '../../../acme/src/read-objects.ts';
import { toCertificateId } from '../../../acme/src/renewal-info.ts';
import { type ChallengeType, type PresentedChallenge, runOrder } from '../../../acme/src/run-order.ts';
import type {
  CertificateRecords,
  Lease,
  StoredAccount,
  StoredCertificate,
  StoredOrder,
} from '../certificate-records.ts';
import { checkIssued, readLeaf } from '../issued-certificate.ts';
import { der, signatureAlgorithm, tag, toAltNames } from '../der.ts';

export interface ObtainParts {
  readonly records: CertificateRecords;
  readonly lease: Lease;
  readonly transport: AcmeTransport;
  readonly userAgent: string;
  readonly email: string;
  readonly externalAccount: ExternalAccount | undefined;
  /** The kinds that can be answered, the one to try first. */
  readonly challengeTypes: readonly ChallengeType[];
  /** The store's clock. */
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Resolves when any node answers. */
  readonly present: (challenges: readonly PresentedChallenge[]) => Promise<void>;
}

export interface ObtainInput {
  readonly directoryUrl: string;
  readonly names: readonly string[];
  readonly profile: string | undefined;
  /** An order that was broken off. */
  readonly order: StoredOrder | undefined;
  /** The certificate to be replaced, in PEM, if it is of the same server. */
  readonly replacedPem: string | undefined;
  readonly keepOrder: (order: StoredOrder) => Promise<void>;
}

/** Certificates for IP addresses have no other (letsencrypt.org/docs/profiles). */
const profileOfAddresses = 'shortlived';

/** @throws AcmeProblem, AcmeProtocolError, SafeFetchError, UnfitCertificate, LeaseLost */
export async function obtainCertificate(parts: ObtainParts, input: ObtainInput): Promise<StoredCertificate> {
  const { records, lease } = parts;
  const account = await openAccount(parts, input.directoryUrl);
  const client = createClient(parts, input.directoryUrl, account.key);
  try {
    const url = account.url ?? (await register(parts, { client, account, input }));
    return await order(parts, input, { client, url, key: account.key });
  } catch (error) {
    // The server has forgotten the account; the key is registered again at the next attempt.
    if (error instanceof AcmeProblem && error.type === 'accountDoesNotExist') {
      await records.writeAccount(lease, input.directoryUrl, { keyPem: account.keyPem });
    }
    throw error;
  }
}

interface Account extends StoredAccount {
  readonly key: KeyObject;
}

async function openAccount({ records, lease }: ObtainParts, directoryUrl: string): Promise<Account> {
  const stored = await records.readAccount(directoryUrl);
  if (stored) return { ...stored, key: createPrivateKey(stored.keyPem) };
  const keyPem = createKey();
  // Before it is used: an account whose key is lost cannot be used again.
  await records.writeAccount(lease, directoryUrl, { keyPem });
  return { keyPem, key: createPrivateKey(keyPem) };
}

export function createClient(
  { transport, userAgent, now }: Pick<ObtainParts, 'transport' | 'userAgent' | 'now'>,
  directoryUrl: string,
  accountKey: KeyObject = createPrivateKey(createKey()),
): AcmeClient {
  return new AcmeClient({ transport, directoryUrl, accountKey, userAgent, clock: now });
}

async function register(
  { records, lease, email, externalAccount }: ObtainParts,
  {
    client,
    account,
    input,
  }: { readonly client: AcmeClient; readonly account: Account; readonly input: ObtainInput },
): Promise<string> {
  const url = await client.register({ email, externalAccount });
  await records.writeAccount(lease, input.directoryUrl, { keyPem: account.keyPem, url });
  return url;
}

interface OpenAccount {
  readonly client: AcmeClient;
  readonly url: string;
  readonly key: KeyObject;
}

async function order(
  parts: ObtainParts,
  input: ObtainInput,
  { client, url, key }: OpenAccount,
): Promise<StoredCertificate> {
  const { names, directoryUrl } = input;
  const directory = await client.directory();
  const begun = isSameOrder(input.order, input) ? input.order : undefined;
  const keyPem = begun?.keyPem ?? createKey();
  const machine = runOrder({
    newOrderUrl: directory.newOrder,
    orderUrl: begun?.url,
    names,
    profile: chooseProfile(input, directory),
    replaces: toReplaced(input, directory),
    csr: createCertificateRequest(createPrivateKey(keyPem), names).toString('base64url'),
    challengeTypes: parts.challengeTypes,
    thumbprint: toThumbprint(key),
  });
  const chainPem = await driveOrder(machine, {
    client,
    accountUrl: url,
    present: parts.present,
    wait: parts.wait,
    keepOrder: (orderUrl) => input.keepOrder({ directoryUrl, names, keyPem, url: orderUrl }),
  });
  const { profile } = input;
  const issued = { directoryUrl, names, profile, chainPem, keyPem };
  checkIssued(issued);
  return { ...issued, issuedAt: parts.now() };
}

function isSameOrder(stored: StoredOrder | undefined, { directoryUrl, names }: ObtainInput): boolean {
  return stored?.directoryUrl === directoryUrl && stored.names.join() === names.join();
}

/** @throws AcmeProblem for one that the server does not have */
function chooseProfile({ profile, names }: ObtainInput, { profiles }: Directory): string | undefined {
  if (profile === undefined) {
    const hasAddress = names.some((name) => isIP(name) !== 0);
    return hasAddress && profiles.includes(profileOfAddresses) ? profileOfAddresses : undefined;
  }
  if (profiles.includes(profile)) return profile;
  const known = profiles.length > 0 ? `only ${profiles.join(', ')}` : 'no profiles';
  throw new AcmeProblem({
    type: 'invalidProfile',
    detail: `The server has ${known}, and not ${profile}.`,
    status: 0,
    names: [],
    retryAfterMs: undefined,
  });
}

function toReplaced({ replacedPem }: ObtainInput, { renewalInfo }: Directory): string | undefined {
  if (replacedPem === undefined || renewalInfo === undefined) return undefined;
  return toCertificateId(readLeaf(replacedPem).raw);
}

function createKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

const attributes = 0xa0;
/** RFC 2985 §5.4.2 */
const extensionRequest = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x0e];

/**
 * Creates a request for a certificate (PKCS #10, RFC 2986) in DER. Without a subject: names are in the extension alone, as RFC 8555 §7.4 allows.
 * @param key private, on P-256
 * @param names domain names and IP addresses
 */
function createCertificateRequest(key: KeyObject, names: readonly string[]): Buffer {
  const wanted = der(tag.set, der(tag.sequence, toAltNames(names)));
  const body = der(
    tag.sequence,
    der(tag.integer, [0]),
    der(tag.sequence),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    der(attributes, der(tag.sequence, der(tag.oid, extensionRequest), wanted)),
  );
  return der(tag.sequence, body, signatureAlgorithm, der(tag.bits, [0], sign('sha256', body, key)));
}
