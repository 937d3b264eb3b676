// Everything the operator's commands need, the same for the CLI and the admin interface. Made once by app.ts; each
// command names the part it needs.

import type { Audit } from '#audit/create-audit';
import type { TrafficHistory } from '../../observe/traffic-history.ts';
import type { DirectoryStore } from '../../store/directory-store.ts';
import type { JobsStore } from '../../store/jobs-store.ts';
import type { StoreCopy } from '../../store/store-copy.ts';
import type { CertificateControl } from './certificate-control.ts';
import type { CheckDomainDeps } from './check-domain.ts';
import type { SessionCounts } from '../addresses/count-by-domain.ts';
import type { DoctorControl } from './doctor.ts';
import type { DomainStates } from './domain-states.ts';
import type { FindSessionsDeps } from './find-sessions.ts';
import type { ForgetServerKeyDeps } from './forget-server-key.ts';
import type { GmailControl } from './gmail-control.ts';
import type { LastMail } from '../records/last-mail.ts';
import type { ManageBlocksDeps } from './manage-blocks.ts';
import type { ManageInboundDeps } from './manage-inbound.ts';
import type { ManageKeysDeps } from './manage-keys.ts';
import type { SignInLinks } from './sign-in-links.ts';
import type { SignIns } from './sign-ins.ts';
import type { Overview } from './overview.ts';
import type { ReadRefusalsDeps } from '../records/read-refusals.ts';
import type { ReadStatisticsDeps } from './read-statistics.ts';
import type { RecentDeliveries } from '../records/recent-deliveries.ts';

/** A setting in force, with secrets masked. */
export interface SettingInForce {
  /** The environment variable. */
  readonly name: string;
  readonly value: string;
  readonly source: 'default' | 'environment' | 'file' | 'command line';
  /** The file that it comes from; null for another source. */
  readonly file: string | null;
}

export interface OperatorDeps
  extends FindSessionsDeps, ManageKeysDeps, ManageBlocksDeps, ManageInboundDeps, ForgetServerKeyDeps {
  readonly audit: Audit;
  readonly statistics: ReadStatisticsDeps['statistics'];
  readonly now: ReadStatisticsDeps['now'];
  readonly refusals: ReadRefusalsDeps['refusals'];
  readonly directory: DirectoryStore;
  readonly jobs: JobsStore;
  readonly copy: StoreCopy;
  readonly lastMail: Pick<LastMail, 'list'>;
  readonly domainChecks: CheckDomainDeps;
  readonly domainStates: DomainStates;
  readonly doctor: DoctorControl;
  readonly readOverview: () => Promise<Overview>;
  readonly sessionCounts: SessionCounts;
  /** The recent deliveries of a running service; undefined where none runs. */
  readonly deliveries?: RecentDeliveries | undefined;
  /** Undefined also while the operator's listener is off. */
  readonly traffic?: TrafficHistory | undefined;
  /** Undefined where no service runs. */
  readonly links?: SignInLinks | undefined;
  /** Likewise; they are loaded when first needed. */
  readonly signIns?: (() => Promise<SignIns>) | undefined;
  readonly gmail: GmailControl;
  readonly certificates: CertificateControl;
  readonly defaultQuarantineMs: number;
  readonly settings: readonly SettingInForce[];
}
