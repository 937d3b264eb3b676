// The means by which an account logs in.

export interface PasswordCredentials {
  readonly kind: 'password';
  readonly password: string;
}

/** A refresh token and what is needed to obtain access tokens with it (RFC 6749 §6). */
export interface OAuth2Credentials {
  readonly kind: 'oauth2';
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
  readonly refreshToken: string;
  /** https. */
  readonly tokenUrl: string;
}

export type MailCredentials = PasswordCredentials | OAuth2Credentials;
