// Every field that the type definitions of the official clients document, sent through the client: it is in the mail, or
// the call is refused. A field that a new version of a client adds is tried without a change here.

import { afterAll, beforeAll, expect, it } from 'vitest';

import { documentedFields, type DocumentedField } from '../support/clients/documented-fields.ts';
import { senderFields } from '../support/clients/sender-fields.ts';
import { openSenderService, type SenderService } from '../support/clients/sender-service.ts';
import { type FieldSpec, sendEachField } from '../support/clients/sent-fields.ts';

let service: SenderService;
let documented: ReadonlyMap<FieldSpec, readonly DocumentedField[]>;

beforeAll(async () => {
  documented = documentedFields(senderFields);
  service = await openSenderService({ MAYFLY_LIMITS_SESSION_MESSAGES: '0' });
}, 240_000);

afterAll(() => service.close());

it.each(senderFields)('$name: none is dropped', { timeout: 240_000 }, async (spec) => {
  const fates = [...(await sendEachField(spec, documented.get(spec) ?? [], service))];
  expect(fates.length).toBeGreaterThan(8);
  const of = (wanted: string): unknown =>
    fates
      .filter(([, { fate }]) => fate === wanted)
      .map(([name, { reason }]) => (reason === '' ? name : [name, reason]));
  const refused = (spec.refused ?? []).map((name) => [name, expect.any(String) as unknown]);
  expect({ dropped: of('dropped'), unsent: of('unsent'), refused: of('refused') }).toEqual({
    dropped: spec.dropped ?? [],
    unsent: spec.unsent ?? [],
    refused,
  });
});
