// POST /smtp-faults: planned faults for mail to a capture session, for its holder only.

import { type Static, Type } from '#http-parts/json-schema';

import { MayflyError } from '../../domain/mayfly-error.ts';
import { faultLimits, faultStages, seedMax } from '../../domain/smtp-fault.ts';
import type { ShownFault } from '../../service/receiving/smtp-faults.ts';
import { jsonAnswer } from '../answers/success.ts';
import { type Operation, sessionOperation } from '../operation.ts';
import { count, orNull, success, text } from '../views/schemas.ts';

const { codeMin, codeMax, delayMaxMs, rulesMax, textMax } = faultLimits;

const ruleSchema = Type.Object({
  stage: text('The stage at which it applies.'),
  code: orNull(count('Of the reply; null where the rule only delays or drops.')),
  text: text('Of the reply.'),
  delay_ms: count('The delay before the reply.'),
  drop: Type.Boolean({ description: 'Whether the connection is cut instead of a reply.' }),
  first: orNull(count('How many times it applies; null for no limit.')),
  greylist: Type.Boolean({ description: 'Whether it applies once for each sender and recipient.' }),
  probability: count('Per cent.'),
  seed: count('Seed of the random sequence: the same seed and dialogues give the same faults.'),
  fired: count('How often it has been applied.'),
});

const answers = success({
  rules: Type.Array(ruleSchema, {
    description: 'In the order in which they are tried; the first that applies decides.',
  }),
});

const example = {
  status: 'success',
  rules: [
    {
      stage: 'rcpt',
      code: 451,
      text: 'Come back later',
      delay_ms: 0,
      drop: false,
      first: 2,
      greylist: false,
      probability: 100,
      seed: 7,
      fired: 0,
    },
  ],
};

const setFaultsOperation = sessionOperation({
  name: 'setSmtpFaults',
  tag: 'Testing',
  method: 'POST',
  path: '/smtp-faults',
  summary: 'Make mail to a capture session fail on purpose',
  description:
    'Adds a rule, for tests of senders. Only mail for this session fails: `connect`, `auth` and `mail` apply to ' +
    'connections that authenticated as it, `data` and `end_of_data` to messages for it alone; at `rcpt`, a rule ' +
    'that delays, drops or answers 421 is skipped while the transaction has recipients of others. `connect` and `auth` ' +
    'replace the reply to AUTH; `connect` also ends the connection. `http` applies to calls of the HTTP interfaces for ' +
    'senders on the listener for dialects, which answer as their service does. Rules are kept in memory, by the process that ' +
    `received them, until the session ends; ${rulesMax} at most. Without parameters, all are shown.`,
  parameters: {
    stage: { kind: 'choice', values: faultStages, description: 'The stage at which the rule applies.' },
    code: {
      kind: 'int',
      min: codeMin,
      max: codeMax,
      description: 'Of the reply; 451 when absent, 454 to AUTH. At `http` the status, 500 when absent.',
    },
    text: { kind: 'text', description: `Of the reply: up to ${textMax} printable ASCII characters.` },
    delay_ms: {
      kind: 'int',
      min: 0,
      max: delayMaxMs,
      description: 'The delay before the reply; without `code` and `text` the reply is the normal one.',
    },
    drop: { kind: 'flag', description: 'Cut the connection instead of replying.' },
    first: {
      kind: 'int',
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      description: 'Apply only this many times.',
    },
    greylist: {
      kind: 'flag',
      description: 'Apply once for each sender and recipient, at `rcpt`, `data`, `end_of_data` or `http`.',
    },
    probability: { kind: 'int', min: 0, max: 100, description: 'Per cent; 100 when absent.' },
    seed: {
      kind: 'int',
      min: 0,
      max: seedMax,
      description: 'Seed of the random sequence; random when absent.',
    },
    clear: {
      kind: 'flag',
      description: 'Remove all rules first. Without `stage`, none is added and all are shown.',
    },
  },
  answers,
  example,
  errors: ['capture_only', 'missing_parameter', 'conflicting_parameters'],
  async run({ services }, { live: { session }, parameters }) {
    const {
      stage,
      clear = false,
      delay_ms: delayMs,
      drop: drops,
      greylist: isGreylist,
      ...given
    } = parameters;
    if (stage !== undefined) {
      const rule = { stage, delayMs, drops, isGreylist, ...given };
      const { setSmtpFaults, addSmtpFault } = services;
      return toAnswer(clear ? setSmtpFaults(session, [rule]) : addSmtpFault(session, rule));
    }
    if ([delayMs, drops, isGreylist, ...Object.values(given)].some((value) => value !== undefined)) {
      const parameter = 'stage';
      throw new MayflyError('missing_parameter', 'A rule needs the `stage` at which it applies.', {
        parameter,
      });
    }
    return toAnswer(clear ? services.setSmtpFaults(session, []) : services.showSmtpFaults(session));
  },
});

function toAnswer(rules: readonly ShownFault[]) {
  return jsonAnswer({ rules: rules.map(toRule) });
}

function toRule({ delayMs, drops, isGreylist, ...rule }: ShownFault): Static<typeof ruleSchema> {
  const { stage, code, text: replyText, first, probability, seed, fired } = rule;
  return {
    stage,
    code,
    text: replyText,
    delay_ms: delayMs,
    drop: drops,
    first,
    greylist: isGreylist,
    probability,
    seed,
    fired,
  };
}

export const smtpFaultOperations: readonly Operation[] = [setFaultsOperation];
