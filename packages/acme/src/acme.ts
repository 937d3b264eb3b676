// The entry of the package: an ACME client without dependencies, connections and clocks of its own.

export {
  type AcmeAnswer,
  AcmeClient,
  type AcmeRequest,
  type AcmeResponse,
  type AcmeTransport,
} from './acme-client.ts';
export { driveOrder } from './drive-order.ts';
export { toAddressBytes, toServerName } from './identifier.ts';
export { type ExternalAccount, toThumbprint } from './json-web-signature.ts';
export { AcmeProblem, AcmeProtocolError } from './problem.ts';
export type { Directory } from './read-objects.ts';
export {
  chooseRenewal,
  readRenewal,
  type RenewalWindow,
  toCertificateId,
  toRenewalUrl,
} from './renewal-info.ts';
export { type ChallengeType, type PresentedChallenge, runOrder } from './run-order.ts';
