// The providers by name, and what requests of each are checked with.

export const providers = ['cloudflare', 'ses', 'mailgun', 'postmark', 'sendgrid', 'raw'] as const;
export type Provider = (typeof providers)[number];

/** Requests are checked with it. Secret, but for the hash, the topic and the public key. */
export type ProviderSecret =
  | { readonly from: 'cloudflare' | 'raw'; readonly secret: string }
  | { readonly from: 'ses'; readonly topicArn: string }
  | { readonly from: 'mailgun'; readonly signingKey: string }
  | { readonly from: 'postmark' | 'sendgrid'; readonly passwordHash: string }
  | { readonly from: 'sendgrid'; readonly publicKey: string };

/** The status by which the provider gives up a message; any other error lets it try again, or not, as it likes. */
export const refusedStatus: Readonly<Record<Provider, number>> = {
  cloudflare: 422,
  raw: 422,
  ses: 422,
  // https://documentation.mailgun.com/docs/mailgun/user-manual/receive-forward-store/receive-http
  mailgun: 406,
  // https://postmarkapp.com/developer/user-guide/inbound/parse-an-email
  postmark: 403,
  sendgrid: 422,
};
