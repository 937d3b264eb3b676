// Everything the services work with, made once by app.ts. Each service names the part it needs; this is the sum that
// the HTTP interface is handed.

import type { CheckMailDeps } from './check-mail.ts';
import type { CreateSessionDeps } from './create-session.ts';
import type { ReadMailDeps } from './read-mail.ts';

export type ServiceDeps = CreateSessionDeps & CheckMailDeps & ReadMailDeps;
