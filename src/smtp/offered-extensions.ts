// The extensions that EHLO is answered with. Asked by the engine; docs/standards.md says what each amounts to.

import type { SmtpEngineSettings } from './engine-step.ts';

/** RFC 3207 §4.2: STARTTLS is not offered again once TLS is in use. */
export function offeredExtensions(settings: SmtpEngineSettings, isSecure: boolean): string[] {
  const always = [
    'PIPELINING',
    `SIZE ${settings.messageMaxBytes}`,
    '8BITMIME',
    'SMTPUTF8',
    'CHUNKING',
    'ENHANCEDSTATUSCODES',
  ];
  return settings.offersTls && !isSecure ? ['STARTTLS', ...always] : always;
}
