// A thousand renewals of short-lived certificates, on a virtual clock, at a server that rejects nonces and fails
// validations: how long there was no valid certificate.

import { expect, it } from 'vitest';

import { dayMs, keepCertificate, minuteMs } from '../../../test/support/acme/kept-certificate.ts';
import { createRandom } from '../../../test/support/random.ts';
import { renewalTime } from './renewal-plan.ts';

const renewals = 1000;
/** The loop looks every few seconds; between these instants it would find nothing to do. */
function nextInstant({ keeper, serving, clock }: ReturnType<typeof keepCertificate>): number {
  const { failure, advice } = keeper.progress;
  if (failure) return failure.at + failure.waitMs;
  const renewAt = serving.facts ? renewalTime(serving.facts, keeper.progress) : clock.now;
  return Math.min(renewAt, advice ? advice.askedAt + advice.askAgainAfterMs : clock.now);
}

it.each([
  ['alone', false],
  ['with a staging server', true],
] as const)('leaves no second without a valid certificate: %s', async (_title, hasStaging) => {
  const { below } = createRandom(hasStaging ? 1 : 2);
  const random = (): number => below(1e6) / 1e6;
  const kept = keepCertificate({ hasStaging, random, authority: { random, lifetimeMs: 6 * dayMs } });
  for (const { faults } of [kept.authority, kept.staging]) {
    Object.assign(faults, { badNonces: 0.05, failedValidations: 0.2 });
  }
  while (!kept.serving.isTrusted) {
    await kept.keeper.step();
    kept.clock.now += minuteMs;
  }
  const first = kept.authority.counts.issued;
  let uncoveredMs = 0;
  let least = Infinity;
  while (kept.authority.counts.issued < first + renewals) {
    const { endsAt } = kept.serving;
    const before = kept.clock.now;
    kept.clock.now = Math.max(before + minuteMs, nextInstant(kept));
    await kept.keeper.step();
    least = Math.min(least, endsAt - before);
    // The old one serves until the step is over.
    uncoveredMs += Math.max(0, kept.clock.now - Math.max(endsAt, before));
  }
  const { badNonces, validations, issued } = kept.authority.counts;
  expect({ uncoveredMs, issued }).toEqual({ uncoveredMs: 0, issued: first + renewals });
  // The faults came about: five in a hundred of a dozen signed requests each, one in five of two names.
  expect(badNonces).toBeGreaterThan(renewals / 3);
  expect(validations).toBeGreaterThan(2.2 * renewals);
  // The advice moves on with each question, so renewals begin at the latest instant: a day before the end.
  expect(least).toBeGreaterThan(dayMs / 2);
});
