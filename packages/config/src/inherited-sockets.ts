// Listening sockets opened by the parent process, as systemd does for ports below 1024 and to refuse no connection
// during a restart (sd_listen_fds(3)). Called once, at the start.

import { ConfigError } from './load-config.ts';

export interface InheritedSockets {
  readonly smtp?: number;
  readonly http?: number;
  /** Plain HTTP beside HTTPS. */
  readonly redirect?: number;
}

const firstDescriptor = 3;
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns none unless they are meant for this process. LISTEN_FDNAMES names each: `smtp`, `http` or `redirect`, or a unit file
 * whose name ends with that, such as `mayfly-smtp.socket`; a single one without such a name is for SMTP.
 * @throws ConfigError when a name is unknown or repeated
 */
export function readInheritedSockets(environment: Environment, pid: number): InheritedSockets {
  const count = Number(environment['LISTEN_FDS'] ?? '0');
  if (environment['LISTEN_PID'] !== String(pid) || !Number.isInteger(count) || count < 1) return {};
  const names = (environment['LISTEN_FDNAMES'] ?? '').split(':');
  const found: { smtp?: number; http?: number; redirect?: number } = {};
  for (let at = 0; at < count; at++) {
    const role = roleOf(names[at] ?? '', count);
    if (!role) {
      throw new ConfigError(
        `LISTEN_FDNAMES names a socket ${JSON.stringify(names[at])}; the known names are smtp, http and redirect.`,
      );
    }
    if (found[role] !== undefined) {
      throw new ConfigError(`LISTEN_FDNAMES names more than one socket ${role}.`);
    }
    found[role] = firstDescriptor + at;
  }
  return found;
}

function roleOf(name: string, count: number): keyof InheritedSockets | undefined {
  const [, role] = /^(?:.*-)?(smtp|http|redirect)(?:\.socket)?$/.exec(name) ?? [];
  if (role === 'smtp' || role === 'http' || role === 'redirect') return role;
  return count === 1 ? 'smtp' : undefined;
}
