// The input of a report: a parsed message, and what is known about how it came. All of it is untrusted.

export interface ReportedHeader {
  readonly name: string;
  /** Decoded, one line. */
  readonly value: string;
}

export interface ReportedAttachment {
  readonly id: string;
  readonly filename: string;
  readonly contentType: string;
  /** Bytes, decoded. */
  readonly size: number;
  readonly contentId: string | null;
  readonly disposition: string;
}

interface Check {
  readonly result: string;
  readonly domain: string | null;
}

/** As of RFC 8601. */
export interface ReportedAuthentication {
  readonly spf: Check;
  readonly dkim: Check & { readonly signatures: readonly (Check & { readonly selector: string })[] };
  readonly dmarc: Check & { readonly policy: string | null };
}

export interface ReportInput {
  readonly subject: string;
  readonly from: { readonly name: string; readonly email: string } | null;
  readonly headers: readonly ReportedHeader[];
  /** The text part that the sender wrote; null when there is none. */
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: readonly ReportedAttachment[];
  /** The size of the whole message. */
  readonly sizeBytes: number;
  /** Null when nothing was checked. */
  readonly authentication: ReportedAuthentication | null;
  /** Whether it came from the machine itself or a private network, whose addresses no SPF record names. */
  readonly isFromPrivateNetwork: boolean;
}
