// Chooses what reads the requests of a provider.

import type { InboundRequest, Intake } from './intake.ts';
import type { ProviderSecret } from './provider.ts';
import { MailgunIntake } from './providers/mailgun.ts';
import { PostmarkIntake } from './providers/postmark.ts';
import { RawIntake } from './providers/raw.ts';
import { SendgridIntake } from './providers/sendgrid.ts';
import { SesIntake } from './providers/ses.ts';

/** @param user the name of the route, which is the user of its password @throws InboundRefusal */
export function createIntake(user: string, secret: ProviderSecret, request: InboundRequest): Intake {
  switch (secret.from) {
    case 'cloudflare':
    case 'raw':
      return new RawIntake(request, secret.secret);
    case 'ses':
      return new SesIntake(request, secret.topicArn);
    case 'mailgun':
      return new MailgunIntake(request, secret.signingKey);
    case 'postmark':
      return new PostmarkIntake(request, { user, passwordHash: secret.passwordHash });
    case 'sendgrid':
      return new SendgridIntake(
        request,
        'publicKey' in secret ? secret : { user, passwordHash: secret.passwordHash },
      );
  }
}
