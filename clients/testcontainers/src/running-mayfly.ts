import type { Mayfly } from 'mayfly-client';

/** A service started for a test run. */
export interface RunningMayfly {
  /** URL of Mayfly's own interface, for MAYFLY_URL. */
  readonly url: string;
  /** The host to which the program under test sends its mail. */
  readonly smtpHost: string;
  readonly smtpPort: number;
  client(): Mayfly;
  /** Stops the service and deletes its mail. Does nothing the second time. */
  stop(): Promise<void>;
}
