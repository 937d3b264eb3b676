import type { Mayfly } from 'mayfly-client';

/** A service that was started for a test run, however that was. */
export interface RunningMayfly {
  /** Of Mayfly's own interface, for MAYFLY_URL. */
  readonly url: string;
  /** Where the program under test sends its mail. */
  readonly smtpHost: string;
  readonly smtpPort: number;
  client(): Mayfly;
  /** Ends the service; its mail is gone. Does nothing the second time. */
  stop(): Promise<void>;
}
