// The operator's view of the certificate, and the request for a new one. Works whether or not a service runs.

export interface CertificateFailure {
  readonly kind: string;
  /** One line. */
  readonly reason: string;
  /** In a row. */
  readonly count: number;
  /** Instants are ms since 1970, on the store's clock. */
  readonly at: number;
  readonly nextAt: number;
}

/** A certificate with its chain, as clients are shown it. */
export interface ShownCertificate {
  /** In PEM; undefined when there is none that can be used. */
  readonly chainPem: string | undefined;
  readonly source: 'acme' | 'files' | 'self-signed';
  /** Why its files as they are now are not used, beginning with one of them. */
  readonly fault?: string | undefined;
}

export interface CertificateStatus extends Pick<ShownCertificate, 'source' | 'fault'> {
  readonly names: readonly string[];
  readonly issuer: string;
  /** Undefined without a certificate that can be read, as are its names and issuer. */
  readonly notBefore: number | undefined;
  readonly notAfter: number | undefined;
}

export interface RenewalStatus {
  readonly directory: string;
  /** Those that the certificate should have; the ones left out for now failed repeatedly. */
  readonly wantedNames: readonly string[];
  readonly leftOut: readonly string[];
  /** Undefined until there is a certificate. */
  readonly renewAt: number | undefined;
  /** A page of the ACME server that says why it wants an early renewal. */
  readonly explanationUrl: string | undefined;
  readonly failure: CertificateFailure | undefined;
}

export interface CertificateControl {
  /** Undefined while neither HTTPS nor STARTTLS is served. */
  certificate(): Promise<CertificateStatus | undefined>;
  /** Undefined unless certificates come from an ACME server. */
  renewal(): Promise<RenewalStatus | undefined>;
  /** Orders a new certificate as soon as a service can. @throws OperatorError */
  requestRenewal(): Promise<void>;
}
