// Sets a route up for a provider: checks what the operator gives, and makes the rest.

import { randomBytes } from 'node:crypto';

import type { Provider, ProviderSecret } from './provider.ts';
import { hashPassword } from './signatures/basic-credentials.ts';
import { parsePublicKey } from './signatures/ecdsa.ts';

/** Given by the operator; each provider takes one of them, or none. */
export interface GivenSecrets {
  readonly topicArn?: string | undefined;
  readonly signingKey?: string | undefined;
  readonly publicKey?: string | undefined;
}

export interface MadeSecret {
  readonly kept: ProviderSecret;
  /** Made here, and shown once: the secret of signatures, or a password. */
  readonly shown?: { readonly kind: 'secret' | 'password'; readonly value: string };
}

const topicForm = /^arn:aws(?:-[a-z]+)*:sns:[a-z0-9-]{1,40}:\d{12}:[A-Za-z0-9_-]{1,256}(?:\.fifo)?$/;

/** Returns a sentence that says what is wrong with what was given, or what the route is checked with. */
export function makeSecret(from: Provider, given: GivenSecrets): MadeSecret | string {
  const { topicArn, signingKey, publicKey } = given;
  switch (from) {
    case 'cloudflare':
    case 'raw':
      return withSecret(from);
    case 'ses':
      if (topicArn === undefined || !topicForm.test(topicArn)) {
        return 'SES needs the topic that its receipt rule publishes to, such as arn:aws:sns:eu-west-1:123456789012:mail.';
      }
      return { kept: { from, topicArn } };
    case 'mailgun':
      if (signingKey === undefined || !/^[\x21-\x7e]{16,200}$/.test(signingKey)) {
        return 'Mailgun needs the HTTP webhook signing key of the account.';
      }
      return { kept: { from, signingKey } };
    case 'postmark':
      return withPassword(from);
    case 'sendgrid':
      if (publicKey === undefined) return withPassword(from);
      if (!parsePublicKey(publicKey)) return 'The public key must be the one of SendGrid’s security policy.';
      return { kept: { from, publicKey } };
  }
}

function withSecret(from: 'cloudflare' | 'raw'): MadeSecret {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  return { kept: { from, secret }, shown: { kind: 'secret', value: secret } };
}

function withPassword(from: 'postmark' | 'sendgrid'): MadeSecret {
  const password = randomBytes(24).toString('base64url');
  return {
    kept: { from, passwordHash: hashPassword(password) },
    shown: { kind: 'password', value: password },
  };
}
